// Counted rather than timed.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { viewerFunctionCode } from '../../../infra/edge/viewer-function.ts'
import { viewerRequest } from '../../../verification/edge-model/traffic/viewer-request.ts'
import type { Count } from './count-steps.ts'

/** The steps that a viewer function takes for each target, the same in every run. */
function stepsOf(code: string, targets: readonly string[]): readonly number[] {
  const count: Count = { code, requests: targets.map((target) => viewerRequest('GET', target)) }
  const flags = ['--no-opt', '--no-maglev', '--no-sparkplug']
  const script = fileURLToPath(new URL('count-steps.ts', import.meta.url))
  const printed = execFileSync(process.execPath, [...flags, script], { input: JSON.stringify(count), encoding: 'utf8' })
  return JSON.parse(printed)
}

/** The longest address that CloudFront accepts. */
const maxLength = 8192

/** A text that repeats a part up to a length. */
const repeated = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length)

/** 1,000 query keys in the longest address, and as many for a shorter one. */
const keys = (length: number, key: (index: number) => string): string =>
  Array.from({ length: Math.floor((1000 * length) / maxLength) }, (_, index) => key(index)).join('&')

const worst: readonly (readonly [name: string, target: (length: number) => string])[] = [
  ['slashes', (length) => repeated('/', length)],
  ['one-letter segments', (length) => repeated('/a', length)],
  ['encoded slashes', (length) => repeated('/%2F', length)],
  ['a long hash', (length) => `/blocks/${repeated('3N', length)}`],
  ['a long key', (length) => `/accounts/${repeated('B62q', length)}`],
  ['zeros before a one', (length) => `/blocks?limit=${repeated('0', length)}1`],
  ['nines before a letter', (length) => `/blocks?limit=${repeated('9', length)}x`],
  ['broken encoding', (length) => `/blocks?limit=${repeated('%3', length)}`],
  ['1,000 unknown keys', (length) => `/blocks?${keys(length, (index) => `k${index}=%31`)}`],
  ['1,000 unknown keys on a route without keys', (length) => `/summary?${keys(length, (index) => `k${index}=1`)}`],
  ['1,000 limits', (length) => `/blocks?${keys(length, () => 'limit=1')}`],
  ['1,000 encoded limits', (length) => `/blocks?${keys(length, (index) => `%6Cimi${index}`)}`],
]

test.each(worst)('the viewer function takes a few steps at most for each character of %s', (_name, target) => {
  const [ordinary = 0, hostile = 0] = stepsOf(viewerFunctionCode(), ['/blocks?limit=1', target(maxLength)])
  expect(ordinary).toBeGreaterThan(50)
  expect(hostile).toBeLessThan(ordinary + 2 * maxLength)
})
