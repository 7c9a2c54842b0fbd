// The same under express.
import express from 'express'
import serverless from 'serverless-http'
import { exchangeWith } from './exchange.ts'
import { postByFetch } from './fetch.ts'

export function handlerFor(endpoint, schema) {
  const exchange = exchangeWith(endpoint, schema, postByFetch)
  const app = express()
  app.use(express.text({ type: () => true }))
  app.all(endpoint.path, async (request, response) => {
    const body = endpoint.method === 'POST' ? String(request.body) : undefined
    const answer = await exchange({ headers: request.headers, query: request.query, body })
    response.status(answer.status).set(answer.headers).end(answer.body)
  })
  const handle = serverless(app)
  return (event, context) => handle(event, context)
}
