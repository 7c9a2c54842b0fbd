// The cost of staking questions to a mina-indexer, and who waits for them.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from '@jest/globals'
import type { IndexerState } from '../../../../local/chain/indexer/ingested.ts'
import { indexerServer } from '../../../../local/chain/indexer/server.ts'
import type { IndexerTiming } from '../../../../local/chain/indexer/workers.ts'
import { type Served, serve } from '../../../serving.ts'
import { clientOf } from '../upstream.ts'
import { stakingSession, sum } from './staking-session.ts'

const { chain, wallet, accountsOf, delegatedTo } = stakingSession()
const { publicKey: alice } = wallet('alice')
const { publicKey: judy } = wallet('judy')
const rowCount = accountsOf(4).length

/** A clock that stands still, and pauses that last until the test ends them. */
function manualTiming() {
  const pauses: { readonly milliseconds: number; end(): void }[] = []
  const watchers: (() => void)[] = []
  let [nowMs, readings] = [0, 0]
  const notify = () => {
    for (const watcher of watchers.splice(0)) watcher()
  }
  const timing: IndexerTiming = {
    now() {
      readings += 1
      notify()
      return nowMs
    },
    pause: (milliseconds) =>
      new Promise((resolve) => {
        pauses.push({ milliseconds, end: () => resolve(undefined) })
        notify()
      }),
  }
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise<void>((resolve) => watchers.push(resolve))
  }
  return {
    timing,
    pauses,
    advance: (milliseconds: number) => {
      nowMs += milliseconds
    },
    /** Resolves when so many scans are under way or over. */
    scanning: (count: number) => until(() => pauses.length === count),
    /** The clock is read when a request comes, and again when its turn comes. */
    clockRead: (times: number) => until(() => readings === times),
  }
}

let state: IndexerState
let manual: ReturnType<typeof manualTiming>
let served: Served

beforeEach(async () => {
  manual = manualTiming()
  state = { msPerRow: 2, workers: 1 }
  served = await serve(indexerServer(chain, state, manual.timing))
})

const send = (query: string) => clientOf(served).send(JSON.stringify({ query }))
/** As `send`, on a connection that no other question uses. */
async function onNewConnection(query: string) {
  const asked = request({ port: served.port, path: '/graphql', method: 'POST', agent: false })
  asked.end(JSON.stringify({ query }))
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: response.statusCode, text: await text(response) }
}
const scan = () => send(`{ stakes(query: {delegate: "${judy}"}) { pk } }`)
const light = () => send('{ block { blockHeight } }')
const lightAnswer = { status: 200, text: `{"data":{"block":{"blockHeight":${chain.tip().height}}}}` }

describe('a staking question', () => {
  const byStake = accountsOf(4).toSorted(
    (left, right) =>
      Number(sum(delegatedTo(4, right.publicKey)) - sum(delegatedTo(4, left.publicKey))) ||
      (left.publicKey < right.publicKey ? 1 : -1),
  )
  const place = (publicKey: string) => byStake.findIndex((account) => account.publicKey === publicKey) + 1
  const lastOfAlice = Math.max(...delegatedTo(4, alice).map(({ publicKey }) => place(publicKey)))

  test.each([
    ['a key with delegators', `query: {public_key: "${alice}"}, limit: 1`, place(alice)],
    [
      'the same, from the other end',
      `query: {public_key: "${alice}"}, limit: 1, sortBy: STAKE_ASC`,
      rowCount + 1 - place(alice),
    ],
    ['a key without', `query: {public_key: "${judy}"}, limit: 1`, place(judy)],
    ['a key beyond the limit', `query: {public_key: "${alice}"}, limit: 2`, rowCount],
    ['all delegators', `query: {delegate: "${alice}"}, limit: 4`, lastOfAlice],
    ['delegators of a key that has none', `query: {delegate: "${judy}"}`, rowCount],
    ['any three rows', 'limit: 3', 3],
  ])('for %s reads the ledger in order until its limit is met', async (_, given, rowsRead) => {
    const answer = send(`{ stakes(${given}) { pk } }`)
    await manual.scanning(1)
    expect(manual.pauses.map(({ milliseconds }) => milliseconds)).toEqual([2 * rowsRead])
    manual.pauses[0]?.end()
    expect(await answer).toMatchObject({ status: 200 })
  })

  test('for limit 0 reads no row', async () => {
    const { ledgerHash } = chain.tip().stakingEpoch
    expect(await send(`{ stakes(limit: 0, query: {ledgerHash: "${ledgerHash}"}) { epoch } }`)).toMatchObject({
      text: '{"data":{"stakes":[{"epoch":4}]}}',
    })
    expect(manual.pauses).toEqual([])
  })
})

describe('another question', () => {
  test.each([
    ['is answered after waiting five seconds', 5000, lightAnswer],
    ['is a 408 without a body after waiting longer', 5001, { status: 408, text: '' }],
  ])('%s for a scan', async (_, waitedMs, expected) => {
    const scanned = scan()
    await manual.scanning(1)
    const waiting = light()
    await manual.clockRead(3)
    manual.advance(waitedMs)
    manual.pauses[0]?.end()
    expect(await waiting).toMatchObject(expected)
    expect(await scanned).toMatchObject({ status: 200 })
    expect(await light()).toMatchObject(lightAnswer)
  })

  test('waits for the scan on the thread of its connection only, even if another thread is free', async () => {
    state.workers = 2
    const scanned = onNewConnection(`{ stakes(query: {delegate: "${judy}"}) { pk } }`)
    await manual.scanning(1)
    expect(await onNewConnection('{ block { blockHeight } }')).toMatchObject(lightAnswer)
    const waiting = onNewConnection('{ block { blockHeight } }')
    await manual.clockRead(5)
    expect(await onNewConnection('{ block { blockHeight } }')).toMatchObject(lightAnswer)
    manual.advance(5001)
    manual.pauses[0]?.end()
    expect(await waiting).toEqual({ status: 408, text: '' })
    expect(await scanned).toMatchObject({ status: 200 })
  })
})

test('a scan goes on when its client hangs up, and a question whose client has hung up is not read', async () => {
  const dropping = new AbortController()
  const ask = (query: string, signal: AbortSignal) =>
    fetch(`${served.url}/graphql`, { method: 'POST', body: JSON.stringify({ query }), signal })
  const dropped = [
    ask(`{ stakes(query: {delegate: "${judy}"}) { pk } }`, dropping.signal),
    ask(`{ stakes(query: {delegate: "${alice}"}) { pk } }`, dropping.signal),
  ].map((answer) => answer.catch(({ name }: Error) => name))
  await manual.clockRead(3)
  await manual.scanning(1)
  dropping.abort()
  expect(await Promise.all(dropped)).toEqual(['AbortError', 'AbortError'])
  const waiting = light()
  await manual.clockRead(4)
  manual.pauses[0]?.end()
  expect(await waiting).toMatchObject(lightAnswer)
  expect(manual.pauses).toHaveLength(1)
})
