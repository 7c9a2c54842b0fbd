// The event of a request as API Gateway makes it, for benchmarks that call a function without a gateway.
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { filledPath } from '../../../shared/contract/parameters.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { routeOf } from '../../../shared/http/routes.ts'

export interface EventOptions {
  readonly parameters?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export function gatewayEvent(
  { method, path: form }: Pick<Endpoint, 'method' | 'path'>,
  { parameters, query, headers, body }: EventOptions = {},
): APIGatewayProxyEventV2 {
  const path = filledPath(form, parameters ?? {})
  const http = { method, path, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7', userAgent: 'curl/8.10.1' }
  const context = { domainName: 'api.example', http, requestId: 'r', stage: '$default', timeEpoch: 1_795_255_200_000 }
  return {
    version: '2.0',
    routeKey: routeOf({ method, path: form }),
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { accept: '*/*', host: 'api.example', 'user-agent': 'curl/8.10.1', ...headers },
    requestContext: context as APIGatewayProxyEventV2['requestContext'],
    isBase64Encoded: false,
    ...(parameters && { pathParameters: parameters }),
    ...(query && { queryStringParameters: query }),
    ...(body !== undefined && { body }),
  }
}
