import { type Answer, type Ask, briefOutageSeconds, type Endpoint, notFound } from '../endpoint.ts'
import { WireError } from '../errors.ts'
import { askIndexer, type Lack, lacking } from '../indexer.ts'
import { isStateHash } from '../mapping/base58check.ts'
import { blockFromNode, nodeBlock } from '../mapping/block.ts'
import { blockFromIndexer, indexerBlock } from '../mapping/indexer-block.ts'
import { frontierWords } from '../mapping/node-words.ts'
import { called, count, isoInstant, listOf, nullable, operation, shape, text } from '../mapping/wire.ts'
import { dataOf, listed } from '../reply.ts'

/** More blocks than any frontier holds (k is 290 on mainnet): the whole best chain that the node knows, root included. */
const wholeFrontier = 10_000

const blockByStateHash = operation(
  'node',
  'query',
  'blockByStateHash',
  '$stateHash: String!',
  shape({
    block: called('block(stateHash: $stateHash)', nodeBlock),
    bestChain: called(`bestChain(maxLength: ${wholeFrontier})`, nullable(listOf(shape({ stateHash: text })))),
    tip: called(
      'bestChain(maxLength: 1)',
      nullable(listOf(shape({ protocolState: shape({ consensusState: shape({ blockHeight: count }) }) }))),
    ),
  }),
)

/** Which chain the node is on; a hard fork starts a new one. */
const nodeGenesis = operation('node', 'query', 'nodeGenesis', '', shape({ genesisBlock: shape({ stateHash: text }) }))

const receivedTimeOf = operation(
  'indexer',
  'query',
  'receivedTimeOf',
  '$stateHash: String!',
  shape({
    block: called('block(query: {stateHash: $stateHash})', nullable(shape({ receivedTime: isoInstant }))),
    tip: called('block', nullable(shape({ blockHeight: count }))),
  }),
)

const indexedBlock = operation(
  'indexer',
  'query',
  'indexedBlock',
  '$stateHash: String!',
  shape({
    block: called('block(query: {stateHash: $stateHash})', nullable(indexerBlock)),
    tip: called('block', nullable(shape({ blockHeight: count, genesisStateHash: text }))),
  }),
)

const noBlock = notFound('No blocks found for that state hash.')

/** A block this far below the tip is seldom reorganised; `canonical` may still flip until k blocks stand above it. */
const settledDepth = 10

const found = (block: object, depth: number): Answer => ({
  status: 200,
  body: { block },
  maxAgeSeconds: depth < settledDepth ? 15 : 60,
  staleIfErrorSeconds: briefOutageSeconds,
})

/**
 * A block outside the node's frontier, from the indexer.
 *
 * @throws WireError when the indexer does not say: then nobody knows whether there is such a block
 */
async function oldBlock(stateHash: string, ask: Ask): Promise<Answer> {
  const [genesis, indexed] = await Promise.all([ask(nodeGenesis, {}), askIndexer(ask, indexedBlock, { stateHash })])
  if (indexed.state === 'unconfigured') return noBlock
  if (indexed.state === 'missing') throw new WireError('busy', indexed.reason)
  const { block, tip } = indexed.value
  if (block === null) return noBlock
  if (tip === null) throw new WireError('busy', 'indexedBlock: a block, and no tip')
  if (block.stateHash !== stateHash) throw new WireError('busy', 'indexedBlock: another block than the asked-for one')
  if (tip.genesisStateHash !== dataOf(nodeGenesis, genesis).genesisBlock.stateHash) {
    return { ...noBlock, note: `the indexer is on another chain, of genesis ${tip.genesisStateHash}` }
  }
  return found(blockFromIndexer(block), tip.blockHeight - block.protocolState.consensusState.blockHeight)
}

/** GET /blocks/{state_hash}: a block of the node's frontier, forks included, or an old one from the indexer. */
export const getBlock: Endpoint<{ readonly stateHash: string }> = {
  name: 'getBlock',
  method: 'GET',
  path: '/blocks/{state_hash}',
  tag: 'blocks',
  summary: 'One block by its protocol state hash',
  operations: [blockByStateHash, nodeGenesis, receivedTimeOf, indexedBlock],

  input: ({ path }) => ({ stateHash: path.state_hash ?? '' }),

  async run({ stateHash }, ask) {
    if (!isStateHash(stateHash)) return noBlock
    const [reply, indexed] = await Promise.all([
      ask(blockByStateHash, { stateHash }),
      askIndexer(ask, receivedTimeOf, { stateHash }),
    ])
    if (reply.errors.some((message) => frontierWords(message) === 'block-not-found')) {
      if (indexed.state === 'missing') throw new WireError('busy', `not in the frontier; ${indexed.reason}`)
      if (indexed.state === 'unconfigured') return noBlock
      if (indexed.value.tip === null) throw new WireError('busy', 'not in the frontier; the indexer has no block yet')
      return indexed.value.block === null ? noBlock : oldBlock(stateHash, ask)
    }
    const { block, bestChain, tip } = dataOf(blockByStateHash, reply)
    const canonical = listed(bestChain).some((best) => best.stateHash === stateHash)
    const tipHeight = listed(tip)[0].protocolState.consensusState.blockHeight
    const receivedAt = indexed.state === 'known' ? indexed.value.block?.receivedTime : undefined
    const reason = indexed.state === 'missing' ? indexed.reason : 'the indexer does not have the block'
    const lacks: readonly Lack[] =
      receivedAt !== undefined || indexed.state === 'unconfigured' ? [] : [{ fields: ['receivedTime'], reason }]
    const depth = tipHeight - block.protocolState.consensusState.blockHeight
    return lacking(found(blockFromNode(block, canonical, receivedAt), depth), lacks)
  },
}
