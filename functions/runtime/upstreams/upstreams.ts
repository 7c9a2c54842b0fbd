// Nodes and indexers over HTTP: GraphQL questions with key, time limit and repeat, and the chain over them.
import { createChain } from '../../../shared/chain/chain.ts'
import { lastingTime } from '../../../shared/chain/lasting-time.ts'
import type { Chain, ChainOptions } from '../../../shared/chain/port.ts'
import type { EndpointSettings } from '../../../shared/deployment/stage-settings.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { createLedgerScans } from '../../../shared/upstream/ledger-scans.ts'
import type { Operation } from '../../../shared/upstream/operation.ts'
import type { QueryUpstream, Reply } from '../../../shared/upstream/query.ts'
import type { Variables } from '../../../shared/upstream/wire.ts'
import { Secrets, secretsOf } from '../redaction.ts'
import type { ChainSettings, Settings } from '../settings/settings.ts'
import type { Upstream } from '../settings/upstream-settings.ts'
import { systemClock } from '../system-clock.ts'
import { type Extension, keptKey, withKey } from './credential.ts'
import { createGraphQlClient } from './graphql-client.ts'
import { createTransport } from './transport.ts'

/** A query may be sent twice, a mutation never. */
const isQuery = (document: string): boolean => document.startsWith('query ')

/** An instance that was frozen finds its connections broken. */
const mayBeRepeated = (document: string, error: unknown): boolean =>
  isQuery(document) && error instanceof WireError && error.fault === 'unreachable'

/** Aborts a call after a time, or with the caller's signal. `AbortSignal.any` costs many times as much. */
async function ending<T>(
  milliseconds: number,
  abandoned: AbortSignal | undefined,
  call: (signal: AbortSignal) => Promise<T>,
) {
  const over = new AbortController()
  const end = () => over.abort(abandoned?.reason)
  const stop = systemClock.after(Math.ceil(milliseconds), () => {
    over.abort('The operation was aborted due to timeout')
  })
  if (abandoned?.aborted) end()
  abandoned?.addEventListener('abort', end)
  try {
    return await call(over.signal)
  } finally {
    stop()
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
  const sendDocument = createGraphQlClient(url)
  const [sendShared, sendApart] = [createTransport({ loadFor: url, timeoutMs }), createTransport({ timeoutMs })]
  const ask = async (operation: Operation, variables: Variables, isRepeat: boolean, signal: AbortSignal) => {
    const { document, hasOwnConnection } = operation
    const send = hasOwnConnection ? sendApart : sendShared
    const sendOnce = async (keyHeader: Readonly<Record<string, string>>): Promise<Reply> => {
      const call = { headers: { ...headers, ...keyHeader }, signal, send, onFreshConnection: !isQuery(document) }
      if (!hasOwnConnection) return sendDocument(document, variables, call)
      let answerMs = 0
      const onAnswer = (milliseconds: number) => {
        answerMs = milliseconds
      }
      return { ...(await sendDocument(document, variables, { ...call, onAnswer })), answerMs }
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
    ending(
      Math.min(operation.timeoutMs ?? (operation.isPatient ? slowTimeoutMs : timeoutMs), limitMs),
      abandoned,
      (signal) => ask(operation, variables, isRepeat, signal),
    )
}

/**
 * The nodes and the indexers over HTTP, for a chain. A query is repeated once when its connection breaks, unless it is
 * a repeat already, and once when its key was refused and has been replaced; a mutation never.
 *
 * @param secrets takes every key that is sent
 * @param createScans see `scanning-ports.ts`
 */
export function portsOver(
  { node, nodes, indexers, withoutStakes, extension, genesisStateHashes, chainIds }: ChainSettings,
  clock = systemClock,
  secrets = new Secrets(),
  createScans?: typeof createLedgerScans,
): ChainOptions {
  // Several nodes may answer at one address, and nothing shows whether they do.
  const all = nodes ?? [{ ...node, name: 'node', sharedAddress: true }]
  const [first] = indexers
  return {
    nodes: all.map((each) => ({
      name: each.name,
      sharedAddress: each.sharedAddress,
      query: createQuery(each, extension, secrets),
    })),
    indexers: indexers.map((each) => createQuery(each, extension, secrets)),
    scans: first && !withoutStakes ? createScans?.(lastingTime(clock), first.timeoutMs) : undefined,
    clock,
    random: Math.random,
    genesisStateHashes,
    chainIds,
  }
}

/** Sends questions straight to the first node and the indexer, bypassing the chain's rules: for the doctor. */
export function queryOver(settings: ChainSettings): QueryUpstream {
  const { nodes, indexers } = portsOver(settings)
  return async (operation, ...question) => {
    const query = operation.upstream === 'indexer' ? indexers?.[0] : nodes[0]?.query
    if (query === undefined) throw new Error(`${operation.name}: no ${operation.upstream} is configured`)
    return query(operation, ...question)
  }
}

/** The parts of a function except the parser of bodies, which not every bundle holds. */
export function portsOf(
  settings: Settings,
  createScans?: typeof createLedgerScans,
  clock = systemClock,
): { readonly chain: Chain; readonly secrets: Secrets } & Pick<Settings, 'originSecrets'> & {
    readonly settings: EndpointSettings
  } {
  const secrets = new Secrets()
  return {
    chain: createChain(portsOver(settings, clock, secrets, createScans)),
    secrets,
    settings: settings.ofEndpoints,
    ...(settings.originSecrets && { originSecrets: settings.originSecrets }),
  }
}
