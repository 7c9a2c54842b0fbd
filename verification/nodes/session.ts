// One instance with three nodes, its questions one after the other, and a record of each answer.
import { labelOfReply, nodeTipQuery } from '../../shared/upstream/node-query.ts'
import type { CallWatch } from '../../shared/upstream/query.ts'
import type { Policy } from './policies.ts'
import { createRandom } from './random.ts'
import { type Condition, hashOf, lookUpQuery, type SimulatedNode, simulatedNode, slotMs } from './simulated-node.ts'
import { createVirtualTime, type VirtualTime } from './virtual-time.ts'

/** How one node is, `sinceMs` after the session began. */
export type Script = (sinceMs: number, random: () => number) => Partial<Condition> & { readonly lag?: number }

export interface Scenario {
  /** One for each node. */
  readonly nodes: readonly Script[]
  readonly questions: number
  readonly intervalMs: number
  /** Share of the questions that look a block up; half of these for one that does not exist yet. */
  readonly lookUps?: number
  /** After this many questions the instance is frozen for 60 s, and all connections break. */
  readonly freezeEach?: number
}

/** One answer as the caller saw it. */
export interface Answered {
  /** Since the session began. */
  readonly atMs: number
  readonly tookMs: number
  readonly isError: boolean
  /** The tip shown is below one shown before, while a node that answers is at that one. */
  readonly wentBack: boolean
  /** The block was shown before, yet it is said not to exist. */
  readonly isFalse404: boolean
}

export interface Session {
  readonly answers: readonly Answered[]
  /** Questions sent to nodes, labels and networks beside them left out. */
  readonly calls: number
  readonly sideCalls: number
  /** By node: calls that it never answered. */
  readonly unanswered: readonly number[]
  /** By node: how often it was put last. */
  readonly demotions: readonly number[]
  readonly timersLeft: number
  /** By node: times at which it was asked. */
  readonly askedAt: readonly (readonly number[])[]
}

const startedAt = Date.UTC(2026, 0, 1)
const firstHeight = 1000

/** Height of the chain: three of four slots have a block, in a pattern that a seed repeats. */
function createChain(seed: number): (now: number) => { readonly height: number; readonly tipAtMs: number } {
  const random = createRandom(seed)
  const tips = [{ height: firstHeight, tipAtMs: startedAt }]
  return (now) => {
    for (;;) {
      const last = tips.at(-1) ?? { height: firstHeight, tipAtMs: startedAt }
      if (last.tipAtMs > now) break
      const slots = 1 + [...Array(20)].findIndex(() => random() < 0.75)
      tips.push({ height: last.height + 1, tipAtMs: last.tipAtMs + slots * slotMs })
    }
    return tips.findLast(({ tipAtMs }) => tipAtMs <= now) ?? { height: firstHeight, tipAtMs: startedAt }
  }
}

/** Runs one session. The same seed gives the same history to each policy. */
export async function runSession(policy: Policy, scenario: Scenario, seed: number): Promise<Session> {
  const time: VirtualTime = createVirtualTime(startedAt)
  const [ofPolicy, ofQuestions, ofNodes] = [1, 2, 3].map((part) => createRandom(seed * 10 + part))
  const tipAt = createChain(seed)
  const tips: { readonly height: number; readonly tipAtMs: number }[] = []
  const askedAt: number[][] = scenario.nodes.map(() => [])

  const conditionOf = (script: Script, now: number): Condition => {
    const { lag = 0, ...condition } = script(now - startedAt, ofNodes ?? Math.random)
    const tip = tipAt(now)
    tips[tip.height] = tip
    const height = Math.max(firstHeight, tip.height - lag)
    const tipAtMs = tips[height]?.tipAtMs ?? startedAt
    return { health: 'ok', latencyMs: 50, height, tipAtMs, ...condition }
  }
  const nodes: readonly SimulatedNode[] = scenario.nodes.map((script, index) =>
    simulatedNode(`node-${index}`, time, (now) => {
      askedAt[index]?.push(now - startedAt)
      return conditionOf(script, now)
    }),
  )
  const query = policy(nodes, time, ofPolicy?.() ?? 0)
  const best = () => {
    const conditions = scenario.nodes.map((script) => conditionOf(script, time.now()))
    return Math.max(0, ...conditions.filter(({ health }) => health === 'ok').map(({ height }) => height))
  }

  const demotions = scenario.nodes.map(() => 0)
  const watch: CallWatch = {
    called: () => undefined,
    outOfUse: () => undefined,
    noticed(event, name) {
      const index = nodes.findIndex((node) => node.name === name)
      if (event === 'demoted') demotions[index] = (demotions[index] ?? 0) + 1
    },
  }

  const answers: Answered[] = []
  let shown = 0
  let timersLeft = 0
  for (let question = 0; question < scenario.questions; question++) {
    const begunAt = time.now()
    const isLookUp = (ofQuestions?.() ?? 0) < (scenario.lookUps ?? 0)
    const height = shown === 0 || (ofQuestions?.() ?? 0) < 0.5 ? shown + 100 : shown - ((question % 3) + 0)
    const asked = isLookUp ? ([lookUpQuery, { stateHash: hashOf(height) }] as const) : ([nodeTipQuery, {}] as const)
    let isError = false
    let tip = 0
    let isMissing = false
    try {
      const reply = await time.until(query(asked[0], asked[1], { limitMs: 20_000, watch }))
      tip = labelOfReply(reply)?.height ?? 0
      isMissing = reply.errors.length > 0
    } catch {
      isError = true
    }
    timersLeft += time.pending()
    answers.push({
      atMs: begunAt - startedAt,
      tookMs: time.now() - begunAt,
      isError,
      wentBack: !isError && tip < shown && best() >= shown,
      isFalse404: isMissing && height <= shown,
    })
    shown = Math.max(shown, tip)
    const isFrozen = scenario.freezeEach !== undefined && (question + 1) % scenario.freezeEach === 0
    if (isFrozen) for (const node of nodes) node.breakConnections()
    time.freeze(isFrozen ? 60_000 : Math.max(0, scenario.intervalMs - (time.now() - begunAt)))
  }
  return {
    answers,
    calls: nodes.reduce((sum, node) => sum + node.calls(), 0),
    sideCalls: nodes.reduce((sum, node) => sum + node.sideCalls(), 0),
    demotions,
    unanswered: nodes.map((node) => node.unanswered()),
    timersLeft,
    askedAt,
  }
}
