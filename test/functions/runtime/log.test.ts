import { expect, test } from '@jest/globals'
import { summariseCalls, withoutSignatures } from '../../../functions/runtime/log.ts'

test('the summary of calls has the longest duration and the failed ones, and is empty without calls', () => {
  const calls = [
    { operation: 'indexedAccount', durationMs: 29.9, outcome: 'unreachable' },
    { operation: 'accountByPublicKey', durationMs: 6017.8, outcome: 200 },
    { operation: 'nodeChainId', durationMs: 12, outcome: 503 },
  ]
  const failedCalls = 'indexedAccount unreachable, nodeChainId 503'
  expect(summariseCalls(calls)).toEqual({ slowestCallMs: 6017.8, failedCalls })
  expect(summariseCalls(calls.slice(1, 2))).toEqual({ slowestCallMs: 6017.8 })
  expect(summariseCalls([])).toEqual({})
})

test.each([
  ['a field element', '1'.repeat(77)],
  ['a raw signature', 'aB'.repeat(64)],
  ['a signature in base58check', `7m${'X'.repeat(94)}`],
])('a note never shows %s', (_what, signature) => {
  expect(withoutSignatures(`found ${signature} here`)).toBe('found … here')
})

test('a note has at most 2,000 characters, and millions of characters do not slow it down', () => {
  expect(withoutSignatures(`7m${'X'.repeat(7_000_000)}`)).toBe('…')
  expect(withoutSignatures('words '.repeat(1000))).toBe('words '.repeat(1000).slice(0, 2000))
})
