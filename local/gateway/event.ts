// The event that API Gateway's HTTP API makes from a request, payload format 2.0.

import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { routeOf } from '../../shared/http/routes.ts'
import { bodyFields } from './body.ts'
import type { Admitted } from './route.ts'

/** Headers that apply to one connection only; a gateway does not pass them on. */
const hopByHop = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export interface Arrival {
  readonly request: IncomingMessage
  readonly admitted: Admitted
  readonly body: Buffer
  readonly requestId: string
  /** Milliseconds since 1970. */
  readonly time: number
}

/** Builds the event of a request in its one spelling, which is what CloudFront hands on. Optional fields without content are absent rather than empty. */
export function eventOf({ request, admitted, body, requestId, time }: Arrival): APIGatewayProxyEventV2 {
  const { rule, path, parameters, query } = admitted
  const method = request.method ?? ''
  const received = joinedHeaders(request)
  const cookies = request.headers.cookie?.split(/;\s*/).filter((cookie) => cookie !== '') ?? []
  const routeKey = routeOf({ method, path: rule.path })
  const domainName = request.headers.host?.replace(/:\d+$/, '') ?? 'localhost'
  const sourceIp = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    ...(cookies.length > 0 && { cookies }),
    headers: eventHeaders(received, request, sourceIp, body.length),
    ...(Object.keys(query).length > 0 && { queryStringParameters: query }),
    ...(Object.keys(parameters).length > 0 && { pathParameters: parameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? '',
      http: {
        method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: received.get('user-agent') ?? '',
      },
      requestId,
      routeKey,
      stage: '$default',
      time: commonLogTime(time),
      timeEpoch: time,
    },
    ...bodyFields(body, received.get('content-type')),
  }
}

/** By lower-case name, repeats joined by a comma. Node's own `headers` drops some repeats. */
function joinedHeaders({ rawHeaders }: IncomingMessage): Map<string, string> {
  const headers = new Map<string, string>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    const value = rawHeaders[index + 1] ?? ''
    const earlier = headers.get(name)
    headers.set(name, earlier === undefined ? value : `${earlier},${value}`)
  }
  return headers
}

function eventHeaders(
  received: ReadonlyMap<string, string>,
  request: IncomingMessage,
  sourceIp: string,
  bodyLength: number,
): Record<string, string> {
  const passedOn = [...received].filter(([name]) => name !== 'cookie' && !hopByHop.has(name))
  const forwardedFor = received.get('x-forwarded-for')
  return {
    ...Object.fromEntries(passedOn),
    'content-length': String(bodyLength),
    'x-forwarded-for': forwardedFor === undefined ? sourceIp : `${forwardedFor}, ${sourceIp}`,
    'x-forwarded-port': String(request.socket.localPort),
    'x-forwarded-proto': 'http',
  }
}

/** `12/Mar/2020:19:03:58 +0000`, the time stamp of the common log format. */
function commonLogTime(time: number): string {
  const [, day, month, year, clock] = new Date(time).toUTCString().split(' ')
  return `${day}/${month}/${year}:${clock} +0000`
}
