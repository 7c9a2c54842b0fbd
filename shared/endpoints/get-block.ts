import { blockName } from '../chain/actions/block-questions.ts'
import { blockAtHeightQuery, findBlock } from '../chain/actions/find-block.ts'
import { wholeBlock } from '../chain/actions/latest-blocks.ts'
import type { getBlockContract } from '../contract/endpoints/get-block.ts'
import { stateHashForm } from '../contract/forms.ts'
import type { Failure } from '../http/answer.ts'
import { failureCaching, notFoundCaching } from '../http/answer-headers.ts'
import { lookupsByHash } from '../indexer/block-lookups.ts'
import { oldBlockOperations } from '../indexer/old-block-questions.ts'
import { isStateHash } from '../mapping/base58check.ts'
import { nodeTipQuery } from '../upstream/node-query.ts'
import { everyForm } from '../upstream/operation.ts'
import { blockAnswer, blockCaching, currentVersionOf } from './block-answer.ts'
import type { Endpoint } from './endpoint.ts'

const noBlock = {
  status: 404,
  body: { message: 'No blocks found for that state hash.' },
  caching: notFoundCaching,
} as const satisfies Failure

/** GET /blocks/{state_hash}: a block of the node's frontier, forks included, or an old one from the indexer. */
export const getBlock: Endpoint<typeof getBlockContract, { readonly stateHash: string }> = {
  name: 'getBlock',
  method: 'GET',
  path: '/blocks/{state_hash}',
  tag: 'blocks',
  summary: 'One block by its protocol state hash',
  caching: { 200: blockCaching, 404: { missing: notFoundCaching }, '5xx': { failure: failureCaching } },
  operations: everyForm([
    ...[wholeBlock.byStateHash, blockName.byStateHash, nodeTipQuery, blockAtHeightQuery],
    ...oldBlockOperations,
  ]),
  identifier: { parameter: 'state_hash', forms: [stateHashForm], unknown: noBlock },

  input: ({ path: { state_hash } }) => (isStateHash(state_hash) ? { stateHash: state_hash } : undefined),

  async currentVersion({ stateHash }, chain) {
    return currentVersionOf(() => findBlock(chain, stateHash, blockName.byStateHash), chain)
  },

  async run({ stateHash }, chain) {
    const lookups = lookupsByHash(stateHash, chain)
    return blockAnswer(await findBlock(chain, stateHash, wholeBlock.byStateHash), lookups, chain, noBlock)
  },
}
