import { canonicalityQuestions, wholeBlockQuestions } from '../chain/actions/block-questions.ts'
import { blockAtHeightQuery } from '../chain/actions/find-block.ts'
import { chainEndQuery, findBlockAtHeight } from '../chain/actions/find-block-at-height.ts'
import type { getBlockAtHeightContract } from '../contract/endpoints/get-block-at-height.ts'
import { canonicalNumberFrom, heightForm } from '../contract/forms.ts'
import type { Failure } from '../http/answer.ts'
import { failureCaching, notFoundCaching } from '../http/answer-headers.ts'
import { startLookupsAtHeight } from '../indexer/block-lookups.ts'
import { oldBlockAtHeightOperations } from '../indexer/old-block-questions.ts'
import { nodeTipQuery } from '../upstream/node-query.ts'
import { withTipForms } from '../upstream/operation.ts'
import { blockAnswer, blockCaching, currentVersionOf } from './block-answer.ts'
import type { Endpoint } from './endpoint.ts'

const blockNotFound = {
  status: 404,
  body: { message: 'No block found at that height.' },
  caching: notFoundCaching,
} as const satisfies Failure

const { byHeight, byStateHash } = wholeBlockQuestions

/** GET /blocks/height/{height}: the canonical block at a height, from the node's frontier or from the indexer. */
export const getBlockAtHeight: Endpoint<typeof getBlockAtHeightContract, { readonly height: number }> = {
  name: 'getBlockAtHeight',
  method: 'GET',
  path: '/blocks/height/{height}',
  tag: 'blocks',
  summary: 'The canonical block at a height',
  caching: { 200: blockCaching, 404: { missing: notFoundCaching }, '5xx': { failure: failureCaching } },
  operations: withTipForms([
    byHeight,
    byStateHash,
    canonicalityQuestions.byHeight,
    canonicalityQuestions.byStateHash,
    nodeTipQuery,
    chainEndQuery,
    blockAtHeightQuery,
    ...oldBlockAtHeightOperations,
  ]),
  identifier: { parameter: 'height', forms: [heightForm], unknown: blockNotFound },

  input({ path }) {
    const height = canonicalNumberFrom(path.height ?? '', heightForm)
    return height === undefined ? undefined : { height }
  },

  async currentVersion({ height }, chain) {
    return currentVersionOf(() => findBlockAtHeight(chain, height, canonicalityQuestions), chain)
  },

  async run({ height }, chain) {
    const lookups = startLookupsAtHeight(height, chain)
    const found = await findBlockAtHeight(chain, height, wholeBlockQuestions)
    const isAboveTip = found.state === 'not-held' && found.tip.height < height
    return isAboveTip ? blockNotFound : blockAnswer(found, lookups, chain, blockNotFound)
  },
}
