// Cross-origin rules. The API gateway is the owner; the local gateway imitates it; the functions set none.

import { labelHeaders } from './names.ts'

/** Headers that a browser may read beside the always readable ones. */
const exposeHeaders = [
  'retry-after',
  'x-missing-fields',
  'x-broadcast-outcome',
  'x-broadcast-code',
  'x-broadcast-retriable',
  'x-broadcast-nodes',
  'x-transaction-hash',
  'x-expected-nonce',
  ...Object.values(labelHeaders),
  // For the age of an answer, for asking again, and for finding a request in the logs.
  'age',
  'date',
  'etag',
  'apigw-requestid',
  'x-amz-cf-id',
] as const

/** Open to every page: the service is public, has no credentials and keeps no state per caller. */
export const cors = {
  allowOrigins: ['*'],
  allowMethods: ['GET', 'HEAD', 'POST', 'OPTIONS'],
  allowHeaders: ['content-type', 'if-none-match'],
  exposeHeaders,
  maxAgeSeconds: 86_400,
} as const
