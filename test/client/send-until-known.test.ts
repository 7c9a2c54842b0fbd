import { describe, expect, test } from '@jest/globals'
import { createClient, type ServiceError } from '../../packages/client/src/client.ts'
import { network, noon, pausedClock, type Scripted, scriptedClient } from './scripted-service.ts'
import { accepted, delegation, payment } from './signed.ts'

const sent: Scripted = { status: 201, body: accepted() }
const lost = new TypeError('fetch failed')

const answered = (outcome: string, code: string, retriable = true): Scripted => ({
  status: 400,
  headers: { 'x-broadcast-outcome': outcome, 'x-broadcast-code': code, 'x-broadcast-retriable': String(retriable) },
  body: { message: 'Error in sending transaction', error: 'why' },
})
const expired = answered('refused', 'expired', false)

/** The outcome of `sendUntilKnown` over these answers, and the number of requests that it took. */
async function sendingOver(answers: readonly Scripted[], options: { patienceMs?: number } = {}) {
  const { client, asked, clock } = scriptedClient(answers)
  const outcome = await client.sendUntilKnown(payment, options)
  const result = [outcome.outcome, 'code' in outcome ? outcome.code : outcome.hash]
  return { asked, clock, result, sent: asked.length }
}

describe('sendUntilKnown', () => {
  test.each<[string, Scripted, readonly string[]]>([
    ['accepted', sent, ['accepted', '5Ju']],
    ['refused', expired, ['refused', 'expired']],
    ['refused, though it could succeed later', answered('refused', 'other'), ['refused', 'other']],
    ['unknown, with a used nonce', answered('unknown', 'bad-nonce', false), ['unknown', 'bad-nonce']],
    ['a 404 of the service', { status: 404, body: { message: 'No.' } }, ['unknown', 'no-answer']],
  ])('ends with the first answer that is %s', async (_, answer, result) => {
    expect(await sendingOver([answer])).toMatchObject({ sent: 1, result, clock: { pausesMs: [] } })
  })

  test('sends the same bytes again after each lost answer, with longer pauses', async () => {
    const unknown = answered('unknown', 'timeout')
    const { asked, result, clock } = await sendingOver([lost, { status: 502 }, unknown, lost, lost, lost, sent])
    expect(result).toEqual(['accepted', '5Ju'])
    expect(clock.pausesMs).toEqual([500, 1000, 2000, 4000, 8000, 10_000])
    expect(new Set(asked.map((each) => JSON.stringify(each))).size).toBe(1)
  })

  test('ends with its patience where the machine’s clock is set back, as a wait for inclusion does', async () => {
    const absent: Scripted = {
      body: { transaction: { hash: '5Ju', state: 'absent', sending: 'possible', searched: {} } },
    }
    const setBack = () => {
      const clock = pausedClock()
      const isLater = () => clock.pausesMs.length > 1
      return { ...clock, now: () => clock.now() - (isLater() ? 3_600_000 : 0) }
    }
    const sending = scriptedClient([lost], {}, setBack())
    expect(await sending.client.sendUntilKnown(payment, { patienceMs: 4000 })).toMatchObject({ outcome: 'unknown' })
    expect(sending.clock.pausesMs).toEqual([500, 1000, 2000, 1500])
    const waiting = scriptedClient([absent, lost], {}, setBack())
    const inclusion = await waiting.client.waitForInclusion(payment, '5Ju', { patienceMs: 6000 })
    expect(inclusion).toMatchObject({ state: 'undecided' })
    expect(waiting.clock.pausesMs).toEqual([500, 1000, 2000, 3500, 6000])
  })

  test('says unknown for a refusal after a lost answer, once the lost request must have ended', async () => {
    const refused = answered('refused', 'insufficient-funds')
    const { result, clock, sent: times } = await sendingOver([lost, refused])
    expect(result).toEqual(['unknown', 'insufficient-funds'])
    const waitedMs = clock.now() - noon
    expect(waitedMs).toBeGreaterThanOrEqual(30_000)
    expect(waitedMs).toBeLessThan(45_000)
    expect(times).toBe(clock.pausesMs.length + 1)
    // The command of the lost request came late, after one that was refused.
    expect(await sendingOver([lost, refused, refused, sent])).toMatchObject({ result: ['accepted', '5Ju'] })
  })

  test.each(['invalid-signature', 'memo-too-long', 'invalid-request'])(
    'believes %s at once, even after a lost answer: no node takes these bytes',
    async (code) => {
      const result = ['refused', code]
      expect(await sendingOver([lost, answered('refused', code, false)])).toMatchObject({ sent: 2, result })
    },
  )

  test('pauses as long as the service asks for, and believes a refusal at once after a throttled request', async () => {
    const throttled = { status: 429, headers: { 'retry-after': '20' } }
    const result = ['refused', 'expired']
    expect(await sendingOver([throttled, expired])).toMatchObject({ sent: 2, result, clock: { pausesMs: [20_000] } })
  })

  test('sends a last time when patience ends, and says unknown, also over a refusal that it does not believe yet', async () => {
    const options = { patienceMs: 5000 }
    const result = ['unknown', 'no-answer']
    const pausesMs = [500, 1000, 2000, 1500]
    expect(await sendingOver([lost], options)).toMatchObject({ result, sent: 5, clock: { pausesMs } })
    const busy = { status: 429, headers: { 'retry-after': '60' } }
    const accepted = { result: ['accepted', '5Ju'], clock: { pausesMs: [5000] } }
    expect(await sendingOver([busy, sent], options)).toMatchObject(accepted)
    expect(await sendingOver([lost, expired], options)).toMatchObject({ result: ['unknown', 'expired'] })
    expect(await sendingOver([lost], { patienceMs: 0 })).toMatchObject({ sent: 1, result })
  })

  test('says unknown when it is aborted after a request was sent', async () => {
    const controller = new AbortController()
    const clock = pausedClock(() => controller.abort('enough'))
    const { client, asked } = scriptedClient([lost, sent], {}, clock)
    expect(await client.sendUntilKnown(payment, { signal: controller.signal })).toMatchObject({ outcome: 'unknown' })
    expect(asked).toHaveLength(1)
  })

  test('waits while the network is paused, and says so when patience ends', async () => {
    const paused = answered('refused', 'network-paused')
    const { result, clock, sent: times } = await sendingOver([...Array(6).fill(paused), sent])
    expect([result, times]).toEqual([['accepted', '5Ju'], 7])
    expect(clock.pausesMs).toEqual([500, 1000, 2000, 4000, 8000, 10_000])
    const options = { patienceMs: 5000 }
    expect(await sendingOver([paused], options)).toMatchObject({ result: ['refused', 'network-paused'], sent: 5 })
    expect(await sendingOver([lost, paused], options)).toMatchObject({ result: ['unknown', 'network-paused'] })
  })

  test('tells of each sending that nothing answers, as of one while the wallet is offline', async () => {
    const told: unknown[] = []
    const onTrouble = ({ code, status, shortMessage }: ServiceError) => told.push([code, status, shortMessage])
    const { client } = scriptedClient([lost, { status: 502 }, answered('unknown', 'timeout'), sent])
    expect(await client.sendUntilKnown(payment, { onTrouble })).toMatchObject({ outcome: 'accepted' })
    const offline = createClient({
      ...{ baseUrl: 'https://service.example', network, clock: pausedClock() },
      fetch: async () => {
        throw lost
      },
    })
    expect(await offline.sendUntilKnown(payment, { patienceMs: 0, onTrouble })).toMatchObject({ outcome: 'unknown' })
    expect(told).toEqual([
      ['network', 0, 'fetch failed'],
      ['unavailable', 502, '502'],
      ['network', 0, 'fetch failed'],
    ])
  })

  test('sends a command without an amount as a delegation', async () => {
    const { client, asked } = scriptedClient([{ status: 404, body: { message: 'No.' } }])
    await client.sendUntilKnown(delegation)
    await client.sendUntilKnown({ signature: 'ab', data: delegation.payload })
    await client.sendUntilKnown({ signature: 'ab', data: payment.payload })
    expect(asked.map(({ url }) => url.replace(/.*\//, ''))).toEqual(['delegation', 'delegation', 'transaction'])
  })
})
