// A block outside the node's frontier, from the indexer.
import type { Block } from '../contract/block.ts'
import type { Exact } from '../mapping/json.ts'
import { WireError } from '../upstream/errors.ts'
import { nodeQuery } from '../upstream/node-query.ts'
import { operation } from '../upstream/operation.ts'
import type { EndpointContext } from '../upstream/query.ts'
import { dataOf, labelOfReply } from '../upstream/reply.ts'
import { called, count, isoInstant, nullable, shape, text, type Wire } from '../upstream/wire.ts'
import { attempt, type Indexed, type Missing, queryIndexer } from './indexed.ts'
import { blockFromIndexer, indexerBlock } from './indexer-block.ts'

/** Which chain the node is on, since a hard fork starts a new one, and how deep a block must be to be final. */
const nodeGenesis = nodeQuery('nodeGenesis', '', {
  daemonStatus: shape({ consensusConfiguration: nullable(shape({ k: count })) }),
  genesisBlock: shape({ stateHash: text }),
})

/** Whether the indexer has the block, and when it received it. */
export const receivedTimeOf = operation(
  'indexer',
  'query',
  'receivedTimeOf',
  '$stateHash: String!',
  shape({
    block: called(
      'block(query: {stateHash: $stateHash})',
      nullable(shape({ receivedTime: isoInstant, stateHash: text })),
      (block, asked) => block === null || block.stateHash === asked.stateHash,
    ),
    tip: called('block', nullable(shape({ blockHeight: count }))),
  }),
)

const indexedBlock = operation(
  'indexer',
  'query',
  'indexedBlock',
  '$stateHash: String!',
  shape({
    block: called(
      'block(query: {stateHash: $stateHash})',
      nullable(indexerBlock),
      (block, asked) => block === null || block.stateHash === asked.stateHash,
    ),
    tip: called('block', nullable(shape({ blockHeight: count, genesisStateHash: text }))),
  }),
)

export const oldBlockOperations = [nodeGenesis, receivedTimeOf, indexedBlock]

/** A block of the contract with its depth below the indexer's tip, or that there is none. */
export type OldBlock =
  | {
      readonly state: 'found'
      readonly block: Exact<Block>
      readonly depth: number
      /** Whether it is below both tips by the network's k, so that neither the block nor `canonical` can change. */
      readonly isFinal: boolean
    }
  | {
      readonly state: 'none'
      /** For the log only. */
      readonly note?: string
    }

/** The node does not hold the block and the indexer does not answer for it: nothing shows whether there is one. */
const undecided = ({ fault, reason }: Missing): WireError =>
  new WireError(fault === 'mismatched' ? fault : 'busy', `not in the frontier; ${reason}`)

/**
 * A block that the node does not hold.
 *
 * @param received what the indexer answered to `receivedTimeOf`
 * @throws WireError when the indexer gives no answer, another block, or one that cannot be read
 */
export async function findOldBlock(
  stateHash: string,
  received: Indexed<Wire<typeof receivedTimeOf.data>>,
  context: EndpointContext,
): Promise<OldBlock> {
  if (received.state === 'missing') throw undecided(received)
  if (received.state === 'unconfigured') return { state: 'none' }
  if (received.value.tip === null) throw new WireError('busy', 'not in the frontier; the indexer has no block yet')
  if (received.value.block === null) return { state: 'none' }

  const [genesis, answer] = await Promise.all([
    context.query(nodeGenesis, {}),
    queryIndexer(context, indexedBlock, { stateHash }),
  ])
  if (answer.state === 'missing') throw undecided(answer)
  if (answer.state === 'unconfigured') return { state: 'none' }
  const { block, tip } = answer.value
  if (tip === null) throw new WireError('busy', 'indexedBlock: the indexer has no tip')
  if (block === null) return { state: 'none' }
  const { daemonStatus, genesisBlock } = dataOf(nodeGenesis, {}, genesis)
  if (tip.genesisStateHash !== genesisBlock.stateHash) {
    return { state: 'none', note: `the indexer is on another chain, of genesis ${tip.genesisStateHash}` }
  }
  const mapped = await attempt(async () => blockFromIndexer(block))
  if (mapped.state === 'missing') throw undecided(mapped)
  const height = block.protocolState.consensusState.blockHeight
  const k = daemonStatus.consensusConfiguration?.k ?? Number.POSITIVE_INFINITY
  const lowerTip = Math.min(tip.blockHeight, labelOfReply(genesis)?.height ?? 0)
  return { state: 'found', block: mapped.value, depth: tip.blockHeight - height, isFinal: lowerTip - height >= k }
}
