// Cross-origin rules as an HTTP API with CORS applies them: it answers preflights and marks every answer itself.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { cors } from '../../shared/cors.ts'
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

/** Whether a browser asks for leave before it sends the request proper. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** Headers beside those of any answer: none for a caller that names no origin. */
export function crossOriginHeaders({ origin }: IncomingHttpHeaders): Record<string, string> {
  if (origin === undefined) return {}
  return {
    'access-control-allow-origin': cors.allowOrigins.join(','),
    'access-control-expose-headers': cors.exposeHeaders.join(','),
  }
}
