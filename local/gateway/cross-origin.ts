// CORS as the CDN and an HTTP API do it: they answer preflights and add the headers to every answer.
import type { IncomingHttpHeaders } from 'node:http'
import { allowedHeaders } from '../../shared/admission/preflight.ts'
import { crossOriginHeaders, preflightHeaders } from '../../shared/http/cors.ts'
import type { GatewayAnswer } from './answer.ts'

export function preflightAnswer(request: IncomingHttpHeaders): GatewayAnswer {
  const allowed = 'access-control-allow-headers'
  const asked = allowedHeaders(request['access-control-request-headers'], preflightHeaders[allowed])
  return { status: 204, headers: { ...preflightHeaders, [allowed]: asked }, body: Buffer.alloc(0) }
}

/** The CORS headers of an answer; none without an `origin` header in the request. */
export const addedHeaders = ({ origin }: IncomingHttpHeaders): Record<string, string> =>
  origin === undefined ? {} : crossOriginHeaders
