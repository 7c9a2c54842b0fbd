// Cross-origin rules, applied by API gateway and CloudFront, imitated by the local gateway. The functions set none.

import { tipHeaders } from './answer-headers.ts'

/** Headers that a browser may read besides those that it always may. */
const exposeHeaders = [
  'retry-after',
  'x-missing-fields',
  'x-broadcast-outcome',
  'x-broadcast-code',
  'x-broadcast-retriable',
  'x-broadcast-nodes',
  'x-transaction-hash',
  'x-expected-nonce',
  ...Object.values(tipHeaders),
  // For the age of an answer, for asking again, and for finding a request in the logs.
  'age',
  'date',
  'etag',
  'link',
  'apigw-requestid',
  'x-amz-cf-id',
] as const

/**
 * For preflights that name no headers, and for a gateway that allows only a fixed list: our names, and those that
 * scripts for tracing, error reports and cache busting add.
 */
const allowHeaders = [
  'content-type',
  'if-none-match',
  'authorization',
  'baggage',
  'cache-control',
  'sentry-trace',
  'traceparent',
  'tracestate',
  'x-requested-with',
] as const

/** Open to every page: the service is public, has no credentials and keeps no state per caller. */
export const cors = {
  allowOrigins: ['*'],
  allowMethods: ['GET', 'HEAD', 'POST', 'OPTIONS'],
  allowHeaders,
  exposeHeaders,
  maxAgeSeconds: 86_400,
} as const

/** On every answer to a page of another origin. */
export const crossOriginHeaders = {
  'access-control-allow-origin': cors.allowOrigins.join(','),
  'access-control-expose-headers': cors.exposeHeaders.join(','),
}

/** On the answer to a preflight. */
export const preflightHeaders = {
  'access-control-allow-origin': cors.allowOrigins.join(','),
  'access-control-allow-methods': cors.allowMethods.join(','),
  'access-control-allow-headers': cors.allowHeaders.join(','),
  'access-control-max-age': String(cors.maxAgeSeconds),
}
