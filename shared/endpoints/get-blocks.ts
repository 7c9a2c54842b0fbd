import type { Endpoint } from '../endpoint.ts'
import { blockFromNode, nodeBlock } from '../mapping/block.ts'
import { called, listOf, nullable, operation, shape } from '../mapping/wire.ts'
import { dataOf, listed } from '../reply.ts'

const mostBlocks = 10

const latestBlocks = operation(
  'node',
  'query',
  'latestBlocks',
  '$maxLength: Int!',
  shape({ bestChain: called('bestChain(maxLength: $maxLength)', nullable(listOf(nodeBlock))) }),
)

/** GET /blocks: the latest blocks of the best chain, newest first. Contract gap: the option is called `limit`. */
export const getBlocks: Endpoint<{ readonly limit: number }> = {
  name: 'getBlocks',
  method: 'GET',
  path: '/blocks',
  tag: 'blocks',
  summary: 'Latest blocks on the canonical chain, newest first',
  operations: [latestBlocks],

  faults: ({ query: { limit } }) =>
    limit === undefined || /^0*[1-9][0-9]*$/.test(limit)
      ? []
      : [{ at: 'limit', problem: 'must be a whole number of at least 1, given once' }],

  input({ query }) {
    const limit = BigInt(query.limit ?? 1)
    return { limit: limit < mostBlocks ? Number(limit) : mostBlocks }
  },

  async run({ limit }, ask) {
    const { bestChain } = dataOf(latestBlocks, await ask(latestBlocks, { maxLength: limit }))
    const blocks = listed(bestChain)
      .map((block) => blockFromNode(block, true))
      .reverse()
    return { status: 200, body: { blocks }, maxAgeSeconds: 5 }
  },
}
