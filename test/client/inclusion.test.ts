// What became of a command, judged over chains that are written block by block.
import { describe, expect, test } from '@jest/globals'
import { createClient, type Inclusion, type InclusionOptions } from '../../client/src/client.ts'
import { encodeMemo } from '../../local/chain/command.ts'
import { ModelChain } from './model-chain.ts'
import { noon, pausedClock } from './scripted-service.ts'
import { delegation, payload, payment } from './signed.ts'

const mine = { nonce: 7, hash: '5Jmine' }
const rival = { nonce: 7, hash: '5Jrival', fee: 20_000_000 }

/** A chain on which the sender's nonce is 7. */
const chainBefore = () => {
  const chain = new ModelChain(20)
  chain.add([{ nonce: 6 }])
  return chain
}

/** Waits, with `onPause` called in each pause. */
function waiting(chain: ModelChain, onPause: (pauses: number) => unknown, options: InclusionOptions = {}) {
  const clock = pausedClock(() => onPause(clock.pausesMs.length))
  const client = createClient({ baseUrl: 'https://service.example', fetch: chain.fetch, clock, retries: 0 })
  const waited = client.waitForInclusion(payment, options)
  return { clock, waited }
}

const add = (chain: ModelChain) => () => chain.add()
const still = () => undefined

/** The state, and how many blocks were on the block of the command or of its rival. */
const verdict = ({ waited }: { waited: Promise<Inclusion> }) => waited

describe('a command', () => {
  test('is included as soon as a block holds it, in words of that block', async () => {
    const chain = chainBefore()
    const { clock, waited } = waiting(chain, (pauses) => chain.add(pauses === 3 ? [mine] : []), { hash: '5Jmine' })
    expect(await waited).toMatchObject({
      state: 'included',
      confirmations: 0,
      command: { hash: '5Jmine', nonce: 7, amount: 1_500_000_000n, fee: 10_000_000n },
    })
    expect(clock.pausesMs).toEqual([10_000, 10_000, 10_000])
  })

  test('that failed on the chain is included with its reason', async () => {
    const chain = chainBefore()
    chain.add([{ ...mine, failureReason: 'Amount_insufficient_to_create_account' }])
    expect(await verdict(waiting(chain, still))).toMatchObject({
      state: 'included',
      failureReason: 'Amount_insufficient_to_create_account',
    })
  })

  test('counts as included at the depth that is asked for, also when it was in before', async () => {
    const chain = chainBefore()
    chain.add([mine])
    const { clock, waited } = waiting(chain, add(chain), { depth: 3 })
    expect(await waited).toMatchObject({ state: 'included', confirmations: 3 })
    expect(clock.pausesMs).toHaveLength(3)
  })

  test('whose block is reorganised goes on waiting, until another block holds it', async () => {
    const chain = chainBefore()
    chain.add([mine])
    const steps = [
      () => chain.add([], 1),
      () => chain.add(),
      () => chain.add([mine]),
      () => chain.add(),
      () => chain.add(),
    ]
    const { clock, waited } = waiting(chain, (pauses) => steps[pauses - 1]?.(), { depth: 2 })
    expect(await waited).toMatchObject({ state: 'included', confirmations: 2 })
    expect(clock.pausesMs).toHaveLength(steps.length)
  })

  test('is superseded when another one has its nonce and 15 blocks on top', async () => {
    const chain = chainBefore()
    chain.add([rival])
    const { clock, waited } = waiting(chain, add(chain), { hash: '5Jmine' })
    expect(await waited).toMatchObject({ state: 'superseded', by: { hash: '5Jrival', fee: 20_000_000n } })
    expect(clock.pausesMs).toHaveLength(15)
  })

  test('is undecided until then, and after as many blocks as are asked for superseded', async () => {
    const options = { confirmations: 2, patienceMs: 10_000 }
    const chain = chainBefore()
    chain.add([rival])
    expect(await verdict(waiting(chain, add(chain), options))).toEqual({ state: 'undecided', because: 'unconfirmed' })
    expect(await verdict(waiting(chain, add(chain), options))).toMatchObject({ state: 'superseded' })
  })

  test('whose rival is reorganised away is included after all', async () => {
    const chain = chainBefore()
    chain.add([rival])
    const { waited } = waiting(chain, (pauses) => (pauses === 3 ? chain.add([mine], 3) : chain.add()), {
      confirmations: 5,
    })
    expect(await waited).toMatchObject({ state: 'included' })
  })

  test('is expired when 15 blocks are on top of one past its last slot', async () => {
    const chain = chainBefore()
    const { slot } = chain.tip
    const clock = pausedClock(() => chain.add())
    const client = createClient({ baseUrl: 'https://service.example', fetch: chain.fetch, clock })
    const signed = { ...payment, payload: { ...payload, validUntil: String(slot + 2) } }
    expect(await client.waitForInclusion(signed)).toEqual({ state: 'expired' })
    expect(chain.tip.slot).toBe(slot + 3 + 15)
    expect(await client.waitForInclusion(signed, { confirmations: 16, patienceMs: 0 })).toEqual({
      state: 'undecided',
      because: 'unconfirmed',
    })
  })

  test('that is in no block is undecided when patience ends, an hour by default', async () => {
    const { clock, waited } = waiting(chainBefore(), still)
    expect(await waited).toEqual({ state: 'undecided', because: 'not-included' })
    expect(clock.now()).toBe(noon + 3_600_000)
  })

  test('of an account that does not exist yet is waited for', async () => {
    const chain = chainBefore()
    const { waited } = waiting(chain, () => chain.add([mine]))
    chain.failures.push(404)
    expect(await waited).toMatchObject({ state: 'included' })
  })
})

describe('a command without a hash', () => {
  const judged = (changes: object, signed: typeof payment | typeof delegation = payment) => {
    const chain = chainBefore()
    chain.add([{ ...mine, ...changes }])
    const client = createClient({ baseUrl: 'https://service.example', fetch: chain.fetch, clock: pausedClock() })
    return client.waitForInclusion(signed, { confirmations: 0, patienceMs: 0 }).then(({ state }) => state)
  }

  test('is known by what a block shows of it', async () => {
    expect(await judged({})).toBe('included')
    expect(await judged({ isDelegation: true, amount: 0 }, delegation)).toBe('included')
  })

  test.each([{ to: 'B62other' }, { amount: 1 }, { fee: 1 }, { isDelegation: true }])(
    'is another one where %j differs',
    async (changes) => {
      expect(await judged(changes)).toBe('superseded')
    },
  )

  test.each(['', 'mem', 'memo ', 'Memo', '\0memo', 'memö'])('is another one where the memo is %j', async (memo) => {
    expect(await judged({ memo: encodeMemo(memo) })).toBe('superseded')
  })

  test.each(['', ' ', 'ä€😀', '\ufeffx', 'a'.repeat(32)])('is its own with the memo %j', async (memo) => {
    const signed = { ...payment, payload: { ...payload, memo } }
    expect(await judged({ memo: encodeMemo(memo) }, signed)).toBe('included')
  })

  test('is another one with any memo that is no base58check', async () => {
    expect(await judged({ memo: 'memo' })).toBe('superseded')
  })
})

describe('a nonce that is used in no block that shows it', () => {
  const unseen = { nonce: 7, isZkapp: true }

  test('was used by a zkApp command: superseded 15 blocks after that was first seen', async () => {
    const chain = chainBefore()
    const { clock, waited } = waiting(chain, (pauses) => chain.add(pauses === 2 ? [unseen] : []))
    expect(await waited).toEqual({ state: 'superseded' })
    expect(clock.pausesMs).toHaveLength(2 + 15)
  })

  test('is counted anew where a fork uses it later', async () => {
    const chain = chainBefore()
    chain.add([unseen])
    const steps = [add(chain), add(chain), () => chain.add([unseen], 3)]
    const { clock, waited } = waiting(chain, (pauses) => (steps[pauses - 1] ?? add(chain))(), { confirmations: 4 })
    expect(await waited).toEqual({ state: 'superseded' })
    expect(clock.pausesMs).toHaveLength(3 + 4)
  })

  test('is searched for back to the sending, an hour more for a clock that is wrong', async () => {
    const chain = new ModelChain(200)
    chain.add([unseen])
    const { waited } = waiting(chain, add(chain), { sentAtMs: noon, confirmations: 1 })
    expect(await waited).toEqual({ state: 'superseded' })
    const heights = chain.asked.flatMap((path) =>
      path.startsWith('/blocks/') ? [Number(path.slice('/blocks/3N'.length)) + 1] : [],
    )
    expect([Math.max(...heights), Math.min(...heights)]).toEqual([202, 140])
    expect(new Set(heights).size).toBe(heights.length)
  })

  test('is searched for by the time that has passed since the sending, whatever this machine calls the hour', async () => {
    const chain = new ModelChain(200)
    chain.add([mine])
    for (let made = 0; made < 30; made++) chain.add()
    const { waited } = waiting(chain, still, { sentAtMs: noon })
    // By this clock no time has passed, and half an hour by the blocks.
    expect(await waited).toMatchObject({ state: 'included', confirmations: 30 })
  })

  test('is searched for as long as there are blocks where the clock was set back since the sending', async () => {
    const chain = new ModelChain(200)
    chain.add([mine])
    for (let made = 0; made < 150; made++) chain.add()
    const { waited } = waiting(chain, still, { sentAtMs: noon + 1, confirmations: 0 })
    expect(await waited).toMatchObject({ state: 'included', confirmations: 150 })
  })

  test('is searched for as long as there are blocks where the time of sending is not given', async () => {
    const chain = new ModelChain(200)
    chain.add([mine])
    for (let made = 0; made < 150; made++) chain.add()
    expect(await verdict(waiting(chain, still))).toMatchObject({ state: 'included', confirmations: 150 })
  })

  test('is undecided where the service does not hold the blocks, or they are too many', async () => {
    const chain = new ModelChain(400)
    chain.add([mine])
    for (let made = 0; made < 310; made++) chain.add()
    const missing = { state: 'undecided', because: 'history-missing' }
    expect(await verdict(waiting(chain, still, { patienceMs: 0 }))).toEqual(missing)
    expect(chain.asked.length).toBeLessThan(310)
    chain.lowestHeight = 700
    expect(await verdict(waiting(chain, add(chain), { patienceMs: 60_000 }))).toEqual(missing)
  })
})

describe('waiting', () => {
  test('asks for each block once, and needs no label', async () => {
    const chain = chainBefore()
    chain.hasLabels = false
    chain.add([mine])
    await verdict(waiting(chain, (pauses) => (pauses % 2 ? undefined : chain.add()), { depth: 3 }))
    expect(chain.asked.filter((path) => path.startsWith('/blocks/'))).toEqual([
      '/blocks/3N21',
      '/blocks/3N22',
      '/blocks/3N23',
      '/blocks/3N24',
    ])
    expect(chain.asked.filter((path) => path === '/summary').length).toBe(7)
  })

  test('outlives trouble of the service, with longer pauses', async () => {
    const chain = chainBefore()
    chain.failures.push('lost', 503, 504)
    const { clock, waited } = waiting(chain, (pauses) => pauses === 4 && chain.add([mine]))
    expect(await waited).toMatchObject({ state: 'included' })
    expect(clock.pausesMs).toEqual([20_000, 40_000, 60_000, 10_000])
  })

  test('is undecided where no answer came at all', async () => {
    const chain = chainBefore()
    chain.failures.push('lost')
    expect(await verdict(waiting(chain, still, { patienceMs: 0 }))).toEqual({
      state: 'undecided',
      because: 'no-answer',
    })
  })

  test('ends with an error that does not pass', async () => {
    const chain = chainBefore()
    chain.failures.push(500)
    await expect(verdict(waiting(chain, still))).rejects.toMatchObject({ status: 500 })
    chain.failures.push(404, 404)
    chain.hasLabels = false
    await expect(verdict(waiting(chain, still))).rejects.toMatchObject({ status: 404 })
  })

  test('ends with the reason of its signal', async () => {
    const controller = new AbortController()
    const chain = chainBefore()
    const { waited } = waiting(chain, () => controller.abort('enough'), { signal: controller.signal })
    await expect(waited).rejects.toBe('enough')
  })
})
