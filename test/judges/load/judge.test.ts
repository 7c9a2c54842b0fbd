// The judge of a mixed load: it accepts what the service answers and notices a single changed digit.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { judge } from '../../../packages/proofs/load/judge.ts'
import { createMix, type MixedRequest } from '../../../packages/proofs/load/mix.ts'
import { recordedChain } from '../../../packages/proofs/load/recorded-chain.ts'
import { references } from '../../../packages/proofs/load/reference.ts'
import type { Received } from '../../../packages/proofs/upstream-faults/setting/service.ts'

const options = { seed: 'judge', now: () => Date.UTC(2026, 0, 1), historyBlocks: 60, slotsPerEpoch: 10 }
const recorded = recordedChain(options)
const nextRequest = createMix('judge 3', recorded)
const right = references()
const answers: { readonly kind: MixedRequest['kind']; readonly received: Received }[] = []

beforeAll(async () => {
  const state = recorded.current()
  for (let sent = 0; sent < 30; sent += 1) {
    const { kind, path } = nextRequest()
    answers.push({ kind, received: await right.answer(state, state, path) })
  }
})
afterAll(() => right.close())

/** The first right answer to a request of this kind. */
function answerOf(kind: MixedRequest['kind']): Received {
  const found = answers.find((one) => one.kind === kind)
  if (found === undefined) throw new RangeError(`no answer of kind ${kind}`)
  return found.received
}

const withHeaders = (received: Received, headers: Readonly<Record<string, string>>): Received => ({
  ...received,
  headers: { ...received.headers, ...headers },
})

test('the judge calls a right answer of each kind complete', () => {
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(
    new Set(['blocks', 'block', 'old block', 'account', 'summary']),
  )
  const verdicts = answers.map(({ received }) => judge(received, [received], false).verdict)
  expect(verdicts).toEqual(answers.map(() => 'complete'))
})

describe('the judge calls an answer wrong', () => {
  test.each([
    ['blocks', /"totalCurrency":(\d+)\d/, '"totalCurrency":$10', 'totalCurrency: wanted'],
    ['blocks', /,"receivedTime":"[^"]*"/, '', 'receivedTime is absent without a word'],
    ['block', /"canonical":true/, '"canonical":false', 'canonical: wanted true, got false'],
    ['account', /"total":"(\d+\.\d{8})\d"/, '"total":"$1x"', '/account/balance/total: wanted'],
    ['summary', /"slot":\d+/, '"slot":"1"', '/slot: wanted'],
    ['summary', /\}$/, '', '/: wanted'],
  ] as const)('to %s, %p replaced by %p', (kind, from, to, reason) => {
    const usual = answerOf(kind)
    const judged = judge({ ...usual, text: usual.text.replace(from, to) }, [usual], false)
    expect(judged.verdict).toBe('wrong')
    expect(judged.reason).toContain(reason)
  })

  test('that shows another state than it may, or none', () => {
    const [summary, blocks] = [answerOf('summary'), answerOf('blocks')]
    expect(judge(summary, [blocks], false).verdict).toBe('wrong')
    expect(judge(summary, [], false)).toEqual({ verdict: 'wrong', reason: 'no answer would be right' })
  })
})

test('an answer is incomplete where it names its missing fields and is kept for a second only', () => {
  const usual = answerOf('block')
  const text = usual.text.replace(/,"receivedTime":"[^"]*"/, '')
  const naming = (missing: string, cacheControl = 'public, max-age=1, stale-if-error=0') =>
    judge(
      withHeaders({ ...usual, text }, { 'x-missing-fields': missing, 'cache-control': cacheControl }),
      [usual],
      false,
    )
  expect(naming('receivedTime')).toEqual({ verdict: 'incomplete' })
  expect([naming('receivedTime,canonical').reason, naming('receivedTime', 'public, max-age=60').reason]).toEqual([
    'canonical is there, and called missing',
    'kept 60 s without all its fields',
  ])
})

test('only an answer behind an earlier one may be complete and kept for a second', () => {
  const usual = answerOf('blocks')
  const brief = withHeaders(usual, { 'cache-control': 'public, max-age=1, stale-if-error=0' })
  expect([judge(brief, [usual], false, true).verdict, judge(brief, [usual], false).verdict]).toEqual([
    'complete',
    'wrong',
  ])
})

test('a 503 is unknowable where only a failed indexer could have answered, and a fault elsewhere', () => {
  const received = { status: 503, headers: {}, text: '{}' }
  expect([judge(received, [], true), judge(received, [], false)]).toEqual([
    { verdict: 'unknowable' },
    { verdict: '5xx', reason: '503 {}' },
  ])
})
