// The viewer function, in terms of CloudFront's events. Its syntax is plain, as CloudFront's JavaScript runtime requires.
import { admit, type RawRequest } from '../../shared/admission/admit.ts'
import { allowedHeaders } from '../../shared/admission/preflight.ts'
import { refusalAnswer } from '../../shared/admission/refusal.ts'
import type { Refusal, RouteRule } from '../../shared/admission/rule.ts'

interface Value {
  readonly value: string
}

/** A query value as it came, still percent-encoded; with all of them where its key is repeated. */
interface QueryValue extends Value {
  readonly multiValue?: readonly Value[]
}

/** The part of a request that the function reads or changes; it hands everything else on. */
export interface ViewerRequest {
  readonly method: string
  /** The path as it came, still percent-encoded. */
  uri: string
  querystring: Readonly<Record<string, QueryValue>>
  readonly headers: Readonly<Record<string, Value>>
}

/** An answer without the origin. */
export interface ViewerResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, Value>>
  body?: { readonly encoding: 'text'; readonly data: string }
}

type Headers = Readonly<Record<string, string>>

/** Made when the stack is synthesised, since the function has no imports. */
export interface EdgeRules {
  readonly rules: readonly RouteRule[]
  readonly preflightHeaders: Headers
  readonly crossOriginHeaders: Headers
}

/** Counts before it builds: a query of thousands of keys is refused within a few times what an ordinary request takes. */
function pairsOf(querystring: ViewerRequest['querystring'], max: number): ReturnType<RawRequest['query']> {
  const keys = Object.keys(querystring)
  if (keys.length > max) return undefined
  const pairs: [string, string][] = []
  for (let index = 0; index < keys.length; index += 1) {
    const key = String(keys[index])
    const given = querystring[key]
    const values = given?.multiValue ?? (given === undefined ? [] : [given])
    if (pairs.length + values.length > max) return undefined
    values.forEach((one) => {
      pairs.push([key, one.value])
    })
  }
  return pairs
}

/** Adds texts to values of CloudFront's form. */
function added(values: Record<string, Value>, texts: Headers): Record<string, Value> {
  Object.keys(texts).forEach((name) => {
    values[name] = { value: String(texts[name]) }
  })
  return values
}

function refused(refusal: Refusal, isHead: boolean, known: EdgeRules): ViewerResponse {
  const answer = refusalAnswer(refusal)
  const headers = added(added({}, known.crossOriginHeaders), answer.headers)
  const response: ViewerResponse = { statusCode: answer.status, headers }
  if (!isHead) response.body = { encoding: 'text', data: answer.body }
  return response
}

function preflight(request: ViewerRequest, known: EdgeRules): ViewerResponse {
  const headers = added({}, known.preflightHeaders)
  const allowed = 'access-control-allow-headers'
  const asked = request.headers['access-control-request-headers']?.value
  headers[allowed] = { value: allowedHeaders(asked, String(known.preflightHeaders[allowed])) }
  return { statusCode: 204, headers }
}

/** @returns the request, changed to its one spelling, or an answer that needs no function */
export function handled(request: ViewerRequest, known: EdgeRules): ViewerRequest | ViewerResponse {
  const admission = admit(known.rules, {
    method: request.method,
    path: request.uri,
    query: (max) => pairsOf(request.querystring, max),
    headers: request.headers,
  })
  if (admission.kind === 'preflight') return preflight(request, known)
  if (admission.kind === 'refused') return refused(admission.refusal, request.method === 'HEAD', known)
  request.uri = admission.path
  request.querystring = added({}, admission.query)
  return request
}
