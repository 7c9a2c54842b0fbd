// The worst cost of one anonymous GET to a node: the blocks that it lists, each of which it converts with all of its commands, and
// the pools.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { type CountedCall, countedNode } from '../../../packages/proofs/counted-node.ts'
import { type Chain, createChain } from '../../../packages/testnet/chain.ts'
import type { IndexerState } from '../../../packages/testnet/indexer/ingested.ts'
import { indexerServer } from '../../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { createZkappCommand, minaUpdate } from '../../../packages/testnet/zkapp-command.ts'
import { unheldValues } from '../../../shared/contract/parameters.ts'
import { serve, untilFileEnds } from '../../serving.ts'
import { get, now, serviceOver, wallet } from '../running-service.ts'

interface Call extends Omit<CountedCall, 'document'> {
  /** Lists of a whole pool, with what a command does or is for. */
  readonly pools: number
}

/** Without an argument a whole pool is listed. Hashes and fees are at hand; the rest has to be converted. */
const poolsIn = (document: string): number => {
  const lists = [...document.matchAll(/pooled\w+Commands(\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\})/g)]
  return Number(lists.some(([, selection = '']) => /publicKey|from|memo/.test(selection)))
}

/** A node over a chain, and what it was asked. Before each answer something may happen to the chain. */
async function countingNode(chain: Chain, before: (name: string) => void) {
  const calls: Call[] = []
  const own = await serve(nodeServer(chain), untilFileEnds)
  const note = ({ document, ...call }: CountedCall) => calls.push({ ...call, pools: poolsIn(document) })
  return { node: countedNode(`${own.url}/graphql`, note, before), calls }
}

async function asking(chain: Chain, state?: IndexerState, before: (name: string) => void = () => undefined) {
  const { node, calls } = await countingNode(chain, before)
  const url = await serviceOver([node], state ? [indexerServer(chain, state)] : [])
  /** The answer, and what it took: the names of the questions, and how much was listed. */
  return async (path: string) => {
    calls.splice(0)
    const { status, body } = await get(`${url}${path}`)
    const sum = (count: (call: Call) => number) => calls.reduce((total, call) => total + count(call), 0)
    return {
      ...{ status, body, asked: calls.map(({ name }) => name) },
      ...{ blocks: sum(({ blocks }) => blocks), pools: sum(({ pools }) => pools) },
      longest: Math.max(0, ...calls.map(({ bytes }) => bytes)),
    }
  }
}

const chain = createChain({
  ...{ seed: 'cost', now: () => now, slotsPerEpoch: 12, historyBlocks: 300, signsOwnCommands: false },
  frontierBlocks: 60,
})
const state: IndexerState = {}
const ask = await asking(chain, state)
const keyOf = (name: string) => wallet(chain, name).publicKey
const { height: tip, stateHash: tipHash } = chain.tip()
const history = `/accounts/${keyOf('judy')}/transactions?limit=100`
const root = tip - 59
const strangeCommand = unheldValues.hash
const below = (height: number) =>
  `${history}&before=${height}-${chain.bestChain().find((block) => block.height === height)?.stateHash ?? tipHash}`
const blocksBelow = (height: number) => `/blocks/before/${below(height).split('=').at(-1)}`
const headersBelow = (height: number) => `${blocksBelow(height)}?view=header`
const strangeKey = unheldValues.public_key
const strangeHash = unheldValues.state_hash

// An instance that has not asked for its network yet lists one block more.
beforeAll(() => ask('/network'))

/** The indexer is so many blocks behind; the blocks that it has not settled, ten more, come from the node. */
test.each<[string, string, number, { readonly status: number; readonly blocks: number; readonly pools?: number }]>([
  ['the summary', '/summary', 0, { status: 200, blocks: 1 }],
  ['ten blocks', '/blocks?limit=10', 0, { status: 200, blocks: 10 }],
  ['a block', `/blocks/${tipHash}`, 0, { status: 200, blocks: 2 }],
  ['an unknown block', `/blocks/${strangeHash}`, 0, { status: 404, blocks: 3 }],
  ['the root by its height', `/blocks/height/${root}`, 0, { status: 200, blocks: 3 }],
  ['an account', `/accounts/${keyOf('bob')}`, 0, { status: 200, blocks: 1 }],
  ['an unknown account', `/accounts/${strangeKey}`, 0, { status: 404, blocks: 3 }],
  ['the tokens of an unknown account', `/accounts/${strangeKey}/tokens`, 0, { status: 200, blocks: 3 }],
  ['the history of an unknown account', `/accounts/${strangeKey}/transactions`, 0, { status: 200, blocks: 22 }],
  ['an unknown command', `/transactions/${strangeCommand}`, 0, { status: 404, blocks: 22 }],
  ['the fees', '/fees', 0, { status: 200, blocks: 20, pools: 1 }],
  ['the pool', '/pool', 0, { status: 200, blocks: 3, pools: 1 }],
  ['the pool of an account', `/pool?account=${keyOf('bob')}`, 0, { status: 200, blocks: 3, pools: 1 }],
  ['a history', history, 0, { status: 200, blocks: 20 }],
  ['a history over an indexer that lags', history, 29, { status: 200, blocks: 39 }],
  ['a history over one that lags more', history, 30, { status: 503, blocks: 20 }],
  ['a history below the tip', below(tip), 27, { status: 200, blocks: 39 }],
  ['a history below the tip, over an indexer that lags more', below(tip), 28, { status: 503, blocks: 1 }],
  ['a history below a lower block', below(tip - 20), 29, { status: 200, blocks: 21 }],
  ['a history above the tip', below(tip + 1), 0, { status: 503, blocks: 3 }],
  ['ten blocks below a block', blocksBelow(tip), 0, { status: 200, blocks: 13 }],
  ['a block below a block', `${blocksBelow(tip)}?limit=1`, 0, { status: 200, blocks: 4 }],
  ['ten blocks of which the node holds six', blocksBelow(root + 6), 0, { status: 200, blocks: 9 }],
  ['ten blocks that only the indexer has', blocksBelow(root - 1), 0, { status: 200, blocks: 3 }],
  ['headers', headersBelow(tip - ((tip - 1) % 20)), 0, { status: 200, blocks: 23 }],
  ['headers of which the node holds twelve', headersBelow(root + 12), 0, { status: 200, blocks: 15 }],
  ['headers that only the indexer has', headersBelow(root - 1), 0, { status: 200, blocks: 3 }],
  ['blocks below one above the tip', blocksBelow(tip + 1), 0, { status: 503, blocks: 3 }],
])('for %s, a node lists no more than it has to', async (_what, path, behind, { status, blocks, pools = 0 }) => {
  state.behind = behind
  const answer = await ask(path)
  expect({ status: answer.status, blocks: answer.blocks, pools: answer.pools }).toEqual({ status, blocks, pools })
})

describe('for an unknown command, while the tip moves under the questions', () => {
  const seed = 'moving tip'
  const moving = createChain({ seed, now: () => now, slotsPerEpoch: 12, signsOwnCommands: false, frontierBlocks: 60 })
  let before: (name: string) => void = () => undefined
  let askMoving: Awaited<ReturnType<typeof asking>>
  beforeAll(async () => {
    askMoving = await asking(moving, {}, (name) => before(name))
  })
  const path = `/transactions/${strangeCommand}`

  test('once, a node lists the new blocks alone, and those below count as read', async () => {
    const { height } = moving.tip()
    before = (name) => {
      if (name !== 'poolByHash' || moving.tip().height > height) return
      moving.produceBlock()
      moving.produceBlock()
    }
    const { status, blocks, body } = await askMoving(path)
    const { fromHeight, toHeight } = Object(body).searched
    expect({ status, blocks, fromHeight, toHeight }).toEqual({
      ...{ status: 404, blocks: 20 + 2 + 4 },
      ...{ fromHeight: height - 19, toHeight: height + 2 },
    })
  })

  test('to another branch, by more blocks than are listed again, the answer is a 503', async () => {
    let hasMoved = false
    before = (name) => {
      if (name === 'poolByHash' && !hasMoved) moving.reorganise(10)
      hasMoved ||= name === 'poolByHash'
    }
    expect(await askMoving(path)).toMatchObject({ status: 503, blocks: 20 + 2 + 4 })
  })

  test('to another branch, what its terms decide is told of the blocks that are listed again alone', async () => {
    let hasMoved = false
    before = (name) => {
      if (name === 'poolByTerms' && !hasMoved) moving.reorganise(10)
      hasMoved ||= name === 'poolByTerms'
    }
    const { publicKey: from } = wallet(moving, 'bob')
    const terms = new URLSearchParams({ from, nonce: '1000', valid_until: '4294967295' })
    const { status, blocks, body } = await askMoving(`${path}?${terms}`)
    const { state, sending, searched } = Object(body).transaction
    const { height } = moving.tip()
    expect({ status, blocks, state, sending, searched }).toMatchObject({
      ...{ status: 200, blocks: 20 + 2 + 4, state: 'absent', sending: 'waits-for-nonce' },
      searched: { fromHeight: height - 3, toHeight: height },
    })
  })
})

describe('a pool that is full of zkApp commands, longer as a whole than any answer that is read', () => {
  const [spammer, victim, rare, stranger] = [keyOf('alice'), keyOf('bob'), keyOf('carol'), keyOf('dave')]

  /** Of twelve updates each. One in each command names the victim, and one in all of them the rare key. */
  const zkapps = Array.from({ length: 3000 }, (_, nonce) => {
    const updates = Array.from({ length: 12 }, (_, index) => {
      const isRare = nonce === 2999 && index === 11
      return minaUpdate(index === 0 ? victim : isRare ? rare : spammer, isRare ? 7n : 5n - BigInt(index))
    })
    return createZkappCommand({ from: spammer, fee: BigInt(1_000_000 + nonce), nonce }, { updates })
  })
  const full = { ...chain, zkappPool: () => zkapps }
  let askFull: Awaited<ReturnType<typeof asking>>
  beforeAll(async () => {
    askFull = await asking(full)
  })

  const keysOnce = ['poolKeys', 'poolHashes', 'poolHashes']
  test.each<[string, string, object, readonly string[]]>([
    [
      'the highest fees',
      '/pool',
      { status: 200, count: 3000, given: 200 },
      ['poolFees', 'poolHashes', 'poolHashes', 'poolCommands', 'payerNonces'],
    ],
    [
      'one account',
      `/pool?account=${rare}`,
      { status: 200, count: 1, given: 1 },
      [...keysOnce, 'poolCommands', 'payerNonces'],
    ],
    ['an account of which nothing waits', `/pool?account=${stranger}`, { status: 200, count: 0, given: 0 }, keysOnce],
    [
      'the account that every command names, too many to be given',
      `/pool?account=${victim}`,
      { status: 503, message: 'More commands of this account wait than can be given at once.' },
      keysOnce,
    ],
    ['the fees', '/fees', { status: 200 }, ['latestFees', 'payerNonces']],
  ])('is read for %s', async (_what, path, wanted, questions) => {
    const { status, body, asked, longest } = await askFull(path)
    const { count, commands, message } = Object(body)
    // Some are put at once.
    const inOrder = { asked: asked.toSorted(), count, given: commands?.length, message }
    expect({ status, ...inOrder }).toEqual({ ...wanted, asked: questions.toSorted() })
    expect(longest).toBeLessThan(4 * 1024 * 1024)
  })
})
