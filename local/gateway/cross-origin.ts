// CORS as an HTTP API does it: the gateway answers preflights and adds the headers to every answer.
import type { IncomingHttpHeaders } from 'node:http'
import { crossOriginHeaders, preflightHeaders } from '../../shared/http/cors.ts'
import type { GatewayAnswer } from './answer.ts'

export const preflightAnswer: GatewayAnswer = { status: 204, headers: preflightHeaders, body: Buffer.alloc(0) }

/** The CORS headers of an answer; none without an `origin` header in the request. */
export const addedHeaders = ({ origin }: IncomingHttpHeaders): Record<string, string> =>
  origin === undefined ? {} : crossOriginHeaders
