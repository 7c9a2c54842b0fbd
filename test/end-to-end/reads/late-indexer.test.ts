// Walks over indexers that began later than the oldest block of the node.
import { describe, expect, test } from '@jest/globals'
import { blockDifferencesOf, walkBlocks } from '../../../packages/proofs/account-history/blocks.ts'
import { truthOf } from '../../../packages/proofs/account-history/chain-truth.ts'
import { differencesOf, noDifferences, walk } from '../../../packages/proofs/account-history/walk.ts'
import { type Chain, createChain } from '../../../packages/testnet/chain.ts'
import type { IndexerState } from '../../../packages/testnet/indexer/ingested.ts'
import { indexerServer } from '../../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { get, now, serviceOver } from '../running-service.ts'

const chainOf = (seed: string, historyBlocks: number, frontierBlocks: number) =>
  createChain({ seed, now: () => now, slotsPerEpoch: 12, signsOwnCommands: false, historyBlocks, frontierBlocks })

/** A node that holds more blocks than one request lists, so that a walk through them takes several pages. */
function longFrontier() {
  const chain = chainOf('a long frontier', 70, 50)
  return { chain, node: chain, lowest: chain.tip().height - 49 }
}

/** A node whose genesis block, that of a hard fork, is not the oldest block which it holds. */
function keptThroughFork() {
  const chain = chainOf('kept through a fork', 60, 30)
  const frontier = chain.bestChain().slice(-16)
  const [lowest, , , genesis] = frontier
  if (lowest === undefined || genesis === undefined) throw new Error('the chain is too short')
  const isHeld = (stateHash: string) => frontier.some((block) => block.stateHash === stateHash)
  // The slots go on, as those of the chain do.
  const first = { ...genesis, slot: chain.genesisBlock().slot }
  const node: Chain = {
    ...chain,
    genesisBlock: () => first,
    frontier: () => frontier,
    frontierBlock: (stateHash) => (isHeld(stateHash) ? chain.frontierBlock(stateHash) : undefined),
  }
  return { chain, node, lowest: lowest.height, genesis }
}

const long = longFrontier()
const kept = keptThroughFork()
const tip = long.chain.tip().height

describe.each<[string, Pick<typeof long, 'chain' | 'node' | 'lowest'>, ...IndexerState[]]>([
  ['in the latest blocks', long, { firstHeight: tip - 15 }],
  ['below the blocks that one page reads from the node', long, { firstHeight: tip - 30 }],
  ['with the block above the node’s root', long, { firstHeight: long.lowest + 1 }],
  [
    'with a hard fork before which the node has kept blocks',
    kept,
    { firstHeight: kept.genesis.height, genesisStateHash: kept.genesis.stateHash },
  ],
  ['above another one, which began above the node’s root', long, { firstHeight: tip - 15 }, { firstHeight: tip - 40 }],
  [
    'above another one, which began below the node’s root',
    { ...long, lowest: tip - 60 },
    { firstHeight: tip - 15 },
    { firstHeight: tip - 60 },
  ],
])('over an indexer that began %s', (_what, { chain, node, lowest }, ...states) => {
  const service = serviceOver(
    [nodeServer(node)],
    states.map((state) => indexerServer(chain, state)),
  )
  const truth = new Map(
    [...truthOf(chain)].map(([key, commands]) => [
      key,
      new Map([...commands].filter(([, { height }]) => height >= lowest)),
    ]),
  )
  const keys = [...truth].toSorted(([, left], [, right]) => right.size - left.size).map(([key]) => key)

  test.each([1, 100])('a history has each command that the node holds once, in pages of %d', async (limit) => {
    const url = await service
    const walked = [...keys.slice(0, limit < 100 ? 1 : 4), ...keys.slice(-2)]
    const differences = await Promise.all(
      walked.map(async (key) => {
        const pages = await walk((query) => get(`${url}/accounts/${key}/transactions${query}`), limit)
        return differencesOf(pages, truth.get(key) ?? new Map())
      }),
    )
    expect(differences).toEqual(walked.map(() => noDifferences))
  })

  test.each([1, 10])('a walk down the blocks has each block that the node holds, in pages of %d', async (limit) => {
    const url = await service
    const walked = await walkBlocks(
      (rest) => get(`${url}/blocks/before/${rest}`),
      () => chain.tip(),
      limit,
    )
    expect([walked.given.at(-1)?.height, walked.isWhole]).toEqual([lowest, false])
    expect(blockDifferencesOf(walked, chain.allBlocks(), lowest)).toEqual({ lost: 0, doubled: 0, gaps: 0 })
  })
})
