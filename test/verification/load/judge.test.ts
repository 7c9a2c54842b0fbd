// The judge of a mixed load: it accepts what the service answers and notices a single changed digit.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { indexerServer } from '../../../local/chain/indexer/server.ts'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { type Listening, listen } from '../../../local/start/listen.ts'
import { type Service, startService } from '../../../local/start/service.ts'
import { judge, type Received } from '../../../verification/load/judge.ts'
import { createMix, type MixedRequest } from '../../../verification/load/mix.ts'
import { recordedChain } from '../../../verification/load/recorded-chain.ts'

const options = { seed: 'judge', now: () => Date.UTC(2026, 0, 1), historyBlocks: 60, slotsPerEpoch: 10 }
const recorded = recordedChain(options)
const nextRequest = createMix('judge 3', recorded)
let node: Listening
let indexer: Listening
let service: Service
const answers: { readonly request: MixedRequest; readonly received: Received }[] = []

beforeAll(async () => {
  node = await listen(nodeServer(recorded.chain), 0, '127.0.0.1')
  indexer = await listen(indexerServer(recorded.chain), 0, '127.0.0.1')
  const environment = {
    NODE_GRAPHQL_URL: `http://127.0.0.1:${node.port}/graphql`,
    INDEXER_GRAPHQL_URL: `http://127.0.0.1:${indexer.port}/graphql`,
    // The longest that the service accepts, so that a busy machine does not make answers incomplete.
    UPSTREAM_TIMEOUT_MS: '20000',
    INDEXER_TIMEOUT_MS: '20000',
    INDEXER_STAKES_TIMEOUT_MS: '20000',
  }
  service = await startService({ environment, log: () => undefined })
  for (let sent = 0; sent < 30; sent += 1) {
    const request = nextRequest()
    answers.push({ request, received: await answerTo(request) })
  }
})

afterAll(() => Promise.all([service.close(), indexer.close(), node.close()]))

async function answerTo({ path }: MixedRequest): Promise<Received> {
  const response = await fetch(service.url + path)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const judged = ({ request }: { readonly request: MixedRequest }, received: Received, mayBeUnknowable = false) =>
  judge(received, request.expectedBodies(recorded.states), mayBeUnknowable)

/** A right answer to a request of this kind, and the same answer with its text changed. */
function changed(kind: MixedRequest['kind'], from: RegExp, to: string) {
  const right = answers.find(({ request, received }) => request.kind === kind && from.test(received.text))
  if (right === undefined) throw new RangeError(`no answer of kind ${kind} matches ${from}`)
  const { status, headers, text } = right.received
  return { right, received: { status, headers: new Headers(headers), text: text.replace(from, to) } }
}

test('the judge calls every answer of the service complete', () => {
  const kinds = answers.map(({ request }) => request.kind)
  expect(new Set(kinds)).toEqual(new Set(['blocks', 'block', 'old block', 'account', 'summary']))
  const verdicts = answers.map(({ request, received }) => judged({ request }, received))
  expect(verdicts.filter(({ verdict }) => verdict !== 'complete')).toEqual([])
})

describe('the judge calls an answer wrong', () => {
  test.each([
    ['blocks', /"amount":(\d+)/, '"amount":1$1', 'amount: wanted'],
    ['blocks', /"totalCurrency":(\d+)\d/, '"totalCurrency":$10', 'totalCurrency: wanted'],
    ['blocks', /,"id":"[^"]*"/, '', 'id: wanted'],
    ['blocks', /,"receivedTime":"[^"]*"/, '', 'receivedTime: wanted'],
    ['block', /"canonical":true/, '"canonical":false', 'canonical: wanted true, got false'],
    ['old block', /"isDelegation":/, '"id":"1","isDelegation":', 'id: wanted nothing, got "1"'],
    ['account', /"total":"(\d+\.\d{8})\d"/, '"total":"$1x"', '/account/balance/total: wanted'],
    ['account', /"countPendingTransactions":0/, '"countPendingTransactions":1', 'wanted 0, got 1'],
    ['summary', /"slot":\d+/, '"slot":"1"', '/slot: wanted'],
    ['summary', /\}$/, '', ': wanted'],
  ] as const)('to %s, %p replaced by %p', (kind, from, to, reason) => {
    const { right, received } = changed(kind, from, to)
    expect(judged(right, received)).toEqual({ verdict: 'wrong', reason: expect.stringContaining(reason) })
  })
})

test('an answer is incomplete where it announces its missing fields and is kept for a second only', () => {
  const withoutReceivedTime = (announced: string, cacheControl = 'public, max-age=1, stale-if-error=0') => {
    const { right, received } = changed('block', /,"receivedTime":"[^"]*"/, '')
    received.headers.set('x-missing-fields', announced)
    received.headers.set('cache-control', cacheControl)
    return judged(right, received)
  }
  expect(withoutReceivedTime('receivedTime')).toEqual({ verdict: 'incomplete' })
  expect([
    withoutReceivedTime('receivedTime,totalTx').reason,
    withoutReceivedTime('totalTx').reason,
    withoutReceivedTime('receivedTime,canonical').reason,
    withoutReceivedTime('receivedTime', 'public, max-age=60').reason,
  ]).toEqual([
    'totalTx is announced as missing but present',
    expect.stringContaining('/block/receivedTime: wanted'),
    'x-missing-fields names canonical, which the node knows',
    'cache-control: public, max-age=60',
  ])
})

test('an old block is wrong where it does not name the snarked ledger, which it lacks', () => {
  const { right, received } = changed('old block', /^/, '')
  received.headers.delete('x-missing-fields')
  expect(judged(right, received)).toEqual({ verdict: 'wrong', reason: 'no answer would be right' })
})

test('the judge accepts an old block that announces a missing staking epoch length, and only if it is missing', () => {
  const epochLength = 'protocolState.consensusState.stakingEpochData.epochLength'
  const announcing = (from: RegExp) => {
    const { right, received } = changed('old block', from, '"stakingEpochData":{')
    received.headers.set('x-missing-fields', `${received.headers.get('x-missing-fields')},${epochLength}`)
    received.headers.set('cache-control', 'public, max-age=1, stale-if-error=0')
    return judged(right, received)
  }
  expect([announcing(/"stakingEpochData":\{"epochLength":\d+,/), announcing(/"stakingEpochData":\{/)]).toEqual([
    { verdict: 'incomplete' },
    { verdict: 'wrong', reason: expect.stringContaining('/stakingEpochData/epochLength: wanted nothing') },
  ])
})

/** An old block in which a zkApp command has this property, and the answer of the service. */
async function oldBlockWithZkapp(hasProperty: (command: { failureReason?: string }) => boolean) {
  const matches = ({ kind, expectedBodies }: MixedRequest) => {
    const [expected] = expectedBodies(recorded.states)
    return kind === 'old block' && (Object(expected).block?.transactions?.zkappCommands ?? []).some(hasProperty)
  }
  const request = Array.from({ length: 400 }, nextRequest).find(matches)
  if (request === undefined) throw new RangeError('no old block has such a zkApp command')
  return { request, received: await answerTo(request) }
}

test('an old block with an applied zkApp command names that it does not show what pays for new accounts', async () => {
  const { request, received } = await oldBlockWithZkapp(({ failureReason }) => failureReason === undefined)
  const headers = new Headers(received.headers)
  headers.set('x-missing-fields', 'protocolState.blockchainState.snarkedLedgerHash')
  expect([judged({ request }, received), judged({ request }, { ...received, headers })]).toEqual([
    { verdict: 'complete' },
    { verdict: 'wrong', reason: 'no answer would be right' },
  ])
})

test('an old block gives the failure of the first account update of a zkApp command, and no other one', async () => {
  const { request, received } = await oldBlockWithZkapp(({ failureReason }) => failureReason !== undefined)
  const text = received.text.replace(/(?<=zkappCommands.*"failureReason":)"\w+"/, '"Cancelled, Overflow"')
  expect([judged({ request }, received), judged({ request }, { ...received, text })]).toEqual([
    { verdict: 'complete' },
    { verdict: 'wrong', reason: expect.stringMatching(/wanted "\w+", got "Cancelled, Overflow"/) },
  ])
})

test('a 503 is unknowable where only a failed indexer could have answered, and a fault elsewhere', () => {
  const [answer] = answers
  if (answer === undefined) throw new RangeError('no answers')
  const received = { status: 503, headers: new Headers(), text: '{}' }
  expect([judged(answer, received, true), judged(answer, received, false)]).toEqual([
    { verdict: 'unknowable' },
    { verdict: '5xx', reason: '503 {}' },
  ])
})
