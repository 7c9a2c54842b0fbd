// The GraphQL client of an upstream: one for its lifetime, over our own transport.
import { ClientError, GraphQLClient } from 'graphql-request'
import { isObject, memberOf, parseExactJson } from '../../../shared/mapping/exact-json.ts'
import type { Reply } from '../../../shared/upstream/query.ts'
import type { HttpAnswer, HttpRequest, Transport } from './transport.ts'

/** The settings of one call, apart from its document and variables. */
interface GraphQlCall extends Pick<HttpRequest, 'headers' | 'onFreshConnection' | 'onAnswer' | 'signal'> {
  readonly send: Transport
}

/**
 * Sends one document. A body that is a GraphQL answer is read whatever its status and content type; any other body gives
 * a reply without data.
 *
 * @throws WireError as `Transport`
 */
type SendDocument = (query: string, variables: object, call: GraphQlCall) => Promise<Reply>

const messageOf = (error: unknown): string => {
  const message = memberOf(error, 'message') ?? error
  return typeof message === 'string' ? message : 'an error without a message'
}

/** The messages of an answer's errors; the Rust node lists its reasons under `extensions`, and they follow a colon. */
const messagesOf = (errors: unknown): readonly string[] =>
  (Array.isArray(errors) ? errors : [errors]).flatMap((error: unknown) => {
    const message = messageOf(error)
    const reasons = memberOf(error, 'extensions')
    return Array.isArray(reasons) && reasons.length > 0
      ? reasons.map((reason) => `${message}: ${messageOf(reason)}`)
      : [message]
  })

/** Data with exact integers. A ClientError prints the answer that it holds, and JSON.stringify refuses a bigint. */
class ExactData {
  readonly value: object
  constructor(value: object) {
    this.value = value
  }
  toJSON(): undefined {
    return undefined
  }
}

/** An answer as graphql-request takes it. */
interface GraphQlAnswer {
  readonly data?: ExactData | null
  readonly errors?: readonly { readonly message: string }[]
}

/** A text other than a GraphQL answer, such as the page of a proxy, becomes an answer without data and errors. */
function parseAnswer(text: string): GraphQlAnswer {
  let answer: unknown
  try {
    answer = parseExactJson(text)
  } catch {
    return {}
  }
  const data = memberOf(answer, 'data')
  // Some servers send `errors: null` beside good data.
  const errors = memberOf(answer, 'errors') ?? undefined
  const isAnswer = isObject(answer) && (data === undefined || data === null || isObject(data))
  if (!isAnswer || (errors !== undefined && typeof errors !== 'object')) return {}
  return {
    ...(data !== undefined && { data: data === null ? null : new ExactData(data) }),
    ...(errors !== undefined && { errors: messagesOf(errors).map((message) => ({ message })) }),
  }
}

/** All that graphql-request looks at in a response. */
type ResponseRead = Pick<Response, 'ok' | 'status' | 'text'> & { readonly headers: Pick<Headers, 'get'> }

function responseOf({ status, headers, text }: HttpAnswer): ResponseRead {
  const get = (name: string): string | null => {
    // Daemons send no content type and gateways may send a wrong one; graphql-request parses only JSON's.
    if (name.toLowerCase() === 'content-type') return 'application/json'
    const value = headers[name.toLowerCase()]
    return value === undefined ? null : [value].flat().join(', ')
  }
  return { ok: status >= 200 && status < 300, status, headers: { get }, text: async () => text }
}

/** The longest time for which an upstream is spared. */
const maxRetryAfterMs = 60_000

/**
 * The time for which an upstream refuses load, in milliseconds; undefined if it names none.
 *
 * @param retryAfter seconds, or an HTTP date
 * @param now milliseconds since 1970
 */
export function retryAfterMsOf(status: number, retryAfter: string | null, now: number): number | undefined {
  if ((status !== 429 && status !== 503) || retryAfter === null) return undefined
  const waitMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
  return waitMs > 0 ? Math.min(waitMs, maxRetryAfterMs) : undefined
}

/** graphql-request throws every answer that is not 2xx, with what it holds. */
function answerIn(error: unknown) {
  if (error instanceof ClientError) return error.response
  throw error
}

/** The client of the upstream at an address. */
export function createGraphQlClient(url: string): SendDocument {
  /** The calls under way, by signal, which is all that graphql-request passes to `fetch`. */
  const calls = new WeakMap<AbortSignal, GraphQlCall>()

  const fetchByTransport = async (
    _url: unknown,
    { headers: own, body, signal }: RequestInit = {},
  ): Promise<Response> => {
    const call = signal ? calls.get(signal) : undefined
    if (call === undefined) throw new Error('a GraphQL request without its call')
    const { send, headers, ...terms } = call
    const all = { ...Object.fromEntries(own as Headers), ...headers }
    const response = responseOf(await send({ url, method: 'POST', headers: all, body: String(body), ...terms }))
    return response as Response
  }

  const client = new GraphQLClient(url, {
    fetch: fetchByTransport,
    errorPolicy: 'all',
    // Documents are text; naming the operation would parse them.
    excludeOperationName: true,
    jsonSerializer: { parse: parseAnswer, stringify: JSON.stringify },
  })

  return async (query, variables, call) => {
    calls.set(call.signal, call)
    const sending = client.rawRequest<ExactData | null>({ query, variables, signal: call.signal })
    const { status, headers, data, errors = [] } = await sending.catch(answerIn)
    const retryAfterMs = retryAfterMsOf(status, headers.get('retry-after'), Date.now())
    return {
      status,
      data: data instanceof ExactData ? data.value : data,
      errors: errors.map(({ message }) => message),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    }
  }
}
