// The chain handed over block by block, before the whole service on a chain that grows and forks, and before written answers.
import { describe, expect, test } from '@jest/globals'
import { type BlockChange, type Cursor, createClient, type Fetch } from '../../packages/client/src/client.ts'
import type { WatchBlocksOptions } from '../../packages/client/src/watch-blocks.ts'
import { createChain } from '../../packages/testnet/chain.ts'
import { nodeServer } from '../../packages/testnet/node/server.ts'
import { now, runService, serviceOver } from '../end-to-end/running-service.ts'
import { pausedClock } from './scripted-service.ts'

const { url, chain } = await runService()
const hashes = () => chain.bestChain().map(({ stateHash }) => stateHash)
const added = (from: number, to?: number) =>
  hashes()
    .slice(from, to)
    .map((hash) => `+${hash}`)
const produce = (count: number) => {
  for (let made = 0; made < count; made++) chain.produceBlock()
}
const said = (change: BlockChange) =>
  change.state === 'added' ? `+${change.block.stateHash}` : `-${change.stateHash} ${change.block?.stateHash ?? 'gone'}`

interface Watched {
  readonly steps: readonly (() => unknown)[]
  readonly options?: Omit<WatchBlocksOptions, 'signal'>
  readonly fetch?: Fetch
  readonly onChange?: (change: BlockChange) => unknown
}

/** All changes while a step happens in each pause; the watch is aborted in the pause after the last one. */
async function watching({ steps, options = {}, fetch, onChange }: Watched) {
  const controller = new AbortController()
  const left = [...steps]
  const clock = pausedClock(() => (left.length > 0 ? left.shift()?.() : controller.abort()))
  const client = createClient({ baseUrl: url, clock, retries: 0, fetch })
  const changes: BlockChange[] = []
  const take = async (change: BlockChange) => {
    changes.push(change)
    await onChange?.(change)
  }
  await client.watchBlocks(take, { ...options, signal: controller.signal })
  return { said: changes.map(said), cursor: changes.at(-1)?.cursor, pausesMs: clock.pausesMs }
}

const cursorAt = (fromTip: number): Cursor => {
  const [{ height, stateHash } = chain.tip(), ...under] = chain.bestChain().toReversed().slice(fromTip)
  return { height, stateHash, below: under.map((block) => block.stateHash) }
}

describe('watchBlocks', () => {
  test('begins with the newest block, and hands over all that came while the program was busy', async () => {
    const before = hashes().length
    const steps = [() => produce(1), () => produce(25), () => undefined]
    const { said, pausesMs } = await watching({ steps })
    expect(said).toEqual(added(before - 1))
    expect([said.length, pausesMs]).toEqual([27, [10_000, 10_000, 10_000, 10_000]])
  })

  test('goes on from the cursor of a program that ended', async () => {
    const options = { cursor: cursorAt(22) }
    const { said, cursor } = await watching({ steps: [], options })
    expect(said).toEqual(added(-22))
    expect(await watching({ steps: [() => produce(1)], options: { cursor } })).toMatchObject({
      said: [`+${chain.tip().stateHash}`],
    })
  })

  test('takes back what a reorganisation orphans, the highest block first, and hands over the other branch', async () => {
    const options = { cursor: cursorAt(0) }
    const lost = hashes().slice(-3).reverse()
    const { said } = await watching({ steps: [() => chain.reorganise(3)], options })
    expect(said).toEqual([...lost.map((hash) => `-${hash} ${hash}`), ...added(-4)])
  })

  test('sees a reorganisation that leaves the height as it was', async () => {
    const [last] = hashes().slice(-1)
    const { said } = await watching({ steps: [() => chain.reorganise(1, 0)], options: { cursor: cursorAt(0) } })
    expect(said).toEqual([`-${last} ${last}`, `+${chain.tip().stateHash}`])
  })

  test('undoes a reorganisation that happened while the program was away, of blocks that no node holds any more', async () => {
    const own = cursorAt(0)
    const gone = {
      ...own,
      stateHash: own.stateHash.replace(/.$/, 'x'),
      below: [own.below?.[0]?.replace(/.$/, 'x') ?? ''],
    }
    const cursor = { ...gone, below: [...gone.below, ...(own.below?.slice(1) ?? [])] }
    const { said } = await watching({ steps: [], options: { cursor } })
    expect(said).toEqual([...[cursor.stateHash, gone.below[0]].map((hash) => `-${hash} gone`), ...added(-2)])
    await expect(watching({ steps: [], options: { cursor: { ...gone, below: [] } } })).rejects.toThrow(
      'give an older cursor',
    )
  })

  test('undoes blocks of another branch once the chain is as high, and none under a lower tip', async () => {
    const [tip, ...under] = hashes().reverse()
    const cursor = { height: chain.tip().height + 2, stateHash: '3Nc', below: ['3Nb', '3Na', ...under] }
    const { said } = await watching({ steps: [() => produce(1), () => produce(1)], options: { cursor } })
    const added = hashes().slice(-2)
    expect(said).toEqual(['-3Nc gone', '-3Nb gone', '-3Na gone', `+${tip}`, ...added.map((hash) => `+${hash}`)])
  })

  test.each([0, 15])(
    'takes back what a hard fork has discarded under its first block, before any other, where %i blocks are wanted on top',
    async (confirmations) => {
      const old = createChain({ seed: 'old', now: () => now, historyBlocks: 140, frontierBlocks: 140 })
      const [tip, ...under] = old.bestChain().toReversed().slice(confirmations)
      if (!tip) throw new Error('the chain is too short')
      const cursor = { height: tip.height, stateHash: tip.stateHash, below: under.map(({ stateHash }) => stateHash) }
      const forked = old.forkAfter(75)
      const service = await serviceOver([nodeServer(forked)])
      const fetch: Fetch = (asked, init) => globalThis.fetch(asked.replace(url, service), init)
      const { said, pausesMs } = await watching({ steps: [], options: { cursor, confirmations }, fetch })
      const discarded = old.bestChain().slice(-75, confirmations === 0 ? undefined : -confirmations)
      const gone = discarded.toReversed().map(({ stateHash }) => `-${stateHash} gone`)
      expect(said).toEqual([...gone, ...(confirmations === 0 ? [`+${forked.tip().stateHash}`] : [])])
      // The one in which the watch ends.
      expect(pausesMs).toHaveLength(1)
    },
  )

  test('asks the service for the parent of a lost block where the cursor names none', async () => {
    const { height, stateHash } = cursorAt(0)
    chain.reorganise(1)
    const { said } = await watching({ steps: [], options: { cursor: { height, stateHash } } })
    expect(said).toEqual([`-${stateHash} ${stateHash}`, ...added(-2)])
  })

  test('hands over a block when so many others are on top, and takes nothing back above that depth', async () => {
    const cursor = cursorAt(5)
    const steps = [() => chain.reorganise(4), () => produce(3)]
    const { said, cursor: last } = await watching({ steps, options: { cursor, confirmations: 5 } })
    expect(said).toEqual(added(-9, -5))
    expect(last).toMatchObject({ height: chain.tip().height - 5 })
  })

  test('outlives every trouble of service and network without a gap', async () => {
    const troubles = [503, 500, 502, 504, 429, 0]
    const cursor = cursorAt(0)
    produce(4)
    let asked = 0
    // Each second request meets the next trouble.
    const fetch: Fetch = async (url, init) => {
      const trouble = asked++ % 2 === 0 ? troubles.shift() : undefined
      if (trouble === undefined) return globalThis.fetch(url, init as RequestInit)
      if (trouble === 0) throw new TypeError('fetch failed')
      return new Response('', { status: trouble })
    }
    const steps = Array(8).fill(() => undefined)
    const { said, pausesMs } = await watching({ steps, options: { cursor }, fetch })
    expect(said).toEqual(added(-4))
    expect(troubles).toEqual([])
    // It takes up within ten seconds of the first good answer.
    expect(Math.max(...pausesMs)).toBe(10_000)
  })

  test('takes a tip below its cursor for that of a node that lags, and waits for a block that another node does not have yet', async () => {
    const cursor = cursorAt(0)
    const { blockchainLength, stateHash } = (await createClient({ baseUrl: url }).summary()).value
    const labelled = (height: number) => ({
      headers: { 'x-chain-height': String(height), 'x-chain-state-hash': `${stateHash}old`, 'x-chain-time': '2026' },
    })
    let isLagging = true
    const catchUp = () => {
      isLagging = false
    }
    const fetch: Fetch = async (asked, init) => {
      if (!isLagging) return globalThis.fetch(asked, init as RequestInit)
      const height = Number(/height\/(\d+)/.exec(asked)?.[1] ?? 0)
      const lagging = labelled(blockchainLength - 2)
      if (height > 0) return new Response('{"message":"none"}', { status: 404, ...lagging })
      return new Response(
        JSON.stringify({ blockchainLength: blockchainLength - 2, stateHash: `${stateHash}old` }),
        lagging,
      )
    }
    const { said } = await watching({
      steps: [catchUp, () => produce(1)],
      options: { cursor },
      fetch,
    })
    expect(said).toEqual([`+${chain.tip().stateHash}`])
    const missing: Fetch = async (asked, init) =>
      asked.endsWith(`height/${cursor.height + 1}`)
        ? new Response('{"message":"none"}', { status: 404, ...labelled(cursor.height) })
        : globalThis.fetch(asked, init as RequestInit)
    expect((await watching({ steps: [() => undefined], options: { cursor }, fetch: missing })).said).toEqual([])
  })

  test('calls no block lost while caches of different age contradict each other', async () => {
    const cursor = cursorAt(0)
    chain.produceBlock()
    const foreign: Fetch = async (asked, init) => {
      const answer = await globalThis.fetch(asked, init as RequestInit)
      if (!asked.endsWith(`height/${cursor.height + 1}`)) return answer
      const { headers } = answer
      headers.delete('content-length')
      return new Response((await answer.text()).replaceAll(cursor.stateHash, `${cursor.stateHash.slice(0, -1)}x`), {
        headers,
      })
    }
    expect((await watching({ steps: [() => undefined], options: { cursor }, fetch: foreign })).said).toEqual([])
  })

  test('rejects with a 404 for a height that the service no longer has, and with the error of its callback', async () => {
    produce(40)
    const [{ height, stateHash } = chain.tip()] = chain.bestChain().slice(0, 1)
    await expect(watching({ steps: [], options: { cursor: { height, stateHash } } })).rejects.toMatchObject({
      name: 'ServiceError',
      status: 404,
    })
    const onChange = async () => Promise.reject(new Error('mine'))
    await expect(watching({ steps: [], onChange })).rejects.toThrow('mine')
  })
})
