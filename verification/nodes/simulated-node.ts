// A node whose latency, health and tip follow a script.
import { WireError } from '../../shared/upstream/errors.ts'
import { nodeTipQuery, unlabelledNodeQuery } from '../../shared/upstream/node-query.ts'
import type { Operation } from '../../shared/upstream/operation.ts'
import type { CallLimits, NodePort, Reply } from '../../shared/upstream/query.ts'
import { called, shape, text } from '../../shared/upstream/wire.ts'
import type { VirtualTime } from './virtual-time.ts'

export const slotMs = 180_000
export const genesisHash = 'genesis'

/** A block of the simulated chain. */
export const hashOf = (height: number): string => `block${height}`

/** The question for one block. */
export const lookUpQuery = unlabelledNodeQuery('lookUp', '$stateHash: String!', {
  block: called('block(stateHash: $stateHash)', shape({ stateHash: text }), (block, asked) => {
    return block.stateHash === asked.stateHash
  }),
})

/** How a node is at some time. */
export interface Condition {
  readonly health: 'ok' | 'refusing' | 'silent' | 'error-500' | 'bootstrapping'
  readonly latencyMs: number
  readonly height: number
  /** Of the tip; milliseconds since 1970. */
  readonly tipAtMs: number
  readonly syncStatus?: string
  readonly genesis?: string
}

export interface SimulatedNode extends NodePort {
  /** Questions sent to it, those that go beside them left out. */
  calls(): number
  /** Those beside questions: labels of look-ups, and which network a node is on. */
  sideCalls(): number
  /** Calls that it never answered. */
  unanswered(): number
  /** Its connections break; the next call on one of them is repeated by itself. */
  breakConnections(): void
}

const callTimeoutMs = 8000

const answer = (data: unknown, errors: readonly string[] = []): Reply => ({ status: 200, data, errors })

function tipOf({ height, tipAtMs, syncStatus = 'SYNCED' }: Condition) {
  const protocolState = { blockchainState: { date: String(tipAtMs) }, consensusState: { blockHeight: String(height) } }
  return { bestChain: [{ stateHash: hashOf(height), protocolState }], syncStatus }
}

function replyOf(name: string, asked: Readonly<Record<string, unknown>>, condition: Condition): Reply {
  if (condition.health === 'error-500') return { status: 500, data: undefined, errors: [] }
  if (condition.health === 'bootstrapping') return answer(null, ['Daemon is bootstrapping'])
  if (name === nodeTipQuery.name) return answer(tipOf(condition))
  if (name !== lookUpQuery.name) {
    const daemonStatus = { chainId: 'chain', consensusConfiguration: { slotDuration: slotMs } }
    return answer({ genesisBlock: { stateHash: condition.genesis ?? genesisHash }, daemonStatus })
  }
  const stateHash = String(asked.stateHash)
  const height = Number(/^block(\d+)$/.exec(stateHash)?.[1] ?? Number.POSITIVE_INFINITY)
  return height <= condition.height
    ? answer({ block: { stateHash } })
    : answer(null, [`Block with state hash ${stateHash} not found in transition frontier`])
}

/**
 * @param at the condition at a time, asked once for each call
 * @param counted the operation that is counted, since others go beside it
 */
export function simulatedNode(
  name: string,
  time: VirtualTime,
  at: (now: number) => Condition,
  counted: Pick<Operation, 'name'> = nodeTipQuery,
): SimulatedNode {
  let calls = 0
  let sideCalls = 0
  let unanswered = 0
  let brokenConnections = 0

  /** Ends at once when the call is aborted, and when its time is over. */
  const passed = (milliseconds: number, { signal, limitMs = callTimeoutMs }: CallLimits): Promise<void> =>
    new Promise((resolve, reject) => {
      const allowedMs = Math.min(limitMs, callTimeoutMs)
      const isLate = milliseconds > allowedMs
      const stop = time.after(Math.min(milliseconds, allowedMs), () =>
        isLate ? reject(new WireError('timeout', 'no answer')) : resolve(),
      )
      signal?.addEventListener('abort', () => {
        stop()
        reject(new WireError('timeout', 'aborted'))
      })
    })

  return {
    name,
    sharedAddress: false,
    calls: () => calls,
    sideCalls: () => sideCalls,
    unanswered: () => unanswered,
    breakConnections() {
      brokenConnections = 1
    },
    async query(operation, variables, limits = {}) {
      const condition = at(time.now())
      const isQuestion = operation.name === counted.name
      if (isQuestion) calls++
      else sideCalls++
      if (brokenConnections > 0) {
        brokenConnections--
        await passed(1, limits)
      }
      if (condition.health === 'refusing') {
        await passed(1, limits)
        throw new WireError('unreachable', 'connection refused', { isUnsent: true })
      }
      if (condition.health === 'silent' && isQuestion) unanswered++
      await passed(condition.health === 'silent' ? Number.POSITIVE_INFINITY : condition.latencyMs, limits)
      return replyOf(operation.name, variables, condition)
    },
  }
}
