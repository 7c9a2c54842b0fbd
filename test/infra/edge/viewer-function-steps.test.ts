// The viewer function takes steps in proportion to its input, counted rather than timed: how often V8 enters each block of
// the code, and what the built-in functions read.
import { Session } from 'node:inspector/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { viewerFunctionCode } from '../../../infra/edge/viewer-function.ts'
import { type BareFunction, bareFile, bareFunction } from './bare-runtime.ts'
import { viewerRequest } from './viewer-event.ts'

const session = new Session()
beforeAll(async () => {
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
})
afterAll(async () => {
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
})

/** How often the blocks of bare functions have been entered since the last call. */
async function blocksEntered(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => url === bareFile)
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0)
}

async function stepsOf(bare: BareFunction, target: string, method = 'GET'): Promise<number> {
  const event = { request: viewerRequest(method, target) }
  const before = bare.read
  await blocksEntered()
  bare.call(event)
  return (await blocksEntered()) + bare.read - before
}

/** CloudFront takes no longer address. */
const longest = 8192

/** A text that repeats a part up to a length. */
const repeated = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length)

/** 1,000 query keys in the longest address, and as many for a shorter one. */
const keys = (length: number, key: (index: number) => string): string =>
  Array.from({ length: Math.floor((1000 * length) / longest) }, (_, index) => key(index)).join('&')

const worst: readonly (readonly [name: string, target: (length: number) => string])[] = [
  ['slashes', (length) => repeated('/', length)],
  ['slashes before a route', (length) => `${repeated('/', length)}summary`],
  ['one-letter segments', (length) => repeated('/a', length)],
  ['encoded slashes', (length) => repeated('/%2F', length)],
  ['a long hash', (length) => `/blocks/${repeated('3N', length)}`],
  ['a hash among slashes', (length) => `${repeated('/', length)}blocks//${'3N'.padEnd(52, 'x')}`],
  ['a long key', (length) => `/accounts/${repeated('B62q', length)}`],
  ['zeros', (length) => `/blocks?limit=${repeated('0', length)}`],
  ['zeros before a one', (length) => `/blocks?limit=${repeated('0', length)}1`],
  ['nines', (length) => `/blocks?limit=${repeated('9', length)}`],
  ['nines before a letter', (length) => `/blocks?limit=${repeated('9', length)}x`],
  ['encoded digits', (length) => `/blocks?limit=${repeated('%39', length)}`],
  ['broken encoding', (length) => `/blocks?limit=${repeated('%3', length)}`],
  ['1,000 unknown keys', (length) => `/blocks?${keys(length, (index) => `k${index}=%31`)}`],
  ['1,000 unknown keys where none is known', (length) => `/summary?${keys(length, (index) => `k${index}=1`)}`],
  ['1,000 limits', (length) => `/blocks?${keys(length, () => 'limit=1')}`],
  ['1,000 encoded limits', (length) => `/blocks?${keys(length, (index) => `%6Cimi${index}`)}`],
]

describe('the steps of the viewer function', () => {
  const viewerFunction = bareFunction(viewerFunctionCode())

  test.each(worst)('grow in proportion to %s', async (_name, target) => {
    const quarter = await stepsOf(viewerFunction, target(longest / 4))
    const half = await stepsOf(viewerFunction, target(longest / 2))
    const whole = await stepsOf(viewerFunction, target(longest))
    // Twice as many for twice the growth, where a quadratic share would give up to four times as many.
    expect((whole - half) / Math.max(1, half - quarter)).toBeLessThan(2.2)
    expect(whole).toBeLessThan(1000 + 16 * longest)
  })

  test('show that the function reads its input', async () => {
    const [few, many] = [
      await stepsOf(viewerFunction, '/blocks?limit=1'),
      await stepsOf(viewerFunction, `/blocks?limit=${'0'.repeat(1000)}1`),
    ]
    expect(many - few).toBeGreaterThan(1000)
  })
})

test.each([
  [
    'in its loops',
    'for (let i = 0; i < uri.length; i += 1) { for (let j = 0; j < uri.length; j += 1) { uri.charAt(j) } }',
  ],
  ['in built-in functions', 'for (let i = 0; i < uri.length; i += 1) { uri.indexOf("x") }'],
])('a function that is quadratic %s takes four times the steps', async (_name, body) => {
  const quadratic = bareFunction(`function handler(event) {\nconst uri = event.request.uri\n${body}\nreturn 0 }`)
  const half = await stepsOf(quadratic, repeated('/', 500))
  const whole = await stepsOf(quadratic, repeated('/', 1000))
  expect(whole / half).toBeGreaterThan(3.8)
})
