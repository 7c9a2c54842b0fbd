// The question for the latest blocks of a node's best chain.
import { nodeBlock } from '../../mapping/block.ts'
import { nodeQuery, tooManyBlocks } from '../../upstream/node-query.ts'
import { called, listOf, nullable } from '../../upstream/wire.ts'
import { isLinked } from './linked-blocks.ts'

/** The latest blocks, oldest first. */
export const latestBlocks = nodeQuery(
  'latestBlocks',
  '$maxLength: Int!',
  {
    bestChain: called(
      'bestChain(maxLength: $maxLength)',
      nullable(listOf(nodeBlock)),
      (blocks, { maxLength }) => blocks === null || (blocks.length <= Number(maxLength) && isLinked(blocks)),
    ),
  },
  { tooLong: tooManyBlocks },
)
