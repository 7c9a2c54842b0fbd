import { describe, expect, test } from '@jest/globals'
import { noon, pausedClock, type Scripted, scriptedClient } from './scripted-service.ts'
import { accepted, delegation, payment } from './signed.ts'

const sent: Scripted = { status: 201, body: accepted() }
const lost = new TypeError('fetch failed')

const answered = (outcome: string, code: string, retriable = true): Scripted => ({
  status: 400,
  headers: { 'x-broadcast-outcome': outcome, 'x-broadcast-code': code, 'x-broadcast-retriable': String(retriable) },
  body: { message: 'Error in sending transaction', error: 'why' },
})

/** What `sendUntilKnown` makes of these answers: how often it sent, how long it paused, and the outcome. */
async function sendingOver(answers: readonly Scripted[], options: { patienceMs?: number } = {}) {
  const { client, asked, clock } = scriptedClient(answers)
  const outcome = await client.sendUntilKnown(payment, options)
  return {
    asked,
    clock,
    result: [outcome.outcome, 'code' in outcome ? outcome.code : outcome.hash],
    sent: asked.length,
  }
}

describe('sending until the outcome is known', () => {
  test.each<[string, Scripted, readonly string[]]>([
    ['accepted', sent, ['accepted', '5Ju']],
    ['refused', answered('refused', 'fee-too-low', false), ['refused', 'fee-too-low']],
    [
      'refused, though it could succeed later',
      answered('refused', 'insufficient-funds'),
      ['refused', 'insufficient-funds'],
    ],
    ['unknown, with a used nonce', answered('unknown', 'bad-nonce', false), ['unknown', 'bad-nonce']],
    ['lost at a wrong address', { status: 404 }, ['unknown', 'no-answer']],
  ])('ends with the first answer that is %s', async (_what, answer, result) => {
    expect(await sendingOver([answer])).toMatchObject({ sent: 1, result, clock: { pausesMs: [] } })
  })

  test('sends the same bytes again after each lost answer, with longer pauses', async () => {
    const unknown = answered('unknown', 'timeout')
    const { asked, result, clock } = await sendingOver([lost, { status: 502 }, unknown, lost, lost, lost, sent])
    expect(result).toEqual(['accepted', '5Ju'])
    expect(clock.pausesMs).toEqual([500, 1000, 2000, 4000, 8000, 10_000])
    expect(new Set(asked.map((each) => JSON.stringify(each))).size).toBe(1)
  })

  test('waits as long as the service asks for', async () => {
    const { clock } = await sendingOver([{ status: 429, headers: { 'retry-after': '20' } }, sent])
    expect(clock.pausesMs).toEqual([20_000])
  })

  test('believes a refusal after a lost answer only when the lost request must have ended', async () => {
    const refused = answered('refused', 'insufficient-funds')
    const { result, clock, sent: times } = await sendingOver([lost, refused])
    expect(result).toEqual(['refused', 'insufficient-funds'])
    const waitedMs = clock.now() - noon
    expect(waitedMs).toBeGreaterThanOrEqual(30_000)
    expect(waitedMs).toBeLessThan(45_000)
    expect(times).toBe(clock.pausesMs.length + 1)
    // The command of the lost request came late, after one that was refused.
    expect(await sendingOver([lost, refused, refused, sent])).toMatchObject({ result: ['accepted', '5Ju'] })
  })

  test('believes a refusal at once when the request before it was only throttled', async () => {
    expect(await sendingOver([{ status: 429 }, answered('refused', 'expired', false)])).toMatchObject({
      sent: 2,
      result: ['refused', 'expired'],
    })
  })

  test('says unknown when patience ends, also over a refusal that it does not believe yet', async () => {
    const options = { patienceMs: 5000 }
    expect(await sendingOver([lost], options)).toMatchObject({
      result: ['unknown', 'no-answer'],
      clock: { pausesMs: [500, 1000, 2000] },
    })
    expect(await sendingOver([lost, answered('refused', 'expired', false)], options)).toMatchObject({
      result: ['unknown', 'expired'],
    })
    expect(await sendingOver([lost], { patienceMs: 0 })).toMatchObject({ sent: 1, result: ['unknown', 'no-answer'] })
  })

  test('says unknown when it is aborted after something was sent', async () => {
    const controller = new AbortController()
    const clock = pausedClock(() => controller.abort('enough'))
    const { client, asked } = scriptedClient([lost, sent], {}, clock)
    expect(await client.sendUntilKnown(payment, { signal: controller.signal })).toMatchObject({ outcome: 'unknown' })
    expect(asked).toHaveLength(1)
  })

  test('sends a delegation as one', async () => {
    const { client, asked } = scriptedClient([{ status: 404 }])
    await client.sendUntilKnown(delegation)
    await client.sendUntilKnown({ signature: 'ab', data: delegation.payload })
    await client.sendUntilKnown({ signature: 'ab', data: payment.payload })
    expect(asked.map(({ url }) => url.replace(/.*\//, ''))).toEqual(['delegation', 'delegation', 'transaction'])
  })
})
