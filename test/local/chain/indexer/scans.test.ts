// The cost of staking questions to a mina-indexer, and who waits for them.
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from '@jest/globals'
import type { IndexerState } from '../../../../local/chain/indexer/ingested.ts'
import { indexerServer } from '../../../../local/chain/indexer/server.ts'
import { type Served, serve } from '../../../serving.ts'
import { stakingSession, sum } from './staking-session.ts'

const { chain, wallet, accountsOf, delegatedTo } = stakingSession()
const [alice = '', judy = ''] = ['alice', 'judy'].map((name) => wallet(name).publicKey)
const rowCount = accountsOf(4).length

let state: IndexerState
let served: Served
/** The clock of the indexer, and how often it was read: when a request comes, and when its turn comes. */
let clock: { nowMs: number; readings: number }
/** Scans under way or over, which the test ends. */
let scans: { readonly milliseconds: number; end(): void }[]
let watchers: (() => void)[]

const notify = () => {
  for (const watcher of watchers.splice(0)) watcher()
}
async function until(isSo: () => boolean) {
  while (!isSo()) await new Promise<void>((resolve) => watchers.push(resolve))
}

beforeEach(async () => {
  state = { msPerRow: 2, workers: 1 }
  clock = { nowMs: 0, readings: 0 }
  scans = []
  watchers = []
  const now = () => {
    clock.readings += 1
    notify()
    return clock.nowMs
  }
  const pause = (milliseconds: number) =>
    new Promise((resolve) => {
      scans.push({ milliseconds, end: () => resolve(undefined) })
      notify()
    })
  served = await serve(indexerServer(chain, state, { now, pause }))
})

/** Asks on a connection that no other question uses. */
async function ask(query: string, signal?: AbortSignal) {
  const asked = request(`${served.url}/graphql`, { method: 'POST', agent: false, ...(signal && { signal }) })
  const answered = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    asked.on('error', reject)
    asked.on('response', async (response) => resolve({ status: response.statusCode, text: await text(response) }))
  })
  asked.end(JSON.stringify({ query }))
  return answered
}
const scan = (signal?: AbortSignal) => ask(`{ stakes(query: {delegate: "${judy}"}) { pk } }`, signal)
const light = () => ask('{ block { blockHeight } }')
const lightAnswer = { status: 200, text: `{"data":{"block":{"blockHeight":${chain.tip().height}}}}` }

describe('a staking question', () => {
  const byStake = accountsOf(4).toSorted(
    (left, right) =>
      Number(sum(delegatedTo(4, right.publicKey)) - sum(delegatedTo(4, left.publicKey))) ||
      (left.publicKey < right.publicKey ? 1 : -1),
  )
  const place = (publicKey: string) => byStake.findIndex((account) => account.publicKey === publicKey) + 1
  const ofAlice = `query: {public_key: "${alice}"}`

  test.each([
    ['a key', `${ofAlice}, limit: 1`, place(alice)],
    ['a key from the other end', `${ofAlice}, limit: 1, sortBy: STAKE_ASC`, rowCount + 1 - place(alice)],
    ['a key beyond the limit', `${ofAlice}, limit: 2`, rowCount],
    ['delegators of a key that has none', `query: {delegate: "${judy}"}`, rowCount],
    ['any three rows', 'limit: 3', 3],
  ])('for %s reads the ledger in order until its limit is met', async (_, given, rowsRead) => {
    const answer = ask(`{ stakes(${given}) { pk } }`)
    await until(() => scans.length === 1)
    expect(scans.map(({ milliseconds }) => milliseconds)).toEqual([2 * rowsRead])
    scans[0]?.end()
    expect(await answer).toMatchObject({ status: 200 })
  })

  test('for limit 0 reads no row', async () => {
    const { ledgerHash } = chain.tip().stakingEpoch
    const answer = await ask(`{ stakes(limit: 0, query: {ledgerHash: "${ledgerHash}"}) { epoch } }`)
    expect([answer.text, scans]).toEqual(['{"data":{"stakes":[{"epoch":4}]}}', []])
  })
})

describe('another question', () => {
  test.each([
    ['is answered after waiting five seconds', 5000, lightAnswer],
    ['is a 408 without a body after waiting longer', 5001, { status: 408, text: '' }],
  ])('%s for a scan on its thread', async (_, waitedMs, expected) => {
    const scanned = scan()
    await until(() => scans.length === 1)
    const waiting = light()
    await until(() => clock.readings === 3)
    clock.nowMs += waitedMs
    scans[0]?.end()
    expect(await waiting).toEqual(expected)
    expect(await scanned).toMatchObject({ status: 200 })
    expect(await light()).toEqual(lightAnswer)
  })

  test('waits for the scan on the thread of its connection only, even if another thread is free', async () => {
    state.workers = 2
    const scanned = scan()
    await until(() => scans.length === 1)
    expect(await light()).toEqual(lightAnswer)
    const waiting = light()
    await until(() => clock.readings === 5)
    expect(await light()).toEqual(lightAnswer)
    clock.nowMs += 5001
    scans[0]?.end()
    expect(await waiting).toEqual({ status: 408, text: '' })
    expect(await scanned).toMatchObject({ status: 200 })
  })
})

test('a scan goes on when its client hangs up, and a question whose client has hung up is not read', async () => {
  const dropping = new AbortController()
  const dropped = [scan(dropping.signal), scan(dropping.signal)].map((answer) => answer.catch(({ name }) => name))
  await until(() => clock.readings === 3 && scans.length === 1)
  dropping.abort()
  expect(await Promise.all(dropped)).toEqual(['AbortError', 'AbortError'])
  const waiting = light()
  await until(() => clock.readings === 4)
  scans[0]?.end()
  expect(await waiting).toEqual(lightAnswer)
  expect(scans).toHaveLength(1)
})
