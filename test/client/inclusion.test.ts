// waitForInclusion over chains that are written block by block.
import { describe, expect, test } from '@jest/globals'
import { createClient, type InclusionOptions } from '../../client/src/client.ts'
import { encodeMemo } from '../../local/chain/command.ts'
import { ModelChain, type ModelCommand } from './model-chain.ts'
import { noon, pausedClock } from './scripted-service.ts'
import { delegation, payload, payment } from './signed.ts'

const mine = { nonce: 7, hash: '5Jmine' }
const rival = { nonce: 7, hash: '5Jrival', fee: 20_000_000 }
/** A zkApp command, which blocks of the service do not list. */
const unseen = { nonce: 7, isZkapp: true }

/** A chain on which the sender's nonce is 7, then a block with these commands. */
function chainWith(...commands: readonly ModelCommand[]) {
  const chain = new ModelChain(20)
  chain.add([{ nonce: 6 }])
  if (commands.length > 0) chain.add(commands)
  return chain
}

interface Waiting extends InclusionOptions {
  /** Called in each pause with its number; adds a block by default. */
  readonly onPause?: (pauses: number) => unknown
  readonly signed?: typeof payment | typeof delegation
}

function waiting(chain: ModelChain, { onPause = () => chain.add(), signed = payment, ...options }: Waiting = {}) {
  const clock = pausedClock(() => onPause(clock.pausesMs.length))
  const client = createClient({ baseUrl: 'https://service.example', fetch: chain.fetch, clock, retries: 0 })
  return { clock, waited: client.waitForInclusion(signed, options) }
}
const still = { onPause: () => undefined }
const stateOf = (chain: ModelChain, options?: Waiting) => waiting(chain, options).waited

describe('a command', () => {
  test('is included as soon as a block holds it, in words of that block', async () => {
    const chain = chainWith()
    const onPause = (pauses: number) => chain.add(pauses === 3 ? [mine] : [])
    const { clock, waited } = waiting(chain, { onPause, hash: '5Jmine' })
    const command = { hash: '5Jmine', nonce: 7, amount: 1_500_000_000n, fee: 10_000_000n }
    expect(await waited).toMatchObject({ state: 'included', confirmations: 0, command })
    expect(clock.pausesMs).toEqual([10_000, 10_000, 10_000])
  })

  test('that failed on the chain is included with its reason, at the depth that is asked for', async () => {
    const failureReason = 'Amount_insufficient_to_create_account'
    const { clock, waited } = waiting(chainWith({ ...mine, failureReason }), { depth: 3 })
    expect(await waited).toMatchObject({ state: 'included', confirmations: 3, failureReason })
    expect(clock.pausesMs).toHaveLength(3)
  })

  test('whose block is reorganised is waited for until another block holds it', async () => {
    const chain = chainWith(mine)
    const add = () => chain.add()
    const steps = [() => chain.add([], 1), add, () => chain.add([mine]), add, add]
    const { clock, waited } = waiting(chain, { onPause: (pauses) => steps[pauses - 1]?.(), depth: 2 })
    expect(await waited).toMatchObject({ state: 'included', confirmations: 2 })
    expect(clock.pausesMs).toHaveLength(steps.length)
  })

  test('is superseded when another one has its nonce and 15 blocks on top, or as many as are asked for', async () => {
    const { clock, waited } = waiting(chainWith(rival), { hash: '5Jmine' })
    expect(await waited).toMatchObject({ state: 'superseded', by: { hash: '5Jrival', fee: 20_000_000n } })
    expect(clock.pausesMs).toHaveLength(15)
    const [chain, options] = [chainWith(rival), { confirmations: 2, patienceMs: 10_000 }]
    expect(await stateOf(chain, options)).toEqual({ state: 'undecided', because: 'unconfirmed' })
    expect(await stateOf(chain, options)).toMatchObject({ state: 'superseded' })
  })

  test('whose rival is reorganised away is included after all', async () => {
    const chain = chainWith(rival)
    const onPause = (pauses: number) => (pauses === 3 ? chain.add([mine], 3) : chain.add())
    expect(await stateOf(chain, { onPause, confirmations: 5 })).toMatchObject({ state: 'included' })
  })

  test('is expired when 15 blocks are on top of one past its last slot', async () => {
    const chain = chainWith()
    const { slot } = chain.tip
    const signed = { ...payment, payload: { ...payload, validUntil: String(slot + 2) } }
    expect(await stateOf(chain, { signed })).toEqual({ state: 'expired' })
    expect(chain.tip.slot).toBe(slot + 3 + 15)
    const undecided = { state: 'undecided', because: 'unconfirmed' }
    expect(await stateOf(chain, { signed, confirmations: 16, patienceMs: 0 })).toEqual(undecided)
  })

  test('that is in no block is undecided when patience ends, an hour by default', async () => {
    const { clock, waited } = waiting(chainWith(), still)
    expect(await waited).toEqual({ state: 'undecided', because: 'not-included' })
    expect(clock.now()).toBe(noon + 3_600_000)
  })

  test('of an account that does not exist yet is waited for', async () => {
    const chain = chainWith()
    chain.failures.push(404)
    expect(await stateOf(chain, { onPause: () => chain.add([mine]) })).toMatchObject({ state: 'included' })
  })
})

describe('a command without a hash', () => {
  const judged = async (changes: object, signed: Waiting['signed'] = payment) =>
    (await stateOf(chainWith({ ...mine, ...changes }), { signed, confirmations: 0, patienceMs: 0 })).state

  test('is recognised by its fields in a block', async () => {
    expect(await judged({})).toBe('included')
    expect(await judged({ isDelegation: true, amount: 0 }, delegation)).toBe('included')
  })

  test.each([
    ...[{ to: 'B62other' }, { amount: 1 }, { fee: 1 }, { isDelegation: true }, { memo: 'not base58check' }],
    ...['', 'mem', 'memo ', 'Memo', '\0memo', 'memö'].map((memo) => ({ memo: encodeMemo(memo) })),
  ])('is another one where %j differs', async (changes) => {
    expect(await judged(changes)).toBe('superseded')
  })

  test.each(['', ' ', 'ä€😀', '\ufeffx', 'a'.repeat(32)])('is recognised with the memo %j', async (memo) => {
    const signed = { ...payment, payload: { ...payload, memo } }
    expect(await judged({ memo: encodeMemo(memo) }, signed)).toBe('included')
  })
})

describe('a nonce that was used in a block that does not show it', () => {
  /** A chain of 200 blocks, the command, and more blocks. */
  function longChain(blocksAfter: number, command: object = mine, height = 200) {
    const chain = new ModelChain(height)
    chain.add([{ ...mine, ...command }])
    for (let made = 0; made < blocksAfter; made++) chain.add()
    return chain
  }

  test('was used by a zkApp command: the command is superseded 15 blocks after that was first seen', async () => {
    const chain = chainWith()
    const { clock, waited } = waiting(chain, { onPause: (pauses) => chain.add(pauses === 2 ? [unseen] : []) })
    expect(await waited).toEqual({ state: 'superseded' })
    expect(clock.pausesMs).toHaveLength(2 + 15)
    // An earlier command of the sender ends the search.
    expect([chain.asked.includes('/blocks/3N20'), chain.asked.includes('/blocks/3N19')]).toEqual([true, false])
  })

  test('is counted anew where a fork uses it later', async () => {
    const chain = chainWith(unseen)
    const fork = () => [chain.add([], 3), chain.add(), chain.add([unseen])]
    const onPause = (pauses: number) => (pauses === 3 ? fork() : chain.add())
    const { clock, waited } = waiting(chain, { onPause, confirmations: 4 })
    expect(await waited).toEqual({ state: 'superseded' })
    expect(clock.pausesMs).toHaveLength(3 + 4)
  })

  test('is searched for back to the sending, an hour more for a clock that is wrong', async () => {
    const chain = longChain(0, unseen)
    expect(await stateOf(chain, { sentAtMs: noon, confirmations: 1 })).toEqual({ state: 'superseded' })
    const heights = chain.asked.flatMap((path) =>
      path.startsWith('/blocks/') ? [Number(path.slice('/blocks/3N'.length)) + 1] : [],
    )
    expect([Math.max(...heights), Math.min(...heights)]).toEqual([202, 140])
    expect(new Set(heights).size).toBe(heights.length)
  })

  test.each([
    // By this clock no time has passed, and half an hour by the blocks.
    ['by the time since the sending, not by the hour of this machine', 30, { sentAtMs: noon }],
    ['in all blocks where the clock was set back since the sending', 150, { sentAtMs: noon + 1, confirmations: 0 }],
    ['in all blocks where the time of sending is not given', 150, {}],
  ])('is searched for %s', async (_, confirmations, options) => {
    const found = await stateOf(longChain(confirmations), { ...still, ...options })
    expect(found).toMatchObject({ state: 'included', confirmations })
  })

  test('leaves the command undecided where the service does not have the blocks, or they are too many', async () => {
    const chain = longChain(310, mine, 400)
    const missing = { state: 'undecided', because: 'history-missing' }
    expect(await stateOf(chain, { ...still, patienceMs: 0 })).toEqual(missing)
    expect(chain.asked.length).toBeLessThan(310)
    chain.lowestHeight = 700
    expect(await stateOf(chain, { patienceMs: 60_000 })).toEqual(missing)
  })
})

describe('waitForInclusion', () => {
  test('asks for each block once, and needs no label', async () => {
    const chain = chainWith()
    chain.hasLabels = false
    chain.add([mine])
    await stateOf(chain, { onPause: (pauses) => (pauses % 2 ? undefined : chain.add()), depth: 3 })
    const blocks = chain.asked.filter((path) => path.startsWith('/blocks/'))
    expect(blocks).toEqual(['3N21', '3N22', '3N23', '3N24'].map((hash) => `/blocks/${hash}`))
    expect(chain.asked.filter((path) => path === '/summary').length).toBe(7)
  })

  test('outlives trouble of the service, with longer pauses', async () => {
    const chain = chainWith()
    chain.failures.push('lost', 503, 504)
    const { clock, waited } = waiting(chain, { onPause: (pauses) => pauses === 4 && chain.add([mine]) })
    expect(await waited).toMatchObject({ state: 'included' })
    expect(clock.pausesMs).toEqual([20_000, 40_000, 60_000, 10_000])
  })

  test('leaves the command undecided without any answer, and rejects with an error that does not pass', async () => {
    const chain = chainWith()
    chain.failures.push('lost')
    const noAnswer = { state: 'undecided', because: 'no-answer' }
    expect(await stateOf(chain, { ...still, patienceMs: 0 })).toEqual(noAnswer)
    chain.failures.push(500)
    await expect(stateOf(chain, still)).rejects.toMatchObject({ status: 500 })
    chain.failures.push(404, 404)
    chain.hasLabels = false
    await expect(stateOf(chain, still)).rejects.toMatchObject({ status: 404 })
  })

  test('rejects with the reason of its signal', async () => {
    const controller = new AbortController()
    const options = { onPause: () => controller.abort('enough'), signal: controller.signal }
    await expect(stateOf(chainWith(), options)).rejects.toBe('enough')
  })
})
