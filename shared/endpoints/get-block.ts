import { type Endpoint, notFound } from '../endpoint.ts'
import { isStateHash } from '../mapping/base58check.ts'
import { blockFromNode, nodeBlock } from '../mapping/block.ts'
import { nodeWords } from '../mapping/node-words.ts'
import { called, count, listOf, nullable, operation, shape, text } from '../mapping/wire.ts'
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

const noBlock = notFound('No blocks found for that state hash.')

/** A block this far below the tip is seldom reorganised; `canonical` may still flip until k blocks stand above it. */
const settledDepth = 10

/** GET /blocks/{state_hash}: one block of the node's frontier, forks included. */
export const getBlock: Endpoint<{ readonly stateHash: string }> = {
  name: 'getBlock',
  method: 'GET',
  path: '/blocks/{state_hash}',
  tag: 'blocks',
  summary: 'One block by its protocol state hash',
  operations: [blockByStateHash],

  input: ({ path }) => ({ stateHash: path.state_hash ?? '' }),

  async run({ stateHash }, ask) {
    if (!isStateHash(stateHash)) return noBlock
    const reply = await ask(blockByStateHash, { stateHash })
    if (reply.errors.some((message) => nodeWords(message) === 'block-not-found')) return noBlock
    const { block, bestChain, tip } = dataOf(blockByStateHash, reply)
    const canonical = listed(bestChain).some((best) => best.stateHash === stateHash)
    const tipHeight = listed(tip)[0].protocolState.consensusState.blockHeight
    const depth = tipHeight - block.protocolState.consensusState.blockHeight
    return {
      status: 200,
      body: { block: blockFromNode(block, canonical) },
      maxAgeSeconds: depth < settledDepth ? 15 : 60,
    }
  },
}
