import { expect, test } from '@jest/globals'
import { summaryOf } from '../../../functions/runtime/log.ts'

test('of the calls of a request the longest and the failed ones are named', () => {
  const calls = [
    { operation: 'indexedAccount', durationMs: 29.9, outcome: 'unreachable' },
    { operation: 'accountByPublicKey', durationMs: 6017.8, outcome: 200 },
    { operation: 'nodeChainId', durationMs: 12, outcome: 503 },
  ]
  expect(summaryOf(calls)).toEqual({
    slowestCallMs: 6017.8,
    failedCalls: 'indexedAccount unreachable, nodeChainId 503',
  })
})

test('of calls that were all answered none is named, and of no calls nothing is said', () => {
  expect(summaryOf([{ operation: 'latestBlocks', durationMs: 5, outcome: 200 }])).toEqual({ slowestCallMs: 5 })
  expect(summaryOf([])).toEqual({})
})
