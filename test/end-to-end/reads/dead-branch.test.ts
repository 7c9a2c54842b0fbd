// Old blocks from an indexer that was left on a branch which the network has abandoned, with the genesis of the node.
import { describe, expect, test } from '@jest/globals'
import { createChain } from '../../../local/chain/chain.ts'
import type { IndexerState } from '../../../local/chain/indexer/ingested.ts'
import { indexerServer } from '../../../local/chain/indexer/server.ts'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { serve, untilFileEnds } from '../../serving.ts'
import { gatewayOver, get, now } from '../running-service.ts'

const branchLength = 25

/** The indexer stopped at the end of the branch; since then the chain has grown by so many blocks, and the branch has not. */
async function afterBranch(grown: number) {
  const chain = createChain({ seed: 'dead branch', now: () => now, slotsPerEpoch: 12, signsOwnCommands: false })
  const abandoned = chain.bestChain().slice(-branchLength)
  chain.reorganise(branchLength)
  for (let made = 1; made < grown; made++) chain.produceBlock()
  const state: IndexerState = {}
  const { url: nodeUrl } = await serve(nodeServer(chain), untilFileEnds)
  const { url: indexerUrl } = await serve(indexerServer(chain, state), untilFileEnds)
  const environment = { NODE_GRAPHQL_URL: `${nodeUrl}/graphql`, INDEXER_GRAPHQL_URL: `${indexerUrl}/graphql` }
  const { url } = await serve(await gatewayOver(environment), untilFileEnds)
  const [first, deadTip] = [abandoned[0], abandoned.at(-1)]
  if (first === undefined || deadTip === undefined) throw new Error('the chain is too short')
  const { height } = first
  const right = chain.bestChain().find((block) => block.height === height)
  const paths = [`/blocks/height/${height}`, `/blocks/${first.stateHash}`, `/blocks/${right?.stateHash}`]
  const answers = () => Promise.all(paths.map((path) => get(`${url}${path}`)))
  return { answers, state, first, right, deadTip }
}

describe.each([
  ['still holds blocks beside the branch', 20],
  ['has forgotten every height of the branch', 60],
])('where the node %s', (_what, grown) => {
  test('no block of the branch is canonical, and no block of the chain is missing or not canonical', async () => {
    const { answers, state, first, right, deadTip } = await afterBranch(grown)
    const ofChain = { block: { stateHash: right?.stateHash, canonical: true } }
    const ofBranch = { block: { stateHash: first.stateHash, canonical: false } }
    expect(await answers()).toMatchObject([
      { status: 200, body: ofChain },
      { status: 200, body: ofBranch },
      { status: 200, body: ofChain },
    ])
    state.tip = deadTip.stateHash
    expect((await answers()).map(({ status }) => status)).toEqual([503, 503, 503])
  })
})
