// The question for the latest blocks of a node's best chain.
import { nodeBlock } from '../../mapping/block.ts'
import { nodeQuery, tooManyBlocks } from '../../upstream/node-query.ts'
import { linkedChain } from './linked-blocks.ts'

export const latestBlocks = nodeQuery(
  'latestBlocks',
  '$maxLength: Int!',
  { bestChain: linkedChain(nodeBlock) },
  { tooLong: tooManyBlocks },
)
