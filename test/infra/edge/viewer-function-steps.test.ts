// Counted rather than timed.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { viewerFunctionCode } from '../../../infra/edge/viewer-function.ts'
import { viewerRequest } from '../../../verification/edge-model/viewer-request.ts'
import type { Count } from './count-steps.ts'

/** The longest address that CloudFront accepts. */
const maxLength = 8192

/** An address of that length, or one with as many query keys as a client may send. */
const filled = (start: string, part: string): string => start.padEnd(maxLength, part)
const keys = (key: (index: number) => string): string =>
  Array.from({ length: 1000 }, (_, index) => key(index)).join('&')

const worst: Readonly<Record<string, string>> = {
  slashes: filled('/', '/'),
  'one-letter segments': filled('/', 'a/'),
  'encoded slashes': filled('/', '%2F/'),
  'a long hash': filled('/blocks/', '3N'),
  'zeros before a one': `${filled('/blocks?limit=', '0')}1`,
  'nines before a letter': `${filled('/blocks?limit=', '9')}x`,
  'broken encoding': filled('/blocks?limit=', '%3'),
  '1,000 unknown keys': `/blocks?${keys((index) => `k${index}=%31`)}`,
  '1,000 unknown keys on a route without keys': `/summary?${keys((index) => `k${index}=1`)}`,
  '1,000 limits': `/blocks?${keys(() => 'limit=1')}`,
  '1,000 encoded limits': `/blocks?${keys((index) => `%6Cimi${index}`)}`,
}

/** The same in every run. */
function stepsOf(targets: readonly string[]): readonly number[] {
  const count: Count = { code: viewerFunctionCode(), requests: targets.map((target) => viewerRequest('GET', target)) }
  const script = fileURLToPath(new URL('count-steps.ts', import.meta.url))
  const flags = ['--no-opt', '--no-maglev', '--no-sparkplug']
  return JSON.parse(
    execFileSync(process.execPath, [...flags, script], { input: JSON.stringify(count), encoding: 'utf8' }),
  )
}

const [ordinary = 0, ...hostile] = stepsOf(['/blocks?limit=1', ...Object.values(worst)])

test.each(Object.keys(worst).map((name, index) => [name, hostile[index]]))(
  'the viewer function takes a few steps at most for each character of %s',
  (_name, steps) => {
    expect(ordinary).toBeGreaterThan(50)
    expect(steps).toBeLessThan(ordinary + 2 * maxLength)
  },
)
