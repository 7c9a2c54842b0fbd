// The upstreams over HTTP: each question goes to its node or indexer, with key, time limit and repeat.
import { createChain } from '../../../shared/chain/chain.ts'
import type { ChainOptions, Clock } from '../../../shared/chain/outside.ts'
import type { Chain } from '../../../shared/chain/port.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { createLedgerScans } from '../../../shared/upstream/ledger-scans.ts'
import type { QueryUpstream, Reply } from '../../../shared/upstream/query.ts'
import type { Settings } from '../settings/settings.ts'
import type { Upstream } from '../settings/upstream-settings.ts'
import { type Extension, keptKey } from './credential.ts'
import { callGraphQl } from './graphql.ts'
import { createTransport } from './transport.ts'

/** A query may be sent twice, a mutation never. */
const isQuery = (document: string): boolean => document.startsWith('query ')

/** An instance that was frozen finds its connections broken. */
const mayBeRepeated = (document: string, error: unknown): boolean =>
  isQuery(document) && error instanceof WireError && error.fault === 'unreachable'

/** How a gateway refuses a key. */
const keyRefusals = [401, 403]

/** The question to one upstream, with its key and its own connections. */
function createQuery(upstream: Upstream, extension: Extension | undefined): QueryUpstream {
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

/** The time of this machine. */
export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds)
    return () => clearTimeout(timer)
  },
}

/**
 * The nodes and the indexer over HTTP, for a chain. A query is repeated once when its connection breaks, unless it is a
 * repeat already, and when its key was refused and there is a new one now; a mutation never.
 */
export function portsOver(
  { node, nodes, indexer, indexerStakes = true, extension, genesisStateHash }: Settings,
  clock = systemClock,
): ChainOptions {
  // Several nodes may answer at one address, and nothing shows whether they do.
  const all = nodes ?? [{ ...node, name: 'node', sharedAddress: true }]
  return {
    nodes: all.map((each) => ({
      name: each.name,
      sharedAddress: each.sharedAddress,
      query: createQuery(each, extension),
    })),
    indexer: indexer && createQuery(indexer, extension),
    scans: indexer && indexerStakes ? createLedgerScans(clock.now, indexer.timeoutMs) : undefined,
    clock,
    random: Math.random,
    genesisStateHash,
  }
}

/** Questions to the first node and to the indexer, as they are: for those who examine them. */
export function queryOver(settings: Settings): QueryUpstream {
  const { nodes, indexer } = portsOver(settings)
  return async (operation, ...question) => {
    const query = operation.upstream === 'indexer' ? indexer : nodes[0]?.query
    if (query === undefined) throw new Error(`${operation.name}: there is no ${operation.upstream}`)
    return query(operation, ...question)
  }
}

/** What a function is set up with, all but the parser of bodies, which not every bundle holds. */
export const portsOf = (
  settings: Settings,
): { readonly chain: Chain; readonly originSecrets: Settings['originSecrets'] } => ({
  chain: createChain(portsOver(settings)),
  originSecrets: settings.originSecrets,
})
