// Broadcasts in the simulated world, and questions for the fate of their commands, through the chain that the functions use and through wrong ones.
import { describe, expect, test } from '@jest/globals'
import { runHistory } from '../../../packages/proofs/world/broadcasts/history.ts'
import { nothingWrong } from '../../../packages/proofs/world/broadcasts/record.ts'
import { isTruthful, report, runHistories } from '../../../packages/proofs/world/broadcasts/tally.ts'
import { service, serviceAs } from '../../../packages/proofs/world/service/service.ts'
import { lies } from '../../../packages/proofs/world/variants/lies.ts'

/** At so many moments of each history the fate of a command is asked for. */
const fatesAsked = 4

/** A cold instance without a pin cannot tell a foreign node from its own while the first listed one is silent. */
const nobodyCouldKnow = { 'sent elsewhere, the first listed node silent': expect.any(Number) }

// A sample: the bench of broadcast histories runs thousands in each layout.
describe('every answer is true', () => {
  const fatesMet = ['404', 'absent nonce-used', 'absent possible', 'included', 'pending', 'replaced']
  test.each([
    ['one address', 36],
    ['three addresses', 36],
    ['nodes behind', 24],
    ['mixed', 40],
  ] as const)('in histories with %s', async (layout, histories) => {
    const { faults, outcomes, fates, requests, reasons } = await runHistories(1, histories, service, layout, fatesAsked)
    expect(faults).toEqual({ ...nothingWrong, ...nobodyCouldKnow })
    // The result means something only if the histories are eventful.
    expect(requests).toBeGreaterThan(150)
    expect([...outcomes.keys()].sort()).toEqual(['accepted', 'already-known', 'refused', 'unknown'])
    expect([...fates.keys()]).toEqual(expect.arrayContaining(fatesMet))
    expect([...reasons.values()].reduce((sum, count) => sum + count, 0)).toBe(outcomes.get('unknown'))
  })

  test('and beside a healthy node every good command is sent at once', async () => {
    const { faults, outcomes } = await runHistories(1, 30, service, 'beside a healthy node')
    expect(faults).toEqual(nothingWrong)
    expect(outcomes.get('accepted')).toBeGreaterThan(30)
  })
})

test.each([
  ['calls an unknown outcome refused', 37, 'one address', 'false failed'],
  ['calls an unknown outcome sent', 15, 'one address', 'false sent'],
  ['never answers', 1, 'one address', 'lost'],
  ['takes a broken connection for one that was never made', 21, 'three addresses', 'false failed'],
] as const)('the judge sees a service that %s, by history %i', async (name, first, layout, fault) => {
  const tally = await runHistories(first, 1, serviceAs(lies[name]), layout)
  expect(tally.faults[fault]).toBeGreaterThan(0)
  expect(isTruthful(tally)).toBe(false)
  expect(report(tally)).toMatch(new RegExp(`${fault} +${tally.faults[fault]} +--replay \\d+`))
})

test('a seed always gives the same history', async () => {
  const linesOf = async (seed: string) => {
    const lines: string[] = []
    await runHistory(seed, service, 'mixed', { log: (line) => lines.push(line) })
    return lines
  }
  expect(await linesOf('7')).toEqual(await linesOf('7'))
  expect(await linesOf('7')).not.toEqual(await linesOf('8'))
})
