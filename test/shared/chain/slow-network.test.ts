// A daemon gathers its peers for `daemonStatus`, and is slow to answer it, or never does. What a network's daemons have in common
// is asked for once, so that this costs an instance one answer at most.
import { describe, expect, test } from '@jest/globals'
import {
  answerFrom,
  answeringAtOnce,
  type GraphQlAnswer,
  queriesOver,
  type Variables,
} from '../../../packages/proofs/node-answers.ts'
import { createTime } from '../../../packages/proofs/world/time.ts'
import { createChain as createEmbeddedChain } from '../../../packages/testnet/chain.ts'
import { createIngestion } from '../../../packages/testnet/indexer/ingested.ts'
import { indexerResolvers } from '../../../packages/testnet/indexer/resolvers.ts'
import { indexerSchemaText } from '../../../packages/testnet/indexer/schema.ts'
import { ask } from '../../../shared/chain/actions/ask.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import type { CallRecord, ChainOptions, ChainView } from '../../../shared/chain/port.ts'
import { getAccountTransactions } from '../../../shared/endpoints/get-account-transactions.ts'
import { getBlock } from '../../../shared/endpoints/get-block.ts'
import { getBlockAtHeight } from '../../../shared/endpoints/get-block-at-height.ts'
import { getBlocksBefore } from '../../../shared/endpoints/get-blocks-before.ts'
import { getNetwork } from '../../../shared/endpoints/get-network.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'
import { getTransaction } from '../../../shared/endpoints/get-transaction.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { nodeTipQuery } from '../../../shared/upstream/node-query.ts'
import type { NodePort, QueryUpstream } from '../../../shared/upstream/query.ts'
import { whole } from '../endpoints/asking.ts'
import { blockWire, networkReply } from '../mapping/node-wire.ts'
import { silentObserver } from './silent-observer.ts'

const time = createTime()
const chain = createEmbeddedChain({
  seed: 'slow network',
  now: time.now,
  slotsPerEpoch: 12,
  historyBlocks: 400,
  signsOwnCommands: false,
})
const blocks = chain.bestChain()
const [old, tenth] = [blocks[50], blocks[60]]
const first = blocks.slice(0, 60).flatMap((block) => block.userCommands)[0]?.command
if (old === undefined || tenth === undefined || first === undefined) throw new Error('the chain is too short')

const genesisStateHash = chain.genesisBlock().stateHash
const isAboutStatus = (document: string) => document.includes('daemonStatus')

/** True while the instance sleeps between two requests: what comes then is lost. */
let isAsleep = false

/** Answers after some time, or with the limit of the call. */
const after =
  (delayMsOf: (document: string) => number, answer: QueryUpstream): QueryUpstream =>
  (operation, variables, limits) =>
    new Promise((resolve, reject) => {
      const { limitMs = Number.POSITIVE_INFINITY, signal } = limits ?? {}
      const [delayMs, lastMs] = [delayMsOf(operation.document), Math.min(operation.timeoutMs ?? 8000, limitMs)]
      const isLate = delayMs > lastMs
      const end = () => {
        if (isLate || isAsleep) reject(new WireError('timeout', 'too late'))
        else resolve(answer(operation, variables))
      }
      const stop = time.after(Math.min(delayMs, lastMs), end)
      signal?.addEventListener('abort', () => {
        stop()
        reject(new WireError('timeout', 'given up'))
      })
    })

/** The chain stays as it is, so that each question has one answer. */
function answeredOnce(answer: (document: string, variables: Variables) => GraphQlAnswer): QueryUpstream {
  const answers = new Map<string, GraphQlAnswer>()
  return async ({ document }, variables) => {
    const question = document + JSON.stringify(variables)
    const found = answers.get(question) ?? answer(document, variables)
    answers.set(question, found)
    return { status: 200, ...found }
  }
}

const node = queriesOver(chain)
const nodeAnswer = answeredOnce((document, variables) => answerFrom(node, document, variables))
const answerOfIndexer = answeringAtOnce(indexerSchemaText)
const indexerRoot = indexerResolvers(createIngestion(chain, {}))
const indexer = after(
  () => 5,
  answeredOnce((document, variables) => answerOfIndexer(indexerRoot, document, variables, { notes: {} })),
)

/** An instance over a daemon that takes so long for `daemonStatus`, and what it answers, after how long. */
function instanceOver(status: { ms: number }, options: Partial<ChainOptions> = {}) {
  const instance = createChain({
    nodes: [
      { name: 'node', sharedAddress: true, query: after((text) => (isAboutStatus(text) ? status.ms : 5), nodeAnswer) },
    ],
    indexers: [indexer],
    clock: { now: time.now, elapsed: time.now, after: time.after },
    random: () => 0,
    ...options,
  })
  return async (run: (view: ChainView) => Promise<object>) => {
    const startedAt = time.now()
    const view = instance.view({ withinMs: 20_000 })
    const answer = run(view)
      .catch((error: unknown) => {
        if (error instanceof WireError) return { fault: error.fault }
        throw error
      })
      .finally(() => view.end())
    await time.until(answer)
    return { answer: await answer, tookMs: time.now() - startedAt }
  }
}

const cursor = { height: tenth.height, stateHash: tenth.stateHash }
const questions: Readonly<Record<string, (view: ChainView) => Promise<object>>> = {
  'an old block': (view) => getBlock.run({ stateHash: old.stateHash }, view),
  'the block at an old height': (view) => getBlockAtHeight.run({ height: old.height }, view),
  'a page of older blocks': (view) => getBlocksBefore.run({ cursor, view: 'block', limit: 3 }, view),
  'a page of older headers': (view) => getBlocksBefore.run({ cursor, view: 'header', limit: 100 }, view),
  'a history': (view) => getAccountTransactions.run({ publicKey: first.from, limit: 20, before: undefined }, view),
  'an older page of it': (view) =>
    getAccountTransactions.run({ publicKey: first.from, limit: 20, before: cursor }, view),
  'an old command': (view) => getTransaction.run({ hash: first.hash, terms: undefined }, view),
  'the summary': (view) => getSummary.run({}, view),
  'the network': (view) => getNetwork.run({}, view),
}
/** Those that can be given, in a weaker form, by an instance that knows nothing of the network. */
const weaker = ['a history', 'an older page of it']

const never = Number.POSITIVE_INFINITY
const pinned = { genesisStateHashes: [genesisStateHash], chainIds: [chain.chainId] }

describe.each([
  ['nothing', {}],
  ['genesis and chain id', pinned],
])('where a stage pins %s', (_what, pins) => {
  test.each(Object.entries(questions))(
    '%s is given at once, and whole, on an instance whose daemon hangs now',
    async (_name, ask) => {
      const status = { ms: 5 }
      const request = instanceOver(status, pins)
      const { answer } = await request(ask)
      status.ms = never
      const again = await request(ask)
      expect(again.answer).toEqual(answer)
      expect(Object(answer).status).toBe(200)
      expect(again.tookMs).toBeLessThan(200)
    },
  )

  test.each(Object.entries(questions))('%s waits once for a daemon that takes 2.5 s', async (name, ask) => {
    const request = instanceOver({ ms: 2500 }, pins)
    const known = await instanceOver({ ms: 5 }, pins)(ask)
    const seen = [await request(ask), await request(ask), await request(ask)]
    expect(seen.slice(1).map(({ answer }) => answer)).toEqual([known.answer, known.answer])
    expect(seen.map(({ tookMs }) => tookMs < 2000)).toEqual([true, true, true])
    expect(Object(seen[0]?.answer)).toMatchObject(weaker.includes(name) ? { status: 200 } : { fault: 'busy' })
  })

  test.each(Object.entries(questions))(
    '%s is weaker, or a 503 within two seconds, where the daemon hangs',
    async (name, ask) => {
      const { answer, tookMs } = await instanceOver({ ms: never }, pins)(ask)
      expect(answer).toMatchObject(weaker.includes(name) ? { status: 200 } : { fault: 'busy' })
      expect(tookMs).toBeLessThan(2000)
    },
  )
})

describe.each([
  ['nothing', {}],
  ['genesis and chain id', pinned],
])('where a stage pins %s, an instance that sleeps between requests', (_what, pins) => {
  /** Asks five times, and sleeps after each answer. */
  async function askSleeping(ask: (view: ChainView) => Promise<object>, daemonStatusMs: number, sleepMs: number) {
    const request = instanceOver({ ms: daemonStatusMs }, pins)
    const seen: Awaited<ReturnType<typeof request>>[] = []
    for (let count = 0; count < 5; count += 1) {
      seen.push(await request(ask))
      isAsleep = true
      await time.until(time.wait(sleepMs))
      isAsleep = false
    }
    return seen
  }

  test.each(Object.entries(questions))('for any time gives %s whole from the second one on', async (_name, ask) => {
    const { answer } = await instanceOver({ ms: 5 }, pins)(ask)
    for (const daemonStatusMs of [1000, 2000, 3000, 5000, 9000]) {
      for (const sleepMs of [1000, 5000, 12_000, 60_000]) {
        const [, second, ...later] = await askSleeping(ask, daemonStatusMs, sleepMs)
        expect([second, ...later].map((each) => each?.answer)).toEqual([answer, answer, answer, answer])
        expect(second?.tookMs).toBeLessThanOrEqual(daemonStatusMs + 500)
        expect(later.filter(({ tookMs }) => tookMs > 500)).toEqual([])
      }
    }
  })

  test.each(Object.entries(questions))('waits once for %s if the daemon hangs', async (_name, ask) => {
    for (const sleepMs of [1000, 12_000, 60_000]) {
      const seen = await askSleeping(ask, never, sleepMs)
      expect(seen.map(({ tookMs }) => tookMs < 2000)).toEqual([true, false, true, true, true])
      expect(seen[1]?.tookMs).toBeLessThanOrEqual(11_000)
    }
  })
})

/** A node of a network, which may be upgraded. Its description comes after some time. */
function nodeOn(network: { genesis: string; chainId?: string; k: number; ms?: number }) {
  const own = { network, described: 0 }
  const query = after(
    (document) => (isAboutStatus(document) ? (own.network.ms ?? 5) : 5),
    async ({ name }) => {
      const { genesis: stateHash, chainId = stateHash, k } = own.network
      const { data } = networkReply({ k })
      const daemonStatus = { ...data.daemonStatus, chainId }
      own.described += Number(name === 'nodeNetwork')
      return whole({
        data: { ...data, bestChain: [blockWire], daemonStatus, genesisBlock: { ...data.genesisBlock, stateHash } },
      })
    },
  )
  return Object.assign(own, { port: { name: `node on ${network.genesis}`, sharedAddress: false, query } })
}

const over = (nodes: readonly ReturnType<typeof nodeOn>[], more: Partial<ChainOptions> = {}) =>
  instanceOver({ ms: 5 }, { nodes: nodes.map(({ port }) => port), ...more })
const kOf = (genesis: string) => async (view: ChainView) => ({ k: (await view.networks.of(genesis))?.constants?.k })

describe('the description of a network', () => {
  test('is asked for once, and kept for each genesis block by itself', async () => {
    const node = nodeOn({ genesis: 'one', k: 290 })
    const request = over([node])
    const seen = [await request(kOf('one')), await request(kOf('two'))]
    node.network = { genesis: 'two', k: 10 }
    seen.push(await request(kOf('two')), await request(kOf('one')))
    expect(seen.map(({ answer }) => answer)).toEqual([{ k: 290 }, { k: undefined }, { k: 10 }, { k: 290 }])
    // Twice for the one that no node was on yet: another daemon may stand behind the address.
    expect(node.described).toBe(4)
  })

  test('of a node that is alone on a pinned genesis block does not count, though it comes first', async () => {
    const lone = nodeOn({ genesis: 'one', chainId: 'lone', k: 10 })
    const request = over([lone, nodeOn({ genesis: 'one', k: 290 })], { genesisStateHashes: ['one'], chainIds: ['one'] })
    expect((await request(kOf('one'))).answer).toEqual({ k: 290 })
    expect((await over([lone], { genesisStateHashes: ['one'], chainIds: ['one'] })(kOf('one'))).answer).toEqual({
      k: undefined,
    })
  })

  test('of the first listed node shows which network counts, though that node has answered nothing else', async () => {
    const first = nodeOn({ genesis: 'one', k: 290 })
    const { query } = first.port
    const cut = new WireError('unreachable', 'the connection broke')
    const port: NodePort = {
      ...first.port,
      query: (...question) => (question[0].name === 'nodeNetwork' ? query(...question) : Promise.reject(cut)),
    }
    const request = over([{ ...first, port }, nodeOn({ genesis: 'other', k: 10, ms: never })])
    const { answer } = await request(async (view) => {
      const { tip } = await ask(view, nodeTipQuery, {})
      await view.networks.of('other')
      return { read: tip?.genesisStateHash, is: view.nodeStatus(1) }
    })
    expect(answer).toEqual({ read: 'other', is: 'foreign' })
  })

  test('comes from the next node if the first one takes long', async () => {
    const request = over([nodeOn({ genesis: 'one', k: 290, ms: never }), nodeOn({ genesis: 'one', k: 290 })])
    expect(await request(kOf('one'))).toEqual({ answer: { k: 290 }, tookMs: 905 })
  })

  test('is asked for again, beside the answer, after ten minutes if its chain id is shown', async () => {
    const node = nodeOn({ genesis: 'one', k: 290 })
    const request = over([node])
    const shown = async () => Object((await request((view) => getSummary.run({}, view))).answer).body.chainId
    const seen = [await shown()]
    node.network = { genesis: 'one', k: 290, chainId: 'upgraded', ms: 50 }
    seen.push(await shown())
    time.after(600_000, () => undefined)
    await time.run()
    seen.push(await shown())
    await time.run()
    seen.push(await shown())
    expect([seen, node.described]).toEqual([['one', 'one', 'one', 'upgraded'], 2])
  })

  test('is in the log line of the request during which it comes, if it outlives its own', async () => {
    const instance = createChain({
      nodes: [nodeOn({ genesis: 'one', k: 290, ms: 2500 }).port],
      clock: { now: time.now, elapsed: time.now, after: time.after },
      random: () => 0,
    })
    const lines: string[][] = []
    for (const _request of [1, 2]) {
      const line: string[] = []
      const observer = {
        ...silentObserver,
        called: ({ operation, outcome }: CallRecord) => line.push(`${operation} ${outcome}`),
      }
      const view = instance.view({ withinMs: 20_000, observer })
      await time.until(view.networks.of('one'))
      view.end()
      lines.push(line)
    }
    expect(lines).toEqual([[], ['nodeNetwork 200']])
  })
})
