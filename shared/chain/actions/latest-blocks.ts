// The question for the latest blocks of a node's best chain, whole.
import { nodeBlock } from '../../mapping/block.ts'
import { nodeQuery, tooManyBlocks } from '../../upstream/node-query.ts'
import { linkedChain } from './linked-blocks.ts'

export const latestBlocks = /* @__PURE__ */ nodeQuery(
  'latestBlocks',
  '$maxLength: Int!',
  { bestChain: /* @__PURE__ */ linkedChain(nodeBlock) },
  { tooLong: tooManyBlocks },
)
