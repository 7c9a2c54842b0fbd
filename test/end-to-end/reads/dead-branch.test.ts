// Old blocks from an indexer that was left on a branch which the network has abandoned, with the genesis of the node.
import { describe, expect, test } from '@jest/globals'
import { createChain } from '../../../packages/testnet/chain.ts'
import type { IndexerState } from '../../../packages/testnet/indexer/ingested.ts'
import { indexerServer } from '../../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { get, now, serviceOver, wallet } from '../running-service.ts'

const branchLength = 25

/** The indexer stopped at the end of the branch; since then the chain has grown by so many blocks, and the branch has not. */
async function afterBranch(grown: number) {
  const chain = createChain({ seed: 'dead branch', now: () => now, slotsPerEpoch: 12, signsOwnCommands: false })
  const abandoned = chain.bestChain().slice(-branchLength)
  chain.reorganise(branchLength)
  for (let made = 1; made < grown; made++) chain.produceBlock()
  const state: IndexerState = {}
  const url = await serviceOver([nodeServer(chain)], [indexerServer(chain, state)])
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

/** The indexer stopped eleven blocks after the chain left its branch, so that it has settled the first block of that. */
async function afterLongBranch(made: number) {
  const chain = createChain({
    ...{ seed: 'settled branch', now: () => now, slotsPerEpoch: 12, historyBlocks: 60, signsOwnCommands: false },
    frontierBlocks: 20,
  })
  const dead = chain.bestChain().slice(-11)
  chain.reorganise(11)
  for (let block = 0; block < made; block++) chain.produceBlock()
  const state: IndexerState = { tip: dead.at(-1)?.stateHash ?? '' }
  const url = await serviceOver([nodeServer(chain)], [indexerServer(chain, state)])
  const first = dead[0]
  if (first === undefined) throw new Error('the chain is too short')
  const right = chain.bestChain().find(({ height }) => height === first.height)
  const history = `/accounts/${wallet(chain, 'judy').publicKey}/transactions?limit=5&before=`
  const below = (stateHash: string | undefined) =>
    Promise.all(['/blocks/before/', history].map((path) => get(`${url}${path}${first.height}-${stateHash}`)))
  return { dead: first, right, below, state }
}

describe('a cursor below the blocks of the node, over an indexer that was left on a branch of eleven blocks', () => {
  test('is neither replaced nor gone on from, and with the indexer back on the chain the dead one is replaced', async () => {
    const { dead, right, below, state } = await afterLongBranch(20)
    const statuses = async (stateHash: string | undefined) => (await below(stateHash)).map(({ status }) => status)
    expect([await statuses(right?.stateHash), await statuses(dead.stateHash)]).toEqual([
      [503, 503],
      [503, 503],
    ])
    delete state.tip
    expect([await statuses(right?.stateHash), await statuses(dead.stateHash)]).toEqual([
      [200, 200],
      [409, 409],
    ])
  })
})
