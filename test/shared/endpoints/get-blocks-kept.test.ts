// What an instance keeps of the newest blocks: it asks for less, and answers what a new instance would.
import { beforeEach, describe, expect, test } from '@jest/globals'
import { createRandom, integerBetween } from '../../../packages/testnet/random.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import type { Clock } from '../../../shared/chain/port.ts'
import { getBlocks } from '../../../shared/endpoints/get-blocks.ts'
import { printExactJson } from '../../../shared/mapping/exact-json.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { silentObserver } from '../chain/silent-observer.ts'
import { blockWire, childWire } from '../mapping/node-wire.ts'
import { whole } from './asking.ts'

type Wire = ReturnType<typeof childWire>

const minute = 60_000
let nowMs = 0
const clock: Clock = { now: () => nowMs, elapsed: () => nowMs, after: () => () => undefined }

/** Blocks on top of one another, the first one of which is given. */
function chainOf(length: number, from: Wire = childWire(blockWire, 'block0'), branch = 'block'): readonly Wire[] {
  const blocks = [from]
  let tip = from
  while (blocks.length < length) {
    tip = childWire(tip, `${branch}${blocks.length}`)
    blocks.push(tip)
  }
  return blocks
}

/** A daemon: its best chain, and all blocks that it holds. */
interface Daemon {
  best: readonly Wire[]
  readonly held: Map<string, Wire>
}

const daemonOf = (best: readonly Wire[]): Daemon => ({ best, held: new Map() })

const answered = ({ best, held }: Daemon, ...[operation, variables]: Parameters<QueryUpstream>) => {
  for (const block of best) held.set(block.stateHash, block)
  const { stateHash, maxLength = 1 } = variables
  if (operation.name !== 'blockByStateHash') return whole({ data: { bestChain: best.slice(-Number(maxLength)) } })
  const block = held.get(String(stateHash))
  const missing = `Block with state hash ${stateHash} not found in transition frontier`
  return block ? whole({ data: { block } }) : whole({ data: null, errors: [missing] })
}

type Times = Readonly<Record<string, string>>

/** An indexer that knows when it received some blocks. */
const indexerOf = (times: () => Times): QueryUpstream => {
  const blocks = () => Object.entries(times()).map(([stateHash, receivedTime]) => ({ stateHash, receivedTime }))
  return async () => ({ status: 200, errors: [], data: { blocks: blocks() } })
}

/** An instance over one address; `asked` are the questions to its node. */
function instanceOver(query: QueryUpstream, indexers: readonly QueryUpstream[] = []) {
  const asked: string[] = []
  const recorded: QueryUpstream = (...question) => {
    asked.push(question[0].name)
    return query(...question)
  }
  const chain = createChain({
    nodes: [{ name: 'node', query: recorded, sharedAddress: true }],
    indexers,
    clock,
    random: () => 0,
  })
  return {
    chain,
    /** @param isConditional asks for the version first, as for a request with a tag that is not the current one */
    async get(limit: number, isConditional = false) {
      asked.length = 0
      const tips: string[] = []
      const observer = { ...silentObserver, answeredAt: ({ stateHash }: { stateHash: string }) => tips.push(stateHash) }
      const view = chain.view({ withinMs: 20_000, observer })
      if (isConditional) await getBlocks.currentVersion?.({ limit }, view)
      tips.length = 0
      const answer = await getBlocks.run({ limit }, view)
      const { body, tip, ...others } = answer
      return { asked: [...asked], text: printExactJson(body), tip: tip?.stateHash ?? tips[0], others }
    },
  }
}

const ask =
  (daemon: Daemon): QueryUpstream =>
  async (...question) =>
    answered(daemon, ...question)

/** The answer of a new instance. */
const anew = async (query: QueryUpstream, limit: number, indexers: readonly QueryUpstream[] = []) => {
  const { asked, ...answer } = await instanceOver(query, indexers).get(limit)
  expect(asked).toEqual(['latestBlocks'])
  return answer
}

beforeEach(() => {
  nowMs = 0
})

describe('GET /blocks of an instance that has answered before', () => {
  test('asks for names, and then for the blocks that are new', async () => {
    const daemon = daemonOf(chainOf(20))
    const { get } = instanceOver(ask(daemon))
    const questions: (readonly string[])[] = []
    for (const added of [0, 0, 1, 3, 4, 0]) {
      daemon.best = chainOf(daemon.best.length + added)
      const { asked, ...answer } = await get(10)
      questions.push(asked)
      expect(answer).toEqual(await anew(ask(daemon), 10))
    }
    const alone = (blocks: number) => ['latestNames', ...Array(blocks).fill('blockByStateHash')]
    expect(questions).toEqual([
      ['latestBlocks'],
      alone(0),
      alone(1),
      alone(3),
      ['latestNames', 'latestBlocks'],
      alone(0),
    ])
  })

  test('asks for one block if a request with a tag was shown the next tip, and for none at the same tip', async () => {
    const daemon = daemonOf(chainOf(20))
    const { get } = instanceOver(ask(daemon))
    await get(10)
    const questions: (readonly string[])[] = []
    const branch = chainOf(3, daemon.best.at(-1), 'other').slice(1)
    const genesis = childWire(chainOf(26).at(-1) ?? blockWire, 'genesis')
    for (const next of [daemon.best, chainOf(21), [...chainOf(20), ...branch], chainOf(26), [genesis]]) {
      daemon.best = next
      const { asked, ...answer } = await get(10, true)
      questions.push(asked)
      expect(answer).toEqual(await anew(ask(daemon), 10))
    }
    const [same, one, all] = [['nodeTip'], ['nodeTip', 'blockByStateHash'], ['nodeTip', 'latestBlocks']]
    expect(questions).toEqual([same, one, ['nodeTip', 'blockByStateHash', 'latestBlocks'], all, all])
  })

  test('asks one question after an answer that is old for its length, or had fewer blocks', async () => {
    const { get } = instanceOver(ask(daemonOf(chainOf(20))))
    const first: string[] = []
    for (const [limit, laterMs] of [
      [10, 0],
      [10, 10 * minute - 1],
      [10, 10 * minute],
      [1, minute - 1],
      [1, minute],
      // The ten of before are still known to be below it.
      [10, minute],
    ] as const) {
      nowMs += laterMs
      first.push(...(await get(limit)).asked)
    }
    expect(first).toEqual(['latestBlocks', 'latestNames', 'latestBlocks', 'latestNames', 'latestBlocks', 'latestNames'])
    const small = instanceOver(ask(daemonOf(chainOf(20))))
    expect([(await small.get(1)).asked, (await small.get(2)).asked]).toEqual([['latestBlocks'], ['latestBlocks']])
  })

  test.each<[string, (daemon: Daemon) => QueryUpstream]>([
    [
      'is refused',
      (daemon) =>
        async (...question) => {
          if (question[0].name === 'blockByStateHash') throw new WireError('unreachable', 'reset')
          return answered(daemon, ...question)
        },
    ],
    [
      'names another parent',
      (daemon) =>
        async (...question) => {
          const [tip = blockWire] = daemon.best.slice(-1)
          const other = { ...tip, protocolState: { ...tip.protocolState, previousStateHash: 'another' } }
          return question[0].name === 'blockByStateHash'
            ? whole({ data: { block: other } })
            : answered(daemon, ...question)
        },
    ],
    [
      'goes with a reorganisation',
      (daemon) =>
        async (...question) => {
          if (question[0].name === 'blockByStateHash') {
            daemon.best = [...daemon.best.slice(0, -1), ...chainOf(3, daemon.best.at(-2), 'other').slice(1)]
            daemon.held.clear()
          }
          return answered(daemon, ...question)
        },
    ],
  ])('asks for all of them where a new block %s, and names the tip of that answer', async (_what, wrong) => {
    const daemon = daemonOf(chainOf(20))
    let query = ask(daemon)
    const { get } = instanceOver((...question) => query(...question))
    await get(10)
    daemon.best = chainOf(21)
    query = wrong(daemon)
    const { asked, ...answer } = await get(10)
    expect(asked.at(-1)).toBe('latestBlocks')
    expect(answer).toEqual(await anew(ask(daemon), 10))
    expect(answer.tip).toBe(daemon.best.at(-1)?.stateHash)
  })

  test('puts in received times anew: of an indexer that learns them late, and of another one', async () => {
    const daemon = daemonOf(chainOf(12))
    const time = (second: number) => `2026-01-01T00:00:0${second}.000Z`
    let [first, second]: [Times, Times] = [{ block11: time(1) }, {}]
    const indexers = [indexerOf(() => first), indexerOf(() => second)]
    const { get } = instanceOver(ask(daemon), indexers)
    const same = async () => {
      const { asked, ...answer } = await get(3)
      expect(answer).toEqual(await anew(ask(daemon), 3, indexers))
      return [asked, answer.others.headers?.['x-missing-fields'], answer.text.match(/"receivedTime":"[^"]*"/g)?.length]
    }
    const answers = [await same()]
    second = { block10: time(2), block9: time(3) }
    answers.push(await same())
    first = { block10: time(4), block9: time(5) }
    second = { block11: time(6) }
    answers.push(await same())
    expect(answers).toEqual([
      [['latestBlocks'], 'receivedTime', 1],
      [['latestNames'], undefined, 3],
      [['latestNames'], undefined, 3],
    ])
  })

  test('keeps twenty blocks at most, and four megabytes of them', async () => {
    const daemon = daemonOf(chainOf(20))
    const { chain, get } = instanceOver(ask(daemon))
    const { printed } = chain.view({ withinMs: 1 }).kept.blocks
    for (let length = 20; length < 60; length++) {
      daemon.best = chainOf(length)
      await get(10)
    }
    expect([...printed.keys()]).toEqual(
      chainOf(60)
        .slice(39, 59)
        .map(({ stateHash }) => stateHash),
    )
    const [command] = blockWire.transactions.userCommands
    const full = (block: Wire): Wire => ({
      ...block,
      transactions: { ...block.transactions, userCommands: Array(700).fill(command) },
    })
    daemon.best = chainOf(80).map(full)
    daemon.held.clear()
    const { asked: _asked, ...answer } = await get(10)
    const lengths = [...printed.values()].map(({ json }) => json.length)
    expect(lengths.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(4_000_000)
    expect(printed.has('block79')).toBe(true)
    expect(answer).toEqual(await anew(ask(daemon), 10))
    expect((await get(10)).asked).toEqual(['latestBlocks'])
  })

  test('answers what a new instance does, through blocks, reorganisations and a stalled daemon', async () => {
    const random = createRandom('kept blocks')
    const [moving, standing] = [daemonOf(chainOf(30)), daemonOf(chainOf(28))]
    let times: Times = {}
    let [turn, held] = [0, moving]
    const balanced: QueryUpstream = async (...question) => answered(turn++ % 3 === 2 ? standing : held, ...question)
    const one: QueryUpstream = async (...question) => answered(held, ...question)
    const indexers = [indexerOf(() => times)]
    const overOne = instanceOver(one, indexers)
    const overBoth = instanceOver(balanced, indexers)
    for (let event = 0; event < 300; event++) {
      nowMs += integerBetween(random, 1, minute)
      const kind = integerBetween(random, 1, 4)
      const depth = integerBetween(random, 1, 4)
      const grown = (from: readonly Wire[], blocks: number) => [
        ...from,
        ...chainOf(blocks + 1, from.at(-1), `of${event}n`).slice(1),
      ]
      if (kind === 1) moving.best = grown(moving.best, 1)
      if (kind === 2) moving.best = grown(moving.best.slice(0, -depth), depth + 1)
      if (kind === 3) times = { ...times, [String(moving.best.at(-depth)?.stateHash)]: '2026-01-01T00:00:00Z' }
      const limit = integerBetween(random, 1, 10)
      const isConditional = random() < 0.5
      const { asked: _one, ...answer } = await overOne.get(limit, isConditional)
      expect(answer).toEqual(await anew(one, limit, indexers))
      const { asked: _both, ...either } = await overBoth.get(limit)
      held = answer.tip === either.tip ? moving : standing
      expect(either).toEqual(await anew(one, limit, indexers))
      held = moving
    }
  })
})
