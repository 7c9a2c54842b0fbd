// The questions for whole blocks of a node: the latest of its best chain, and each by itself.
import { nodeBlock } from '../../mapping/block.ts'
import { nodeQuery, tooManyBlocks } from '../../upstream/node-query.ts'
import { questionsFor } from './block-questions.ts'
import { linkedChain } from './linked-blocks.ts'

export const latestBlocks = /* @__PURE__ */ nodeQuery(
  'latestBlocks',
  '$maxLength: Int!',
  { bestChain: /* @__PURE__ */ linkedChain(nodeBlock) },
  { tooLong: tooManyBlocks },
)

export const wholeBlock = /* @__PURE__ */ questionsFor('blockByStateHash', 'blockByHeight', nodeBlock)
