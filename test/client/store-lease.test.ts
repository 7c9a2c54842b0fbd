// Two queues over one store: only the one that has its lease sends, settles and fills.
import { describe, expect, test } from '@jest/globals'
import { fileLease } from '../../packages/client/examples/lease.ts'
import { createClient, type Fetch, type StoreLease } from '../../packages/client/src/client.ts'
import { runService } from '../end-to-end/running-service.ts'
import { temporaryFolder } from '../serving.ts'
import { queuedPayments, storeOf } from './queued.ts'
import { network, pausedClock } from './scripted-service.ts'

const inUse = { name: 'StoreInUseError', code: 'store-in-use' }

/** Leases over one store, of which one has it at a time. */
function leasesOf() {
  let owner: object | undefined
  const log: string[] = []
  const leaseOf = (name: string): StoreLease => {
    const lease = {
      async take(ms: number) {
        log.push(`${name} takes ${ms}`)
        owner ??= lease
        return owner === lease
      },
      async release() {
        log.push(`${name} releases`)
        if (owner === lease) owner = undefined
      },
    }
    return lease
  }
  return { log, leaseOf, give: (lease: StoreLease) => (owner = lease) }
}

describe('a queue over a store with a lease', () => {
  test('pays while it has it, takes it first, renews it in pauses, and gives it back', async () => {
    const { chain, url } = await runService()
    const { store, states, open } = storeOf(queuedPayments(chain, 'alice', [0]))
    const { log, leaseOf } = leasesOf()
    const commands = async () => {
      log.push('reads')
      return [...open.values()]
    }
    const clock = pausedClock(() => {
      log.push('pause')
      chain.produceBlock()
    })
    const client = createClient({ baseUrl: url, network, clock })
    await client.sendQueue({ ...store, commands, lease: leaseOf('one') }, { pollMs: 90_000 })
    expect(states()).toEqual([[expect.any(String), 'included']])
    const takes = 'one takes 120000'
    expect([log.slice(0, 3), log.at(-1)]).toEqual([[takes, 'reads', takes], 'one releases'])
    expect(log.join().split('reads')[2]).toMatch(new RegExp(`^,pause(,${takes},pause){2},${takes},$`))
  })

  test('does nothing while another one has it, in another program or in this one', async () => {
    const { chain, url } = await runService()
    const { store, ends } = storeOf(queuedPayments(chain, 'alice', [0]))
    const { leaseOf, give } = leasesOf()
    const asked: string[] = []
    const fetching: Fetch = async (address, init) => {
      asked.push(address)
      return fetch(address, init as RequestInit)
    }
    const [first, second] = [leaseOf('first'), leaseOf('second')]
    const client = createClient({ baseUrl: url, network, fetch: fetching, clock: pausedClock() })
    give(first)
    await expect(client.sendQueue({ ...store, lease: second })).rejects.toMatchObject(inUse)
    expect([asked, ends]).toEqual([[], []])
    const clock = pausedClock(async () => {
      await expect(client.sendQueue({ ...store, lease: first })).rejects.toMatchObject(inUse)
      chain.produceBlock()
    })
    await createClient({ baseUrl: url, network, clock }).sendQueue({ ...store, lease: first })
    expect([asked.filter((address) => address.includes('/accounts/')), ends.length]).toEqual([[], 1])
  })

  test.each([
    ['before it sends', 0, '/accounts/', 1, []],
    ['before it has a nonce filled', 1, '/accounts/', 2, []],
    ['before it settles', 0, '/transactions/', 1, ['sending']],
  ])('calls its store no more once it has lost it, %s', async (_, nonce, path, questions, expected) => {
    const { chain, url } = await runService()
    const { store } = storeOf(queuedPayments(chain, 'alice', [nonce]))
    let left = questions
    const losing: Fetch = async (address, init) => {
      if (address.includes(path)) left -= 1
      return fetch(address, init as RequestInit)
    }
    const called: string[] = []
    const note = (name: string) => async () => void called.push(name)
    const lease = { take: async () => left > 0, release: note('release') }
    const noting = { settle: note('settle'), sending: note('sending'), fillGap: note('fillGap'), lease }
    const clock = pausedClock(() => chain.produceBlock())
    const queue = createClient({ baseUrl: url, network, clock, fetch: losing }).sendQueue(
      { ...store, ...noting },
      { confirmations: 0 },
    )
    await expect(queue).rejects.toMatchObject(inUse)
    expect(called).toEqual(expected)
  })

  test('gives it back where the store throws, so that the next one begins at once', async () => {
    const { log, leaseOf } = leasesOf()
    const failing = { ...storeOf([]).store, commands: async () => Promise.reject(new Error('mine')) }
    const client = createClient({ baseUrl: 'https://service.example', network, clock: pausedClock() })
    await expect(client.sendQueue({ ...failing, lease: leaseOf('one') })).rejects.toThrow('mine')
    await client.sendQueue({ ...storeOf([]).store, lease: leaseOf('two') })
    const took = (name: string) => [`${name} takes 120000`, `${name} releases`]
    expect(log).toEqual([...took('one'), ...took('two')])
  })
})

describe('the example over a file', () => {
  const minute = 60_000

  test('gives the store to one of many that take it at the same moment', async () => {
    const folder = temporaryFolder()
    for (let round = 0; round < 5; round++) {
      const leases = Array.from({ length: 8 }, () => fileLease(folder))
      const taken = await Promise.all(leases.map((lease) => lease.take(minute)))
      expect(taken.filter(Boolean).length).toBeLessThanOrEqual(1)
      const owner = leases[taken.indexOf(true)] ?? fileLease(folder)
      expect(await owner.take(minute)).toBe(true)
      await owner.release()
    }
  })

  test('gives it to another one when its time is over, and never back to the one that lost it', async () => {
    const folder = temporaryFolder()
    const [first, second] = [fileLease(folder), fileLease(folder)]
    expect([await first.take(minute), await first.take(minute), await second.take(minute)]).toEqual([true, true, false])
    // Its time has passed.
    expect(await second.take(-minute)).toBe(true)
    await second.release()
    expect(await first.take(minute)).toBe(false)
    await first.release()
    expect(await second.take(minute)).toBe(true)
  })
})
