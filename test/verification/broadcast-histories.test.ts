// Broadcast histories through the real endpoints, and through wrong ones that the checker must detect.
import { describe, expect, test } from '@jest/globals'
import { type Broadcaster, service } from '../../verification/broadcast-histories/broadcaster.ts'
import { runHistory } from '../../verification/broadcast-histories/history.ts'
import { report } from '../../verification/broadcast-histories/judgement/report.ts'
import { isTruthful, runHistories, type Tally } from '../../verification/broadcast-histories/judgement/tally.ts'
import { wrongVariants } from '../../verification/broadcast-histories/wrong-variants.ts'

const ofOneAddress = await runHistories(1, 300, service)

describe('in broadcast histories', () => {
  test('every answer of the service is true', () => {
    const { faults, outcomes, requests, reasons } = ofOneAddress
    expect(faults).toEqual({
      'false failed': 0,
      'false sent': 0,
      'unexplained unknown': 0,
      lost: 0,
      'replacement lost': 0,
    })
    // The result means something only if the histories are eventful.
    expect(requests).toBeGreaterThan(2000)
    expect([...outcomes.keys()].sort()).toEqual(['accepted', 'already-known', 'refused', 'unknown'])
    const unknown = outcomes.get('unknown') ?? 0
    expect([...reasons.values()].reduce((sum, count) => sum + count, 0)).toBe(unknown)
  })

  test.each([
    ['refuses-lost-answers', 'false failed'],
    ['refuses-any-error', 'false failed'],
    ['believes-blindly', 'false sent'],
    ['sends-twice-blindly', 'false failed'],
  ] as const)('a service that %s has many a %s', async (name, fault) => {
    const tally = await runHistories(1, 100, wrongVariants[name])
    expect(tally.faults[fault]).toBeGreaterThan(20)
    expect(isTruthful(tally)).toBe(false)
    expect(report(tally, 0)).toMatch(new RegExp(`${fault} +${tally.faults[fault]} +--replay \\d+`))
  })

  describe('of three nodes with addresses of their own', () => {
    const places = { nodes: 3, hasOwnAddresses: true }
    const run = (histories: number, broadcaster: Broadcaster) =>
      runHistories(1, histories, broadcaster, undefined, places)

    test('every answer is true, and far fewer outcomes are unknown than with one address', async () => {
      const three = await run(300, service)
      expect(three.faults).toEqual({
        'false failed': 0,
        'false sent': 0,
        'unexplained unknown': 0,
        lost: 0,
        'replacement lost': 0,
      })
      const unknown = ({ outcomes }: Tally) => outcomes.get('unknown') ?? 0
      expect(unknown(three)).toBeGreaterThan(0)
      expect(unknown(three)).toBeLessThanOrEqual(unknown(ofOneAddress) / 4)
    })

    test.each([
      ['refuses-lost-answers', 'false failed'],
      ['refuses-any-error', 'false failed'],
      ['believes-blindly', 'false sent'],
      ['sends-twice-blindly', 'false failed'],
      ['takes-the-first-answer', 'false failed'],
      ['forgets-lost-answers', 'false failed'],
    ] as const)('a service that %s has many a %s', async (name, fault) => {
      const tally = await run(100, wrongVariants[name])
      expect(tally.faults[fault]).toBeGreaterThan(20)
      expect(isTruthful(tally)).toBe(false)
    })
  })

  test('of five nodes of which three get the command, every answer is true', async () => {
    const places = { nodes: 5, hasOwnAddresses: true }
    expect(isTruthful(await runHistories(1, 100, service, undefined, places))).toBe(true)
    const wrong = await runHistory('1005', wrongVariants['asks-three-nodes-only'], undefined, places)
    expect(wrong.requests.flatMap(({ faults }) => faults)).toContain('false failed')
    const right = await runHistory('1005', service, undefined, places)
    expect(right.requests.flatMap(({ faults }) => faults)).toEqual([])
  })

  test.each([
    ['believes-time-outs', '298'],
    ['believes-broken-connections', '323'],
  ] as const)('a service that %s is found out', async (name, seed) => {
    const places = { nodes: 3, hasOwnAddresses: true }
    const { requests } = await runHistory(seed, wrongVariants[name], undefined, places)
    expect(requests.flatMap(({ faults }) => faults)).toContain('false failed')
    const right = await runHistory(seed, service, undefined, places)
    expect(right.requests.flatMap(({ faults }) => faults)).toEqual([])
  })

  test('a request is lost by a service that never answers, throws, or gives no outcome', async () => {
    const never = await runHistory('1', () => new Promise(() => undefined))
    expect(never.requests.map(({ faults }) => faults)).toEqual(never.requests.map(() => ['lost']))
    const throwing = await runHistory('2', () => Promise.reject(new Error('broken')))
    expect(throwing.requests.map(({ faults }) => faults)).toEqual(throwing.requests.map(() => ['lost']))
    const silent = await runHistory('3', async () => ({ status: 400, body: { message: '' } }))
    expect(silent.requests.map(({ faults }) => faults)).toEqual(silent.requests.map(() => ['lost']))
  })

  test('a seed always gives the same history', async () => {
    const linesOf = async (seed: string) => {
      const lines: string[] = []
      await runHistory(seed, service, (line) => lines.push(line))
      return lines
    }
    expect(await linesOf('7')).toEqual(await linesOf('7'))
    expect(await linesOf('7')).not.toEqual(await linesOf('8'))
  })
})
