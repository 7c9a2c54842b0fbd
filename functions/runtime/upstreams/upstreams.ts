// Nodes and indexer over HTTP: GraphQL questions with their key, time limit and repeat, and the chain over them.
import { GraphQLClient } from 'graphql-request'
import { createChain } from '../../../shared/chain/chain.ts'
import { lastingTime } from '../../../shared/chain/lasting-time.ts'
import type { Chain, ChainOptions } from '../../../shared/chain/port.ts'
import { memberOf, parseExactJson } from '../../../shared/mapping/exact-json.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { createLedgerScans } from '../../../shared/upstream/ledger-scans.ts'
import type { Operation } from '../../../shared/upstream/operation.ts'
import type { QueryUpstream, Reply } from '../../../shared/upstream/query.ts'
import type { Variables } from '../../../shared/upstream/wire.ts'
import { Secrets, secretsOf } from '../redaction.ts'
import type { Settings } from '../settings/settings.ts'
import type { Upstream } from '../settings/upstream-settings.ts'
import { systemClock } from '../system-clock.ts'
import { type Extension, keptKey, withKey } from './credential.ts'
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
type GraphQlCall = Omit<HttpRequest, 'method' | 'body'> & { readonly send: Transport }

/** All that graphql-request looks at in a response. */
type ResponseRead = Pick<Response, 'ok' | 'status' | 'text'> & { readonly headers: Pick<Headers, 'get'> }

const jsonHeaders = { get: () => 'application/json' }

/**
 * Sends one document. A body that is a GraphQL answer is read whatever its status and content type; any other body gives
 * a reply without data.
 *
 * @throws WireError as `Transport`
 */
async function callGraphQl(
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
    const response: ResponseRead = { ok: true, status, headers: jsonHeaders, text: async () => text }
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

/** Makes a call that ends after a time, or with the caller's signal. `AbortSignal.any` costs many times as much. */
async function ending<T>(
  milliseconds: number,
  abandoned: AbortSignal | undefined,
  call: (signal: AbortSignal) => Promise<T>,
) {
  const over = new AbortController()
  const end = () => over.abort(abandoned?.reason)
  const timer = setTimeout(() => over.abort('The operation was aborted due to timeout'), Math.ceil(milliseconds))
  if (abandoned?.aborted) end()
  abandoned?.addEventListener('abort', end)
  try {
    return await call(over.signal)
  } finally {
    clearTimeout(timer)
    abandoned?.removeEventListener('abort', end)
  }
}

/**
 * The question to one upstream, with its key and its own connections.
 *
 * @param secrets takes the key and the headers before they are sent
 */
function createQuery(upstream: Upstream, extension: Extension | undefined, secrets: Secrets): QueryUpstream {
  secrets.add(secretsOf(upstream))
  const { url, headers, credential, timeoutMs, slowTimeoutMs = timeoutMs } = upstream
  const key = credential && extension && keptKey(credential, extension)
  const [sendShared, sendApart] = [createTransport({ loadFor: url }), createTransport()]
  const ask = async (operation: Operation, variables: Variables, isRepeat: boolean, signal: AbortSignal) => {
    const { document, hasOwnConnection } = operation
    const send = hasOwnConnection ? sendApart : sendShared
    const sendOnce = async (keyHeader: Readonly<Record<string, string>>): Promise<Reply> => {
      const call = { url, headers: { ...headers, ...keyHeader }, signal, send, onFreshConnection: !isQuery(document) }
      if (!hasOwnConnection) return callGraphQl(document, variables, call)
      let answerMs = 0
      const onAnswer = (milliseconds: number) => {
        answerMs = milliseconds
      }
      return { ...(await callGraphQl(document, variables, { ...call, onAnswer })), answerMs }
    }
    const sendWith = async (keyHeader: Readonly<Record<string, string>>) => {
      secrets.add(Object.values(keyHeader))
      try {
        return await sendOnce(keyHeader)
      } catch (error) {
        if (isRepeat || signal.aborted || !mayBeRepeated(document, error)) throw error
        return sendOnce(keyHeader)
      }
    }
    return key === undefined ? sendWith({}) : withKey(key, isQuery(document), sendWith)
  }
  return (operation, variables, { limitMs = Number.POSITIVE_INFINITY, isRepeat = false, signal: abandoned } = {}) =>
    ending(Math.min(operation.isPatient ? slowTimeoutMs : timeoutMs, limitMs), abandoned, (signal) =>
      ask(operation, variables, isRepeat, signal),
    )
}

/**
 * The nodes and the indexer over HTTP, for a chain. A query is repeated once when its connection breaks, unless it is a
 * repeat already, and when its key was refused and there is a new one now; a mutation never.
 *
 * @param secrets takes every key that is sent
 */
export function portsOver(
  { node, nodes, indexer, indexerStakes = true, extension, genesisStateHash }: Settings,
  clock = systemClock,
  secrets = new Secrets(),
): ChainOptions {
  // Several nodes may answer at one address, and nothing shows whether they do.
  const all = nodes ?? [{ ...node, name: 'node', sharedAddress: true }]
  return {
    nodes: all.map((each) => ({
      name: each.name,
      sharedAddress: each.sharedAddress,
      query: createQuery(each, extension, secrets),
    })),
    indexer: indexer && createQuery(indexer, extension, secrets),
    scans: indexer && indexerStakes ? createLedgerScans(lastingTime(clock), indexer.timeoutMs) : undefined,
    clock,
    random: Math.random,
    genesisStateHash,
  }
}

/** Sends questions straight to the first node and the indexer, past the chain's rules: for the doctor. */
export function queryOver(settings: Settings): QueryUpstream {
  const { nodes, indexer } = portsOver(settings)
  return async (operation, ...question) => {
    const query = operation.upstream === 'indexer' ? indexer : nodes[0]?.query
    if (query === undefined) throw new Error(`${operation.name}: no ${operation.upstream} is configured`)
    return query(operation, ...question)
  }
}

/** The parts of a function except the parser of bodies, which not every bundle holds. */
export function portsOf(
  settings: Settings,
  clock = systemClock,
): { readonly chain: Chain; readonly secrets: Secrets } & Pick<Settings, 'lenientPayload' | 'originSecrets'> {
  const secrets = new Secrets()
  return {
    chain: createChain(portsOver(settings, clock, secrets)),
    secrets,
    ...(settings.lenientPayload && { lenientPayload: true }),
    ...(settings.originSecrets && { originSecrets: settings.originSecrets }),
  }
}
