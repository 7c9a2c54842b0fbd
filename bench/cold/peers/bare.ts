// A handler without a framework, for a transport.
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { CompiledSchema } from '../../../functions/runtime/request-check.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { exchangeWith, type Post } from './exchange.ts'

export function bareHandler(endpoint: Endpoint, schema: CompiledSchema, post: Post) {
  const exchange = exchangeWith(endpoint, schema, post)
  return async ({ headers, queryStringParameters: query = {}, body }: APIGatewayProxyEventV2) => {
    const answer = await exchange({ headers, query, body })
    return { statusCode: answer.status, headers: answer.headers, body: answer.body }
  }
}
