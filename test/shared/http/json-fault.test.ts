import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { jsonFault } from '../../../shared/http/json-fault.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON, and the same with some of its characters removed, doubled or replaced. */
const texts = fc
  .tuple(
    fc.json({ depthSize: 'medium' }),
    fc.array(fc.tuple(fc.nat(60), fc.nat(2), fc.constantFrom(...'{}[]",:\\ 0-1.eEtn\n\u0000u')), { maxLength: 3 }),
  )
  .map(([json, edits]) =>
    edits.reduce(
      (text, [at, removed, added]) => text.slice(0, at) + (removed === 2 ? '' : added) + text.slice(at + removed),
      json,
    ),
  )
  .filter((text) => text.trim() !== '')

test('a text has a fault if and only if JSON.parse rejects it', () => {
  const counts = { json: 0, others: 0 }
  fc.assert(
    fc.property(texts, (text) => {
      expect([text, jsonFault(text) === undefined]).toEqual([text, isJson(text)])
      counts[isJson(text) ? 'json' : 'others'] += 1
    }),
    { seed: 17, numRuns: 2000 },
  )
  expect(Math.min(counts.json, counts.others)).toBeGreaterThan(400)
})
