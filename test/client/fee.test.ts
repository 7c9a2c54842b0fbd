// The fee to sign, over HTTP: a service may suggest anything, and the caller pays at most what the caller allows.
import { expect, test } from '@jest/globals'
import { createClient, type FeeOptions } from '../../packages/client/src/client.ts'
import { runService } from '../end-to-end/running-service.ts'
import { serve } from '../serving.ts'
import { pausedClock } from './scripted-service.ts'

/** A client of a service that suggests these fees. */
async function suggesting(suggested: unknown) {
  const body = JSON.stringify({ blocks: 20, included: { count: 0 }, pool: { count: 0 }, suggested })
  const { url } = await serve((_request, response) => response.end(body))
  return createClient({ baseUrl: url, clock: pausedClock() })
}

const thousands = { economy: '1000000', normal: '10000000', fast: '90000000' }
/** 10,000 MINA. */
const fortune = '10000000000000'

test.each<[string, unknown, FeeOptions | undefined, bigint]>([
  ['the normal suggestion', thousands, undefined, 10_000_000n],
  ['the suggestion for the speed', thousands, { speed: 'fast' }, 90_000_000n],
  ['the caller’s maximum in place of more', thousands, { speed: 'fast', maxFee: 89_999_999n }, 89_999_999n],
  ['0.1 MINA for a service that suggests 10,000 MINA', { normal: fortune }, undefined, 100_000_000n],
  ['the caller’s maximum for one that suggests 10,000 MINA', { normal: fortune }, { maxFee: 1_000_000n }, 1_000_000n],
  ['10,000 MINA only where the caller allows it', { normal: fortune }, { maxFee: 10n ** 14n }, 10n ** 13n],
])('the fee is %s', async (_, suggested, options, fee) => {
  expect(await (await suggesting(suggested)).suggestedFee(options)).toBe(fee)
})

test.each([{ normal: -1 }, { normal: '-1' }, { normal: '0.1' }, { normal: '1e13' }, { normal: null }, {}, undefined])(
  'no fee comes of the suggestion %j',
  async (suggested) => {
    const reading = (await suggesting(suggested)).suggestedFee()
    await expect(reading).rejects.toMatchObject({ name: 'ServiceError', status: 200 })
  },
)

test('what commands paid and the constants of the network have amounts as bigint', async () => {
  const client = createClient({ baseUrl: (await runService()).url })
  const paid = { min: expect.any(BigInt), median: expect.any(BigInt), p75: expect.any(BigInt) }
  const suggested = { economy: expect.any(BigInt), normal: expect.any(BigInt), fast: expect.any(BigInt) }
  expect((await client.fees()).value).toEqual({
    blocks: 20,
    included: { count: expect.any(Number), ...paid },
    pool: { count: expect.any(Number) },
    suggested,
  })
  const amounts = { coinbase: 360_000_000_000n, accountCreationFee: 1_000_000_000n, minimumFee: 1_000_000n }
  expect((await client.network()).value).toMatchObject({ networkName: 'testnet', ...amounts })
})
