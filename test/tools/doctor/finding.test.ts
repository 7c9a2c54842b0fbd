import { expect, test } from '@jest/globals'
import { safeLineOf } from '../../../tools/doctor/examination.ts'
import { fail, isHealthy, lineOf, ok, summaryOf, warn } from '../../../tools/doctor/finding.ts'

test('a finding is one line, even where an upstream sent a page', () => {
  const page = `<html>\n  <body>${'x'.repeat(2000)}`
  expect([ok('node', 'fine'), warn('node', 'slow', 'wait'), fail('node', page, 'fix it')].map(lineOf)).toEqual([
    'ok   node: fine',
    'warn node: slow -> wait',
    `fail node: <html> <body>${'x'.repeat(987)}… -> fix it`,
  ])
})

test('the last line counts, in the singular too, and a failure makes the service unhealthy', () => {
  expect(summaryOf([ok('a', '')])).toBe('1 check: 1 ok, 0 warnings, 0 failures')
  const some = [ok('a', ''), warn('b', '', ''), fail('c', '', ''), fail('d', '', '')]
  expect(summaryOf(some)).toBe('4 checks: 1 ok, 1 warning, 2 failures')
  expect([some.slice(0, 2), some].map(isHealthy)).toEqual([true, false])
})

test('a secret that an upstream repeats is not printed, nor a part of one that a cut would leave', () => {
  for (const before of [980, 990, 995, 999]) {
    const said = `${'x'.repeat(before)}s3cret-of-the-node`
    expect(safeLineOf(fail('node', said, 'fix it'), ['s3cret-of-the-node'])).not.toMatch(/x(?:s3?)/)
  }
  expect(safeLineOf(fail('node', 'the key s3cret is not s3cret2', 'pass another'), ['s3cret', 'key'])).toBe(
    'fail node: the key … is not …2 -> pass another',
  )
})
