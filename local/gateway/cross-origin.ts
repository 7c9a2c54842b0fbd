// CORS as an HTTP API does it: the gateway answers preflights and adds the headers to every answer.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { cors } from '../../shared/agreements/cors.ts'
import type { GatewayAnswer } from './answer.ts'

export const preflightAnswer: GatewayAnswer = {
  status: 204,
  headers: {
    'access-control-allow-origin': cors.allowOrigins.join(','),
    'access-control-allow-methods': cors.allowMethods.join(','),
    'access-control-allow-headers': cors.allowHeaders.join(','),
    'access-control-max-age': String(cors.maxAgeSeconds),
  },
  body: Buffer.alloc(0),
}

/** Whether this is the request with which a browser asks for permission before the actual one. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** The CORS headers of an answer; none without an `origin` header in the request. */
export function crossOriginHeaders({ origin }: IncomingHttpHeaders): Record<string, string> {
  if (origin === undefined) return {}
  return {
    'access-control-allow-origin': cors.allowOrigins.join(','),
    'access-control-expose-headers': cors.exposeHeaders.join(','),
  }
}
