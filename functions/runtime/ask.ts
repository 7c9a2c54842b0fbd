// The port to the upstreams: one GraphQL call over HTTP.
import { GraphQLClient } from 'graphql-request'
import type { Ask, Reply } from '../../shared/endpoint.ts'
import { WireError } from '../../shared/errors.ts'
import { memberOf, parseExactJson } from '../../shared/json.ts'
import { type Extension, keptKey } from './credential.ts'
import { createTransport, type HttpAnswer, type Transport } from './http/transport.ts'
import { keepingAnswers } from './kept-answers.ts'
import type { Settings, Upstream } from './settings.ts'

const messageOf = (error: unknown): string => {
  const message = memberOf(error, 'message') ?? error
  return typeof message === 'string' ? message : 'an error without a message'
}

/** The messages of an answer's errors; the Rust node lists its reasons under `extensions`, and they follow a colon. */
function messagesOf(errors: unknown): readonly string[] {
  if (errors === undefined || errors === null) return []
  return (Array.isArray(errors) ? errors : [errors]).flatMap((error: unknown) => {
    const message = messageOf(error)
    const reasons = memberOf(error, 'extensions')
    return Array.isArray(reasons) && reasons.length > 0
      ? reasons.map((reason) => `${message}: ${messageOf(reason)}`)
      : [message]
  })
}

/** The JSON of a reply. graphql-request takes `errors: null` for errors, some servers send it beside good data. */
function parseReply(text: string): unknown {
  const reply = parseExactJson(text)
  if (memberOf(reply, 'errors') === null) Reflect.deleteProperty(Object(reply), 'errors')
  return reply
}

interface Call {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly send: Transport
}

/** All that graphql-request looks at in a response. */
type ResponseRead = Pick<Response, 'ok' | 'status' | 'text'> & { readonly headers: Pick<Headers, 'get'> }

async function put(query: string, variables: object, { url, headers, signal, send }: Call): Promise<Reply> {
  let answer: HttpAnswer | undefined

  /** graphql-request takes data only from what is OK and called JSON; a daemon names no content type. */
  const fetchAsJson = async (_url: unknown, { headers: own, body }: RequestInit = {}): Promise<Response> => {
    const all = { ...Object.fromEntries(new Headers(own)), ...headers }
    answer = await send({ url, method: 'POST', headers: all, body: String(body), signal })
    const { status, text } = answer
    const response: ResponseRead = {
      ok: true,
      status,
      headers: { get: () => 'application/json' },
      text: async () => text,
    }
    return response as Response
  }

  const client = new GraphQLClient(url, {
    fetch: fetchAsJson,
    errorPolicy: 'all',
    // Documents are text; naming the operation would parse them.
    excludeOperationName: true,
    jsonSerializer: { parse: parseReply, stringify: JSON.stringify },
  })
  try {
    const { status, data, errors } = await client.rawRequest({ query, variables })
    const isGraphQl = typeof data === 'object' && !Array.isArray(data)
    return { status, data: isGraphQl ? data : undefined, errors: messagesOf(errors) }
  } catch (error) {
    if (answer === undefined) throw error
    return { status: answer.status, data: undefined, errors: [] }
  }
}

/** What may be put twice. */
const isQuery = (document: string): boolean => document.startsWith('query ')

/** An instance that slept finds its connection broken. */
const mayBeRepeated = (document: string, error: unknown): boolean =>
  isQuery(document) && error instanceof WireError && error.fault === 'unreachable'

/** What a gateway answers that does not take the key. */
const keyRefusals = [401, 403]

function createHttpAsk(upstream: Upstream, extension: Extension | undefined): Ask {
  const { url, headers, credential, timeoutMs, slowTimeoutMs = timeoutMs } = upstream
  const key = credential && extension && keptKey(credential, extension)
  const send = createTransport()
  return async ({ document, isSlow }, variables, { limitMs = Number.POSITIVE_INFINITY, isRepeat = false } = {}) => {
    const signal = AbortSignal.timeout(Math.ceil(Math.min(isSlow ? slowTimeoutMs : timeoutMs, limitMs)))
    const putWith = async (key: object) => {
      const call = { url, headers: { ...headers, ...key }, signal, send }
      try {
        return await put(document, variables, call)
      } catch (error) {
        if (isRepeat || !mayBeRepeated(document, error)) throw error
        return put(document, variables, call)
      }
    }
    if (credential === undefined || key === undefined) return putWith({})
    const current = await key.current()
    const reply = await putWith({ [credential.header]: current })
    if (!keyRefusals.includes(reply.status)) return reply
    const successor = await key.successorOf(current)
    // Who refuses a key should have passed nothing on; that a mutation was not passed on is for a broadcast to find out.
    return successor === undefined || !isQuery(document) ? reply : putWith({ [credential.header]: successor })
  }
}

/**
 * The port over HTTP. A body that is a GraphQL answer is read whatever its status and content type; any other body
 * gives a reply without data. A query is put once more when its connection broke, unless it is a repeat already, and when
 * its key was refused and there is another one now; a mutation never.
 */
export function createAsk({ node, indexer, extension }: Settings): Ask {
  const asks = { node: createHttpAsk(node, extension), indexer: indexer && createHttpAsk(indexer, extension) }
  const ask: Ask = async (operation, variables, limits) => {
    const upstream = asks[operation.upstream]
    if (upstream === undefined) throw new Error(`${operation.name}: there is no ${operation.upstream}`)
    return upstream(operation, variables, limits)
  }
  return Object.assign(keepingAnswers(ask), { hasIndexer: indexer !== undefined })
}
