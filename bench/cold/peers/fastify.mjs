// The same under fastify.
import adapt from '@fastify/aws-lambda'
import fastify from 'fastify'
import { exchangeWith } from './exchange.ts'
import { postByFetch } from './fetch.ts'

export function handlerFor(endpoint, schema) {
  const exchange = exchangeWith(endpoint, schema, postByFetch)
  const app = fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request, body) => body)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    async handler(request, reply) {
      const body = endpoint.method === 'POST' ? request.body : undefined
      const answer = await exchange({ headers: request.headers, query: request.query, body })
      return reply.code(answer.status).headers(answer.headers).send(answer.body)
    },
  })
  const handle = adapt(app)
  return (event, context) => handle(event, context)
}
