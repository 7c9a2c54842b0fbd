// What the service answers when the bytes of its node or indexer are wrong. Jest fails a test in which an error goes
// unhandled, so no listener is needed here; one in a test would never be called.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { transportFaults } from '../functions/runtime/upstreams/transport-faults.ts'
import { type RawService, runRawService } from './raw-service.ts'
import { signDelegation, signPayment, wallet } from './running-service.ts'

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly missing: string | null
  readonly outcome: string | null
}

/** Six questions, one to each route; the broadcasts are always the same. */
let questions: readonly { readonly path: string; readonly sent?: object }[]
let service: RawService
/** What they are answered while nothing is wrong. */
let right: readonly Answer[]

const askAll = (base: string): Promise<Answer[]> =>
  Promise.all(
    questions.map(async ({ path, sent }) => {
      const request = sent === undefined ? {} : { method: 'POST', body: JSON.stringify(sent) }
      const response = await fetch(base + path, request)
      return {
        status: response.status,
        body: await response.json(),
        missing: response.headers.get('x-missing-fields'),
        outcome: response.headers.get('x-broadcast-outcome'),
      }
    }),
  )

beforeAll(async () => {
  service = await runRawService()
  const { chain, url } = service
  const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => wallet(chain, name))
  if (alice === undefined || bob === undefined || carol === undefined) throw new Error('a wallet is missing')
  questions = [
    { path: '/blocks?limit=2' },
    { path: `/blocks/${chain.tip().stateHash}` },
    { path: `/accounts/${bob.publicKey}` },
    { path: '/summary' },
    { path: '/broadcast/transaction', sent: signPayment(chain, alice, bob) },
    { path: '/broadcast/delegation', sent: signDelegation(chain, carol, bob) },
  ]
  right = await askAll(url)
})
afterEach(() => {
  service.node.fault = undefined
  service.indexer.fault = undefined
})
afterAll(() => service.close())

test('nothing is wrong at first', () => {
  expect(right.map(({ status, missing, outcome }) => [status, missing, outcome])).toEqual([
    ...Array(4).fill([200, null, null]),
    ...Array(2).fill([201, null, 'accepted']),
  ])
})

const unavailable = { status: 502, body: { message: 'Upstream unavailable.' }, missing: null, outcome: null }
const unknown = (message: string) => ({
  status: 400,
  body: {
    message,
    error: expect.stringMatching(
      /^Query failed to run by returning code of 502\. mutation .* \| \[.*\] The outcome is unknown: .* is safe\.$/,
    ),
  },
  missing: null,
  outcome: 'unknown',
})

describe('a node that', () => {
  test.each(transportFaults)('$does costs each answer, and no later one', async ({ answer }) => {
    service.node.fault = answer
    expect(await askAll(service.url)).toEqual([
      ...Array(4).fill(unavailable),
      unknown('Error in sending transaction'),
      unknown('Error in sending delegation'),
    ])
    service.node.fault = undefined
    expect(await askAll(service.url)).toEqual(right)
  })
})

test.each([401, 403, 407, 421, 425, 429, 500, 503])(
  'answers under status %i are read, at one request each',
  async (status) => {
    const { node, indexer, url } = service
    const requestsFor = async (status: number) => {
      for (const upstream of [node, indexer]) upstream.status = status
      const before = node.requests.length + indexer.requests.length
      expect(await askAll(url)).toEqual(right)
      return node.requests.length + indexer.requests.length - before
    }
    expect(await requestsFor(status)).toBe(await requestsFor(200))
  },
)

/** A body without what these names stand for, as it is where the indexer says nothing. */
const without = (body: unknown, names: readonly string[]): unknown =>
  JSON.parse(JSON.stringify(body), (key, value: unknown) => {
    if (!names.includes(key)) return value
    return key === 'username' ? 'Unknown' : undefined
  })

describe('an indexer that', () => {
  test.each(transportFaults)('$does costs what it adds, and no later answer', async ({ answer }) => {
    service.indexer.fault = answer
    const answers = await askAll(service.url)
    const missing = answers.map((one) => one.missing?.split(',') ?? [])
    expect(answers).toEqual(
      right.map(({ body, ...rest }, index) => ({
        ...rest,
        body: without(body, missing[index] ?? []),
        missing: answers[index]?.missing,
      })),
    )
    // Staking ledgers are kept, so they may be there all the same.
    const counters = expect.arrayContaining(['totalTx', 'totalBlocks', 'totalSnarks', 'username'])
    expect(missing).toEqual([['receivedTime'], ['receivedTime'], counters, [], [], []])
    service.indexer.fault = undefined
    expect(await askAll(service.url)).toEqual(right)
  })
})
