import { briefOutageSeconds, incompleteMaxAgeSeconds, notFoundCaching } from '../agreements/caching.ts'
import type { Block, BlockResponse } from '../contract/block.ts'
import { attempt, type Missing, type MissingFields, queryIndexer, withMissingFields } from '../indexer/indexed.ts'
import { blockFromIndexer, indexerBlock } from '../indexer/indexer-block.ts'
import { isStateHash } from '../mapping/base58check.ts'
import { bestTip } from '../mapping/best-chain.ts'
import { blockFromNode, nodeBlock } from '../mapping/block.ts'
import { type Exact, memberOf } from '../mapping/json.ts'
import { WireError } from '../upstream/errors.ts'
import { missingBlock } from '../upstream/node-errors.ts'
import { operation } from '../upstream/operation.ts'
import type { EndpointContext, Reply } from '../upstream/query.ts'
import { dataOf, nonEmptyChain } from '../upstream/reply.ts'
import { called, count, isoInstant, listOf, nullable, shape, text } from '../upstream/wire.ts'
import type { Answer, Endpoint, Failure, Success } from './endpoint.ts'

/** More blocks than any frontier holds (k is 290 on mainnet): the whole best chain that the node knows, root included. */
const wholeFrontier = 10_000

const blockByStateHash = operation(
  'node',
  'query',
  'blockByStateHash',
  '$stateHash: String!',
  shape({
    block: called('block(stateHash: $stateHash)', nodeBlock, (block, asked) => block.stateHash === asked.stateHash),
    bestChain: called(`bestChain(maxLength: ${wholeFrontier})`, nullable(listOf(shape({ stateHash: text })))),
    tip: bestTip(shape({ protocolState: shape({ consensusState: shape({ blockHeight: count }) }) })),
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

/** A block this far below the tip is seldom reorganised; `canonical` may still flip until it is k blocks deep. */
const settledDepth = 10

const caching = {
  recent: {
    maxAgeSeconds: 15,
    staleIfErrorSeconds: briefOutageSeconds,
    when: `the block is less than ${settledDepth} below the tip`,
  },
  settled: {
    maxAgeSeconds: 60,
    staleIfErrorSeconds: briefOutageSeconds,
    when: `it is ${settledDepth} or more below the tip`,
  },
  incomplete: {
    maxAgeSeconds: incompleteMaxAgeSeconds,
    staleIfErrorSeconds: briefOutageSeconds,
    when: 'fields are missing',
  },
}

const noBlock: Failure = {
  status: 404,
  body: { message: 'No blocks found for that state hash.' },
  caching: notFoundCaching,
}

const found = (block: Exact<Block>, depth: number): Success<BlockResponse> => ({
  status: 200,
  body: { block },
  caching: depth < settledDepth ? caching.recent : caching.settled,
})

/** The node does not hold the block and the indexer does not answer for it: nothing shows whether there is one. */
const undecided = ({ fault, reason }: Missing): WireError =>
  new WireError(fault === 'mismatched' ? fault : 'busy', `not in the frontier; ${reason}`)

/**
 * A block outside the node's frontier, from the indexer.
 *
 * @throws WireError when the indexer gives no answer, another block, or one that cannot be read
 */
async function oldBlock(stateHash: string, context: EndpointContext): Promise<Answer<BlockResponse>> {
  const [genesis, answer] = await Promise.all([
    context.query(nodeGenesis, {}),
    queryIndexer(context, indexedBlock, { stateHash }),
  ])
  if (answer.state === 'unconfigured') return noBlock
  if (answer.state === 'missing') throw undecided(answer)
  const { block, tip } = answer.value
  if (tip === null) throw new WireError('busy', 'indexedBlock: the indexer has no tip')
  if (block === null) return noBlock
  if (tip.genesisStateHash !== dataOf(nodeGenesis, {}, genesis).genesisBlock.stateHash) {
    return { ...noBlock, note: `the indexer is on another chain, of genesis ${tip.genesisStateHash}` }
  }
  const mapped = await attempt(async () => blockFromIndexer(block))
  if (mapped.state === 'missing') throw undecided(mapped)
  return found(mapped.value, tip.blockHeight - block.protocolState.consensusState.blockHeight)
}

/** Whether the node says of this very block, and of nothing else, that its frontier does not hold it. */
const isNotHeld = ({ data, errors }: Reply, stateHash: string): boolean =>
  errors.length > 0 &&
  errors.every((message) => missingBlock(message) === stateHash) &&
  (memberOf(data, 'block') ?? null) === null

/** GET /blocks/{state_hash}: a block of the node's frontier, forks included, or an old one from the indexer. */
export const getBlock: Endpoint<'getBlock', { readonly stateHash: string }> = {
  name: 'getBlock',
  method: 'GET',
  path: '/blocks/{state_hash}',
  tag: 'blocks',
  summary: 'One block by its protocol state hash',
  caching: { 200: caching, 404: { missing: notFoundCaching } },
  operations: [blockByStateHash, nodeGenesis, receivedTimeOf, indexedBlock],

  input: ({ path }) => ({ stateHash: path.state_hash ?? '' }),

  async run({ stateHash }, context) {
    if (!isStateHash(stateHash)) return noBlock
    const [reply, received] = await Promise.all([
      context.query(blockByStateHash, { stateHash }),
      queryIndexer(context, receivedTimeOf, { stateHash }),
    ])
    if (isNotHeld(reply, stateHash)) {
      if (received.state === 'missing') throw undecided(received)
      if (received.state === 'unconfigured') return noBlock
      if (received.value.tip === null) throw new WireError('busy', 'not in the frontier; the indexer has no block yet')
      return received.value.block === null ? noBlock : oldBlock(stateHash, context)
    }
    const { block, bestChain, tip } = dataOf(blockByStateHash, { stateHash }, reply)
    const canonical = nonEmptyChain(bestChain).some((best) => best.stateHash === stateHash)
    const tipHeight = nonEmptyChain(tip)[0].protocolState.consensusState.blockHeight
    const receivedAt = received.state === 'known' ? received.value.block?.receivedTime : undefined
    const reason = received.state === 'missing' ? received.reason : 'the indexer does not have the block'
    const missing: readonly MissingFields[] =
      receivedAt !== undefined || received.state === 'unconfigured' ? [] : [{ fields: ['receivedTime'], reason }]
    const depth = tipHeight - block.protocolState.consensusState.blockHeight
    return withMissingFields(found(blockFromNode(block, canonical, receivedAt), depth), missing, caching.incomplete)
  },
}
