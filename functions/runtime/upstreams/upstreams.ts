// The upstreams as endpoints see them: each question goes to its node or indexer, with key, time limit and repeat.
import { WireError } from '../../../shared/upstream/errors.ts'
import { createLedgerScans, type LedgerScans } from '../../../shared/upstream/ledger-scans.ts'
import { labelling } from '../../../shared/upstream/node-query.ts'
import type { Configured, NodePort, QueryUpstream, Reply } from '../../../shared/upstream/query.ts'
import type { Clock } from '../nodes/clock.ts'
import { createPool } from '../nodes/pool.ts'
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

/** The upstreams as endpoints are handed them. */
export interface Upstreams {
  readonly query: QueryUpstream
  /** For broadcasts, best first now. */
  readonly nodes: readonly NodePort[]
  readonly configured: Configured
  /** Absent where no staking ledger is to be asked for. */
  readonly scans?: LedgerScans
  /** Whether a question to the node may take several calls, which its `watch` is notified of. */
  readonly hasSeveralNodes?: boolean
  /** Whether reads are to spare the nodes now, since all say that they are busy. */
  areBusy?(): boolean
}

/**
 * The upstreams over HTTP. A query is repeated once when its connection breaks, unless it is a repeat already, and when
 * its key was refused and there is a new one now; a mutation never.
 *
 * @param clock by which nodes are judged
 */
export function createUpstreams(
  { node, nodes, indexer, indexerStakes = true, extension }: Settings,
  clock?: Clock,
): Upstreams {
  // Several nodes may answer at one address, and nothing shows whether they do.
  const all = nodes ?? [{ ...node, name: 'node', sharedAddress: true }]
  const ports = all.map((each) => ({
    name: each.name,
    sharedAddress: each.sharedAddress,
    query: createQuery(each, extension),
  }))
  const pool = createPool(ports, clock)
  // With several nodes the pool labels each answer by the node that gave it.
  const queryNode = ports.length === 1 ? labelling(pool.query) : pool.query
  const queries = { node: queryNode, indexer: indexer && createQuery(indexer, extension) }
  const query: QueryUpstream = async (operation, variables, limits) => {
    const queryOne = queries[operation.upstream]
    if (queryOne === undefined) throw new Error(`${operation.name}: there is no ${operation.upstream}`)
    return queryOne(operation, variables, limits)
  }
  return {
    query,
    get nodes() {
      return pool.portsForBroadcast()
    },
    configured: { indexer: indexer !== undefined },
    ...(indexer !== undefined && indexerStakes && { scans: createLedgerScans(Date.now, indexer.timeoutMs) }),
    ...(ports.length > 1 && { hasSeveralNodes: true }),
    areBusy: pool.areBusy,
  }
}
