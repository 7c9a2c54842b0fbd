// One of the three files that explain the project (see CONTRIBUTING.md). An endpoint declares its path, its caching and the questions
// that it may ask; routes, the OpenAPI document and the tests follow from that. `run` asks the chain and makes the answer.
import { canonicalityQuestions, wholeBlockQuestions } from '../chain/actions/block-questions.ts'
import { blockAtHeightQuery, findBlock } from '../chain/actions/find-block.ts'
import type { getBlockContract } from '../contract/endpoints/get-block.ts'
import { stateHashForm } from '../contract/forms.ts'
import type { Failure } from '../http/answer.ts'
import { failureCaching, notFoundCaching } from '../http/answer-headers.ts'
import { startLookupsByHash } from '../indexer/block-lookups.ts'
import { oldBlockOperations } from '../indexer/old-block-questions.ts'
import { isStateHash } from '../mapping/base58check.ts'
import { nodeTipQuery } from '../upstream/node-query.ts'
import { withTipForms } from '../upstream/operation.ts'
import { blockAnswer, blockCaching, currentVersionOf } from './block-answer.ts'
import type { Endpoint } from './endpoint.ts'

const blockNotFound = {
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
  operations: withTipForms([
    wholeBlockQuestions.byStateHash,
    canonicalityQuestions.byStateHash,
    nodeTipQuery,
    blockAtHeightQuery,
    ...oldBlockOperations,
  ]),
  identifier: { parameter: 'state_hash', forms: [stateHashForm], unknown: blockNotFound },

  input: ({ path: { state_hash } }) => (isStateHash(state_hash) ? { stateHash: state_hash } : undefined),

  async currentVersion({ stateHash }, chain) {
    return currentVersionOf(() => findBlock(chain, stateHash, canonicalityQuestions.byStateHash), chain)
  },

  async run({ stateHash }, chain) {
    // The indexers are asked while the node is: only they know when a block was received, and blocks that the node has dropped.
    const lookups = startLookupsByHash(stateHash, chain)
    const found = await findBlock(chain, stateHash, wholeBlockQuestions.byStateHash)
    return blockAnswer(found, lookups, chain, blockNotFound)
  },
}
