import { blockName } from '../chain/actions/block-questions.ts'
import { blockAtHeightQuery } from '../chain/actions/find-block.ts'
import { chainEndQuery, findBlockAtHeight } from '../chain/actions/find-block-at-height.ts'
import { wholeBlock } from '../chain/actions/latest-blocks.ts'
import type { getBlockAtHeightContract } from '../contract/endpoints/get-block-at-height.ts'
import { canonicalNumberFrom, heightForm } from '../contract/forms.ts'
import type { Failure } from '../http/answer.ts'
import { failureCaching, notFoundCaching } from '../http/answer-headers.ts'
import { lookupsAtHeight } from '../indexer/block-lookups.ts'
import { oldBlockAtHeightOperations } from '../indexer/old-block-questions.ts'
import { nodeTipQuery } from '../upstream/node-query.ts'
import { everyForm } from '../upstream/operation.ts'
import { blockAnswer, blockCaching, currentVersionOf } from './block-answer.ts'
import type { Endpoint } from './endpoint.ts'

const noBlock = {
  status: 404,
  body: { message: 'No block found at that height.' },
  caching: notFoundCaching,
} as const satisfies Failure

const { byHeight, byStateHash } = wholeBlock

/** GET /blocks/height/{height}: the canonical block at a height, from the node's frontier or from the indexer. */
export const getBlockAtHeight: Endpoint<typeof getBlockAtHeightContract, { readonly height: number }> = {
  name: 'getBlockAtHeight',
  method: 'GET',
  path: '/blocks/height/{height}',
  tag: 'blocks',
  summary: 'The canonical block at a height',
  caching: { 200: blockCaching, 404: { missing: notFoundCaching }, '5xx': { failure: failureCaching } },
  operations: everyForm([
    ...[byHeight, byStateHash, blockName.byHeight, blockName.byStateHash],
    ...[nodeTipQuery, chainEndQuery, blockAtHeightQuery],
    ...oldBlockAtHeightOperations,
  ]),
  identifier: { parameter: 'height', forms: [heightForm], unknown: noBlock },

  input({ path }) {
    const height = canonicalNumberFrom(path.height ?? '', heightForm)
    return height === undefined ? undefined : { height }
  },

  async currentVersion({ height }, chain) {
    return currentVersionOf(() => findBlockAtHeight(chain, height, blockName), chain)
  },

  async run({ height }, chain) {
    const lookups = lookupsAtHeight(height, chain)
    const found = await findBlockAtHeight(chain, height, wholeBlock)
    const isAboveTip = found.state === 'not-held' && found.tip.height < height
    return isAboveTip ? noBlock : blockAnswer(found, lookups, chain, noBlock)
  },
}
