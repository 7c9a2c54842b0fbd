import { describe, expect, test } from '@jest/globals'
import { credited, hasBudget, spent } from '../../../../functions/runtime/nodes/rules/budget.ts'
import { decide, type Ended, mayHedge, type Progress } from '../../../../functions/runtime/nodes/rules/decide.ts'
import { cancelled, failed, isDemoted, succeeded } from '../../../../functions/runtime/nodes/rules/health.ts'
import { hedgeDelayMs } from '../../../../functions/runtime/nodes/rules/hedge.ts'
import { withHeight } from '../../../../functions/runtime/nodes/rules/heights.ts'
import { elected, ranked } from '../../../../functions/runtime/nodes/rules/rank.ts'
import { initialState, nodeAt, type PoolState, withNode } from '../../../../functions/runtime/nodes/rules/state.ts'
import { WireError } from '../../../../shared/upstream/errors.ts'

const now = Date.UTC(2026, 0, 1)
const fresh = nodeAt(initialState(1, 0), 0)

/** A pool whose nodes have answered with these latencies. */
const heard = (...latencies: readonly number[]): PoolState =>
  latencies.reduce(
    (state, latencyMs, index) => withNode(state, index, (node) => succeeded(node, latencyMs, now)),
    initialState(latencies.length, 0),
  )

describe('the hedge delay', () => {
  const after = (...latencies: readonly number[]) =>
    hedgeDelayMs(latencies.reduce((node, latencyMs) => succeeded(node, latencyMs, now), fresh))

  test.each([
    ['500 ms under ten samples', Array(9).fill(20), 500],
    ['never under 100 ms', Array(10).fill(20), 100],
    ['never over 1,500 ms', Array(10).fill(9000), 1500],
    ['the 90th percentile', Array.from({ length: 20 }, (_, index) => 100 + index), 117],
    ['of the last 64 answers', [...Array(100).fill(1400), ...Array(64).fill(200)], 200],
  ])('is %s', (_what, latencies, delayMs) => {
    expect(after(...latencies)).toBe(delayMs)
  })
})

describe('the budget', () => {
  test('pays for two calls at first, and for one more after ten successes, up to five', () => {
    let state = spent(spent(initialState(3, 0)))
    const after = []
    for (let success = 1; success <= 10; success++) {
      state = credited(state)
      after.push(hasBudget(state))
    }
    expect(after).toEqual([...Array(9).fill(false), true])
    for (let success = 0; success < 1000; success++) state = credited(state)
    let calls = 0
    for (; hasBudget(state); calls++) state = spent(state)
    expect(calls).toBe(5)
  })
})

describe('a node', () => {
  const seconds = (node: typeof fresh) => (node.demotedUntil - now) / 1000

  test.each(['timeout', 'unreachable'] as const)('is demoted by one %s', (fault) => {
    expect(isDemoted(failed(fresh, fault, now), now)).toBe(true)
  })

  test.each(['busy', 'unreadable', 'mismatched'] as const)(
    'is demoted by two answers in a row that are %s',
    (fault) => {
      const once = failed(fresh, fault, now)
      expect(isDemoted(once, now)).toBe(false)
      expect(isDemoted(failed(once, fault, now), now)).toBe(true)
      expect(isDemoted(failed(succeeded(once, 50, now), fault, now), now)).toBe(false)
    },
  )

  test('is demoted for 10 s, twice as long each time up to 60 s, and for 10 s again after a success', () => {
    let node = fresh
    const lengths = []
    let at = now
    for (let time = 0; time < 5; time++) {
      node = failed(node, 'timeout', at)
      lengths.push((node.demotedUntil - at) / 1000)
      at = node.demotedUntil
    }
    expect(lengths).toEqual([10, 20, 40, 60, 60])
    expect(seconds(failed(succeeded(node, 50, now), 'timeout', now))).toBe(10)
  })

  test('is demoted once by calls that fail side by side', () => {
    expect(seconds(failed(failed(fresh, 'timeout', now), 'timeout', now))).toBe(10)
  })

  test('is demoted by two overdue calls that were cancelled, not by young ones, and on trial by the first', () => {
    const once = cancelled(fresh, true, now)
    expect([once, cancelled(once, true, now)].map((node) => isDemoted(node, now))).toEqual([false, true])
    expect(cancelled(fresh, false, now)).toBe(fresh)
    const demoted = failed(fresh, 'timeout', now)
    expect(isDemoted(cancelled(demoted, true, demoted.demotedUntil), demoted.demotedUntil)).toBe(true)
  })
})

describe('the order', () => {
  const label = (height: number, syncStatus = 'SYNCED') => ({ height, stateHash: 'h', atMs: now, syncStatus })

  test('begins with a random node', () => {
    expect([0, 0.4, 0.9].map((random) => ranked(initialState(3, random), now))).toEqual([
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
    ])
  })

  test('has the best tip first, then a block behind, then further behind or not synced, then demoted', () => {
    const labels = [label(100, 'CATCHUP'), label(97), label(99), label(100)]
    const state = [3, 2, 1, 0].reduce(
      (before, index) => withHeight(before, index, labels[index] ?? label(0), now),
      heard(10, 20, 30, 40, 5),
    )
    const demoted = withNode(state, 4, (node) => failed(node, 'timeout', now))
    expect(ranked(elected(demoted, now), now)).toEqual([3, 2, 0, 1, 4])
  })

  test('gives the lead to a node that is 30 % faster, and not within 30 s', () => {
    const state = { ...heard(100, 71), leaderSince: now }
    expect(elected(state, now + 60_000).leader).toBe(0)
    const faster = { ...heard(100, 69), leaderSince: now }
    expect([29_999, 30_000].map((passedMs) => elected(faster, now + passedMs).leader)).toEqual([0, 1])
  })

  test('gives the lead at once when the leader falls behind or is demoted', () => {
    const state = { ...heard(10, 90), leaderSince: now }
    const behind = withHeight(withHeight(state, 1, label(100), now), 0, label(99), now)
    const demoted = withNode(state, 0, (node) => failed(node, 'timeout', now))
    expect([behind, demoted].map((each) => elected(each, now).leader)).toEqual([1, 1])
  })
})

describe('the next step', () => {
  const reply = { status: 200, data: {}, errors: [] }
  const answer = (node: number, changes: Partial<Extract<Ended, { kind: 'answer' }>> = {}): Ended => ({
    ...{ kind: 'answer', node, reply, label: undefined, isMissing: false, isBehind: false, isStale: false },
    ...changes,
  })
  const failure = (node: number): Ended => ({
    ...{ kind: 'failure', node, error: new WireError('timeout', ''), isBehind: false, isStale: false },
  })
  const stepAfter = (ended: readonly Ended[], changes: Partial<Progress> = {}) => {
    const step = decide({ ended, running: 0, isUsableLeft: true, mayFailOver: true, hasBudget: true, ...changes })
    return 'answer' in step ? `answer of ${step.answer.node}` : 'why' in step ? step.why : step.do
  }
  const isMissing = true
  const isBehind = true

  test.each<[string, string, readonly Ended[], Partial<Progress>?]>([
    ['a good answer', 'answer of 1', [answer(1)], { running: 1 }],
    ['a failure', 'failover', [failure(0)]],
    ['a failure beside a call that runs', 'failover', [failure(0)], { running: 1 }],
    ['a failure without a successor', 'give-up', [failure(0)], { mayFailOver: false }],
    ['a failure without a successor beside a call that runs', 'wait', [failure(0)], { mayFailOver: false, running: 1 }],
    ['three failures', 'give-up', [failure(0), failure(1), failure(2)]],
    ['a missing thing', 'confirm', [answer(0, { isMissing })], { hasBudget: false }],
    ['a missing thing beside a call that runs', 'wait', [answer(0, { isMissing })], { running: 1 }],
    ['a thing missing twice', 'answer of 0', [answer(0, { isMissing }), answer(1, { isMissing })]],
    ['a thing missing on the only usable node', 'answer of 0', [answer(0, { isMissing })], { isUsableLeft: false }],
    ['a missing thing and a failure', 'confirm', [answer(0, { isMissing }), failure(1)]],
    ['a thing missing behind, twice', 'confirm', [0, 1].map((node) => answer(node, { isMissing, isBehind }))],
    ['an answer behind', 'confirm', [answer(0, { isBehind })]],
    ['an answer behind on the last node', 'answer of 0', [answer(0, { isBehind })], { isUsableLeft: false }],
    [
      'a found thing behind and a missing one',
      'answer of 0',
      [answer(0, { isBehind }), answer(1, { isMissing })],
      { isUsableLeft: false },
    ],
    ['an old tip', 'stale', [answer(0, { isStale: true })]],
    ['two old tips', 'answer of 0', [answer(0, { isStale: true }), answer(1, { isStale: true })]],
    ['an old tip and a failure', 'answer of 0', [answer(0, { isStale: true }), failure(1)]],
  ])('after %s is %s', (_what, step, ended, ...[changes]) => {
    expect(stepAfter(ended, changes)).toBe(step)
  })

  test('is never a third call at a time or a fourth in all', () => {
    const progress = { ended: [], running: 1, isUsableLeft: true, mayFailOver: true, hasBudget: true }
    expect([
      mayHedge(progress),
      mayHedge({ ...progress, running: 2 }),
      mayHedge({ ...progress, hasBudget: false }),
      mayHedge({ ...progress, ended: [failure(0)] }),
      stepAfter([failure(0)], { running: 2 }),
    ]).toEqual([true, false, false, true, 'wait'])
    expect(mayHedge({ ...progress, ended: [failure(0), failure(1)] })).toBe(false)
  })
})
