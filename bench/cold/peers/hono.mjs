// The same under hono.
import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'
import { exchangeWith } from './exchange.ts'
import { postByFetch } from './fetch.ts'

export function handlerFor(endpoint, schema) {
  const exchange = exchangeWith(endpoint, schema, postByFetch)
  const app = new Hono()
  app.on(endpoint.method, endpoint.path, async ({ req, body: answerWith }) => {
    const body = endpoint.method === 'POST' ? await req.text() : undefined
    const answer = await exchange({ headers: req.header(), query: req.query(), body })
    return answerWith(answer.body, answer.status, answer.headers)
  })
  return handle(app)
}
