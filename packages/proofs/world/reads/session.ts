// Readers of the service: their questions, and the judgement of each answer.

import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts'
import { getAccount } from '../../../../shared/endpoints/get-account.ts'
import { getBlock } from '../../../../shared/endpoints/get-block.ts'
import { getBlockAtHeight } from '../../../../shared/endpoints/get-block-at-height.ts'
import { getBlocks } from '../../../../shared/endpoints/get-blocks.ts'
import { minaDecimal } from '../../../../shared/mapping/amounts.ts'
import { memberOf } from '../../../../shared/mapping/exact-json.ts'
import { stateHash } from '../../../testnet/hashes.ts'
import { createRandom, pick, type Random } from '../../../testnet/random.ts'
import { senders } from '../broadcasts/signed-command.ts'
import { accountAt, type Block, type Chain } from '../chain/block.ts'
import type { Daemon } from '../chain/daemon.ts'
import type { Answered } from '../service/fleet.ts'
import type { StartService } from '../service/service.ts'
import { createTime } from '../time.ts'
import { type Caller, isUsable } from '../wire/place.ts'
import { noChances } from '../wire/wire.ts'
import { createWorld, type PlaceSetting, type World, type WorldSetting } from '../world.ts'

export interface Scenario extends Partial<WorldSetting> {
  readonly places: readonly PlaceSetting[]
  /** Draws other places for each session. */
  readonly drawn?: (random: Random) => Pick<WorldSetting, 'places' | 'isPinned'>
  /** Readers side by side, each of whom asks the next question an interval after the last one. */
  readonly readers?: number
  /** Of each reader. */
  readonly questions: number
  readonly intervalMs: number
  /** The first question is asked at a random time within this one. */
  readonly startsWithinMs?: number
  /** The share of questions for one block, and for an account; the others ask for the latest block. */
  readonly lookUps?: number
  readonly accounts?: number
  /** The greatest distance below the tip of blocks that are looked up. */
  readonly maxDepth?: number
  /** Looks up no block of a chain that a daemon has given up, or lags on. */
  readonly ofBestChain?: boolean
  /** The share of look-ups for a block that does not exist. */
  readonly unknown?: number
}

export const wrongs = [
  'failed',
  'went back',
  'false 404',
  'wrong canonical',
  'of another network',
  'left running',
  'slow',
] as const
export type Wrong = (typeof wrongs)[number]

export interface ReadRecord {
  /** Since the session began. */
  readonly atMs: number
  readonly tookMs: number
  readonly status: number
  readonly wrong: readonly Wrong[]
}

export interface Session {
  readonly reads: readonly ReadRecord[]
  /** By place: the times of all calls, since the session began; those beside a question too. */
  readonly calledAt: readonly (readonly number[])[]
  /** Questions put to nodes; labels of look-ups and checks of the network left out. */
  readonly calls: number
}

const minute = 60_000
/** No read takes longer beside a healthy node. */
const patienceMs = 3000
const common: Omit<WorldSetting, 'places'> = {
  ...noChances,
  isPinned: false,
  deaths: 0,
  slotMs: 3 * minute,
  height: 40,
  frontierBlocks: 291,
  acceptsDuplicates: true,
  gossipMs: [100, 300],
  blockLagMs: 0,
  // The protocol's aim: three of four slots have a block.
  blockEveryMs: [3 * minute, 5 * minute],
  reorganisations: 0,
  restarts: 0,
}

/** Asked beside a question: the label of a look-up, and which network a node is on. */
const isBeside = (document: string): boolean => /^query (?:nodeTip|\w*[Nn]etwork\w*|nodeChainId)\b/.test(document)

/** True if one of the chains shows the block in the best chain, or another one in its place. */
const isShown = (chains: readonly Chain[], { height, stateHash }: Block, isCanonical: boolean): boolean =>
  chains.some((chain) => {
    const there = chain[height - 1]
    return there !== undefined && (there.stateHash === stateHash) === isCanonical
  })

const [owner = ''] = senders
const balanceAt = (chain: Chain): string => minaDecimal(accountAt(chain, owner)?.balance ?? 0n)

function nextQuestion(random: Random, { home }: World, now: number, scenario: Scenario) {
  const { lookUps = 0, accounts = 0, maxDepth = 3, unknown = 0.2, ofBestChain = false } = scenario
  const dice = random()
  const ask = (endpoint: unknown, path: Readonly<Record<string, string>>, block?: Block) => ({
    endpoint: endpoint as Endpoint,
    request: { path, query: {}, body: undefined },
    block,
  })
  if (dice < accounts) return ask(getAccount, { public_key: owner })
  if (dice >= accounts + lookUps) return ask(getBlocks, {})
  if (random() < unknown) return ask(getBlock, { state_hash: stateHash(`unknown ${random()}`) })
  const chain = ofBestChain ? home.bestChain() : pick(random, [home.bestChain(), ...home.shownSince(now - minute)])
  const block = chain.at(-1 - Math.floor(random() * (maxDepth + 1)))
  // Every other one by its height.
  return block !== undefined && block.height % 2 === 0
    ? ask(getBlockAtHeight, { height: String(block.height) }, block)
    : ask(getBlock, { state_hash: block?.stateHash ?? '' }, block)
}

/** Runs one session. The same seed gives the same history to each service. */
export async function runSession(start: StartService, scenario: Scenario, seed: number): Promise<Session> {
  const { readers = 1, questions, intervalMs, startsWithinMs = 0 } = scenario
  const random = createRandom(`read session ${seed}`)
  const ofQuestions = createRandom(`questions ${seed}`)
  const ofJudge = createRandom(`judge ${seed}`)
  const time = createTime()
  const begunAt = time.now()
  const world = createWorld(random, time, { ...common, ...scenario, ...scenario.drawn?.(random) }, start)
  const { home, places, fleet } = world
  const calledAt = places.map((): number[] => [])
  const reads: ReadRecord[] = []
  let calls = 0
  const caller: Caller = {
    sent({ place, operation }) {
      calledAt[places.indexOf(place)]?.push(time.now() - begunAt)
      calls += isBeside(operation.document) ? 0 : 1
    },
    executed: () => () => undefined,
    troubled: () => undefined,
  }
  /** By the instance that answers, the greatest height that it has shown. */
  const shown = new Map<object, number>()

  const usable = (random: Random) =>
    places.flatMap(({ hosts }) => hosts.filter((host) => isUsable(host, time.now() - begunAt, random, 1)))
  /** The usable daemons, each with the height of its chain. */
  const usableHeights = (random: Random) =>
    new Map(usable(random).map(({ daemon }) => [daemon, daemon.chain().length] as const))

  function judged(
    block: Block | undefined,
    { answer, tip, by, left }: Answered,
    askedAt: number,
    heightsThen: ReadonlyMap<Daemon, number>,
  ): readonly Wrong[] {
    const { status, body } = answer
    const before = shown.get(by) ?? 0
    const given = tip?.height ?? before
    shown.set(by, Math.max(before, given))
    const chains = home.shownSince(askedAt)
    const canonical = memberOf(memberOf(body, 'block'), 'canonical')
    const stateHash = String(memberOf(memberOf(body, 'block'), 'stateHash'))
    const balance = memberOf(memberOf(memberOf(body, 'account'), 'balance'), 'total')
    const found: Record<Wrong, boolean> = {
      failed: status >= 500,
      // Some daemon could be asked, and knew better, from the question to the answer.
      'went back':
        status < 500 &&
        given < before &&
        [...usableHeights(random).keys()].some((daemon) => (heightsThen.get(daemon) ?? 0) >= before),
      'false 404': status === 404 && block !== undefined && block.height <= before && isShown(chains, block, true),
      'wrong canonical':
        typeof canonical === 'boolean' && (block === undefined || !isShown(chains, { ...block, stateHash }, canonical)),
      'of another network': balance !== undefined && !chains.map(balanceAt).includes(String(balance)),
      'left running': left > 0,
      slow: time.now() - askedAt > patienceMs,
    }
    return wrongs.filter((wrong) => found[wrong])
  }

  async function read(number: number): Promise<void> {
    await time.wait((number * intervalMs) / readers + startsWithinMs * createRandom(`start ${seed}`)())
    for (let count = 0; count < questions; count++) {
      const askedAt = time.now()
      const { endpoint, request, block } = nextQuestion(ofQuestions, world, askedAt, scenario)
      const heights = usableHeights(ofJudge)
      const answered = await fleet(endpoint, request, caller)
      const tookMs = time.now() - askedAt
      const wrong = judged(block, answered, askedAt, heights)
      reads.push({ atMs: askedAt - begunAt, tookMs, status: answered.answer.status, wrong })
      await time.wait(intervalMs - tookMs)
    }
  }

  world.live(() => Number.POSITIVE_INFINITY)
  await time.until(Promise.all(Array.from({ length: readers }, (_, number) => read(number))))
  return { reads, calledAt, calls }
}
