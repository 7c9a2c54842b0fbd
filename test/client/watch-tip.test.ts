import { describe, expect, test } from '@jest/globals'
import { pausedClock, type Scripted, scriptedClient } from './scripted-service.ts'

const tip = (stateHash: string): Scripted => ({ body: { stateHash, blockchainLength: 7 } })

/** The tips and pauses of a watch over these answers, aborted after the last one. */
async function watching(answers: readonly Scripted[], pollMs?: number) {
  const controller = new AbortController()
  const clock = pausedClock(() => asked.length >= answers.length && controller.abort())
  const { client, asked } = scriptedClient(answers, { retries: 0 }, clock)
  const tips: string[] = []
  await client.watchTip(({ value }) => tips.push(value.stateHash), { signal: controller.signal, pollMs })
  return { tips, pausesMs: clock.pausesMs }
}

describe('watchTip', () => {
  test('calls back with the present tip and with each new one, and polls every 10 seconds', async () => {
    expect(await watching([tip('3Na'), tip('3Na'), tip('3Nb'), tip('3Na')])).toEqual({
      tips: ['3Na', '3Nb', '3Na'],
      pausesMs: [10_000, 10_000, 10_000, 10_000],
    })
    expect((await watching([tip('3Na')], 3000)).pausesMs).toEqual([3000])
  })

  test('outlives trouble, with pauses that grow to ten seconds, or as long as the service asks for', async () => {
    const busy: Scripted = { status: 503, headers: { 'retry-after': '100' } }
    const lost = new TypeError('fetch failed')
    expect(await watching([tip('3Na'), lost, { status: 502 }, lost, lost, busy, tip('3Nb'), lost], 2000)).toEqual({
      tips: ['3Na', '3Nb'],
      pausesMs: [2000, 4000, 8000, 10_000, 10_000, 100_000, 2000, 4000],
    })
  })

  test('asks again ten seconds after trouble, however rare its polls are, and then less and less often', async () => {
    const lost = new TypeError('fetch failed')
    const { pausesMs } = await watching([tip('3Na'), lost, lost, lost, lost, lost, tip('3Nb'), lost], 120_000)
    expect(pausesMs).toEqual([120_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000, 10_000])
  })

  test('pauses for five minutes at most, whatever a proxy asks for', async () => {
    const asking = ['2147484', 'Fri, 31 Dec 9999 23:59:59 GMT', '1e999', 'soon']
    const busy = asking.map((given): Scripted => ({ status: 503, headers: { 'retry-after': given } }))
    const { pausesMs } = await watching([...busy, tip('3Na')])
    expect(pausesMs).toEqual([300_000, 300_000, 300_000, 10_000, 10_000])
  })

  test('outlives a 500, as it outlives every other fault of the service', async () => {
    expect(await watching([{ status: 500 }, tip('3Na')])).toEqual({ tips: ['3Na'], pausesMs: [10_000, 10_000] })
  })

  test.each([404, 400])('rejects with the service’s own %i', async (status) => {
    const { client } = scriptedClient([tip('3Na'), { status, body: { message: 'No.' } }])
    await expect(client.watchTip(() => undefined)).rejects.toMatchObject({ name: 'ServiceError', status })
  })

  test('rejects with the error of its callback', async () => {
    const failing = async () => Promise.reject(new Error('mine'))
    await expect(scriptedClient([tip('3Na')]).client.watchTip(failing)).rejects.toThrow('mine')
  })

  test('does not poll after its signal, and ends quietly when it is aborted during a question', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const { client, asked, clock } = scriptedClient([tip('3Na')])
    await client.watchTip(() => controller.abort(), { signal })
    await client.watchTip(() => undefined, { signal })
    expect([asked.length, clock.pausesMs]).toEqual([1, []])
    const during = new AbortController()
    const aborting = () => {
      during.abort()
      return new TypeError('aborted')
    }
    await scriptedClient([aborting]).client.watchTip(() => undefined, { signal: during.signal })
  })
})
