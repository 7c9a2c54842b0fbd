// GraphQL over HTTP: what is sent, what counts as its answer, and a question with its key, time limit and repeat.
import { GraphQLClient } from 'graphql-request'
import { memberOf, parseExactJson } from '../../../shared/mapping/json.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { QueryUpstream, Reply } from '../../../shared/upstream/query.ts'
import type { Upstream } from '../settings/upstream-settings.ts'
import { type Extension, keptKey } from './credential.ts'
import { createTransport, type HttpAnswer, type HttpRequest, type Transport } from './transport.ts'

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

/** The JSON of a reply. Some servers send `errors: null` beside good data, which graphql-request takes for an error. */
function parseReply(text: string): unknown {
  const reply = parseExactJson(text)
  if (memberOf(reply, 'errors') === null) Reflect.deleteProperty(Object(reply), 'errors')
  return reply
}

/** Where and how a document is sent. */
export interface GraphQlCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** As in `HttpRequest`. */
  readonly onFreshConnection?: boolean
  /** Ends the call and its connection. */
  readonly signal: AbortSignal
  readonly send: Transport
  /** As in `HttpRequest`. */
  readonly onAnswer?: HttpRequest['onAnswer']
}

/** All that graphql-request looks at in a response. */
type ResponseRead = Pick<Response, 'ok' | 'status' | 'text'> & { readonly headers: Pick<Headers, 'get'> }

/**
 * Sends one document. A body that is a GraphQL answer is read whatever its status and content type; any other body gives
 * a reply without data.
 *
 * @throws WireError as `Transport`
 */
export async function callGraphQl(
  query: string,
  variables: object,
  { url, headers, send, ...terms }: GraphQlCall,
): Promise<Reply> {
  let answer: HttpAnswer | undefined

  /** graphql-request takes data only from what is OK and called JSON; a daemon names no content type. */
  const fetchAsJson = async (_url: unknown, { headers: own, body }: RequestInit = {}): Promise<Response> => {
    const all = { ...Object.fromEntries(own as Headers), ...headers }
    answer = await send({ url, method: 'POST', headers: all, body: String(body), ...terms })
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

/** A query may be sent twice, a mutation never. */
const isQuery = (document: string): boolean => document.startsWith('query ')

/** An instance that was frozen finds its connections broken. */
const mayBeRepeated = (document: string, error: unknown): boolean =>
  isQuery(document) && error instanceof WireError && error.fault === 'unreachable'

/** The statuses with which a gateway refuses a key. */
const keyRefusals = [401, 403]

/** The question to one upstream, with its key and its own connections. */
export function createQuery(upstream: Upstream, extension: Extension | undefined): QueryUpstream {
  const { url, headers, credential, timeoutMs, slowTimeoutMs = timeoutMs } = upstream
  const key = credential && extension && keptKey(credential, extension)
  const [sendShared, sendApart] = [createTransport({ loadFor: url }), createTransport()]
  return async ({ document, isPatient, hasOwnConnection }, variables, limits = {}) => {
    const send = hasOwnConnection ? sendApart : sendShared
    const { limitMs = Number.POSITIVE_INFINITY, isRepeat = false, signal: abandoned } = limits
    const timeout = AbortSignal.timeout(Math.ceil(Math.min(isPatient ? slowTimeoutMs : timeoutMs, limitMs)))
    const signal = abandoned === undefined ? timeout : AbortSignal.any([timeout, abandoned])
    const sendOnce = async (keyHeader: object): Promise<Reply> => {
      const call = { url, headers: { ...headers, ...keyHeader }, signal, send, onFreshConnection: !isQuery(document) }
      if (!hasOwnConnection) return callGraphQl(document, variables, call)
      let answerMs = 0
      const onAnswer = (milliseconds: number) => {
        answerMs = milliseconds
      }
      return { ...(await callGraphQl(document, variables, { ...call, onAnswer })), answerMs }
    }
    const sendWith = async (keyHeader: object) => {
      try {
        return await sendOnce(keyHeader)
      } catch (error) {
        if (isRepeat || signal.aborted || !mayBeRepeated(document, error)) throw error
        return sendOnce(keyHeader)
      }
    }
    if (credential === undefined || key === undefined) return sendWith({})
    const current = await key.current()
    const reply = await sendWith({ [credential.header]: current })
    if (!keyRefusals.includes(reply.status)) return reply
    const successor = await key.successorOf(current)
    // A gateway that refuses the key should have passed nothing on; whether a mutation was, the broadcast finds out.
    return successor === undefined || !isQuery(document) ? reply : sendWith({ [credential.header]: successor })
  }
}
