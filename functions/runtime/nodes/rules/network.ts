// Which network a node is on. Asked once per node and instance, because a daemon is slow to answer `daemonStatus`.
import { memberOf } from '../../../../shared/mapping/json.ts'
import { operation } from '../../../../shared/upstream/operation.ts'
import { count, nullable, shape, text, type Wire } from '../../../../shared/upstream/wire.ts'
import { nodeAt, type PoolState, withNode } from './state.ts'

export const nodeGenesisQuery = operation(
  'node',
  'query',
  'nodeNetwork',
  '',
  shape({
    genesisBlock: shape({ stateHash: text }),
    daemonStatus: shape({ chainId: text, consensusConfiguration: nullable(shape({ slotDuration: count })) }),
  }),
)

/** A hard fork changes all of it. */
const longestKeptMs = 600_000

const retryAfterMs = 10_000

/** Whether the node is to be asked, again or for the first time. */
export function needsGenesis(state: PoolState, index: number, now: number): boolean {
  const { genesis, genesisAskedAt } = nodeAt(state, index)
  return now - genesisAskedAt >= (genesis === undefined ? retryAfterMs : longestKeptMs)
}

export const askedForGenesis = (state: PoolState, index: number, now: number): PoolState =>
  withNode(state, index, (node) => ({ ...node, genesisAskedAt: now }))

export const withGenesis = (
  state: PoolState,
  index: number,
  { genesisBlock, daemonStatus }: Wire<typeof nodeGenesisQuery.data>,
): PoolState =>
  withNode(state, index, (node) => ({
    ...node,
    genesis: {
      stateHash: genesisBlock.stateHash,
      chainId: daemonStatus.chainId,
      slotDurationMs: daemonStatus.consensusConfiguration?.slotDuration,
    },
  }))

/** After an answer that names another genesis than before, the node is asked again. */
export function withSeenGenesis(state: PoolState, index: number, data: unknown): PoolState {
  const seen = memberOf(memberOf(data, 'genesisBlock'), 'stateHash')
  const { genesis } = nodeAt(state, index)
  if (typeof seen !== 'string' || genesis === undefined || genesis.stateHash === seen) return state
  return withNode(state, index, (node) => ({ ...node, genesisAskedAt: Number.NEGATIVE_INFINITY }))
}

/** Whether a node is of another network than the first one, in the order of the settings, whose network is known. */
export function isOfOtherNetwork(state: PoolState, index: number): boolean {
  const known = state.nodes.find(({ genesis }) => genesis !== undefined)?.genesis
  const { genesis } = nodeAt(state, index)
  return genesis !== undefined && (genesis.stateHash !== known?.stateHash || genesis.chainId !== known.chainId)
}

/** Length of a slot in milliseconds, as this node has it, or else another; undefined while none has reported it. */
export const slotDurationOf = (state: PoolState, index: number): number | undefined =>
  nodeAt(state, index).genesis?.slotDurationMs ??
  state.nodes.find(({ genesis }) => genesis?.slotDurationMs !== undefined)?.genesis?.slotDurationMs
