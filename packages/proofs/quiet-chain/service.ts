// Instances of the service over nodes whose chain pauses or stands still, in virtual time: what they tell at each half slot.
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import { getHealth } from '../../../shared/endpoints/get-health.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { nodeTipQuery } from '../../../shared/upstream/node-query.ts'
import type { NodePort } from '../../../shared/upstream/query.ts'

export const settings = ['one node', 'two nodes', 'two pins, a listed node down'] as const
export type Setting = (typeof settings)[number]

const present = 'presentGenesis'
const next = 'nextGenesis'
/** Of the tip before the pause. */
const beganAt = Date.UTC(2026, 0, 1)
/** A block comes a while after its slot begins. */
const blockAfterMs = 20_000

interface ShownTip {
  readonly height: number
  readonly atMs: number
}

/** The present network as its nodes describe it: with a field missing nobody would know how long a slot is. */
const networkWith = (slotDuration: number) => ({
  daemonStatus: {
    chainId: present,
    consensusConfiguration: { k: 290, slotDuration, slotsPerEpoch: 7140 },
  },
  genesisBlock: {
    stateHash: present,
    protocolState: {
      consensusState: { blockHeight: '1', blockchainLength: '1', slotSinceGenesis: '0' },
      previousStateHash: null,
    },
  },
})

/** A node of the present chain that shows this tip; none for one that does not answer. */
function nodeShowing(name: string, slotMs: number, tipNow: () => ShownTip | undefined): NodePort {
  return {
    name,
    sharedAddress: false,
    async query() {
      const tip = tipNow()
      if (tip === undefined) throw new WireError('unreachable', 'connection refused')
      const bestChain = [
        {
          stateHash: `block${tip.height}`,
          protocolState: {
            blockchainState: { date: String(tip.atMs) },
            consensusState: { blockHeight: String(tip.height) },
          },
        },
      ]
      const data = { bestChain, syncStatus: 'SYNCED', ...networkWith(slotMs) }
      return { status: 200, errors: [], data }
    },
  }
}

/** The nodes of a setting, which show this tip while they answer. */
function nodesOf(setting: Setting, slotMs: number, tipNow: () => ShownTip): readonly NodePort[] {
  const first = nodeShowing('a', slotMs, tipNow)
  if (setting === 'one node') return [first]
  return [first, nodeShowing('b', slotMs, setting === 'two nodes' ? tipNow : () => undefined)]
}

interface Told {
  readonly status: string
  readonly isRefused: boolean
  /** Of the nodes, as the log names them. */
  readonly events: readonly string[]
}

/** An instance, which is asked at times of its caller's. */
function instanceOver(nodes: readonly NodePort[], pins: readonly string[]) {
  let nowMs = beganAt
  const clock = { ...hurriedClock, now: () => nowMs, elapsed: () => nowMs }
  const chain = createChain({ nodes, clock, random: () => 0, genesisStateHashes: pins })
  return async (atMs: number): Promise<Told> => {
    nowMs = atMs
    const events: string[] = []
    const nothing = () => undefined
    const observer = {
      ...{ called: nothing, outOfUse: nothing, refusedFor: nothing, answeredAt: nothing, doubted: nothing },
      noticed: (event: string, node: string) => void events.push(`${event} ${node}`),
    }
    const view = chain.view({ withinMs: 20_000, observer })
    const isRefused = await view.request(nodeTipQuery, {}).then(
      () => false,
      (error: unknown) => {
        if (!(error instanceof WireError)) throw error
        return error.fault === 'busy'
      },
    )
    const { body } = await getHealth.run({}, view)
    view.end()
    return { status: 'status' in body ? body.status : '', isRefused, events }
  }
}

const pinsOf = (setting: Setting) => (setting === 'two pins, a listed node down' ? [present, next] : [present])

/** What an instance that has served the chain before, and a new one, say at each half slot until a time. */
async function* tellings(setting: Setting, slotMs: number, tipAt: (ms: number) => ShownTip, untilMs: number) {
  let nowMs = beganAt
  const nodes = nodesOf(setting, slotMs, () => tipAt(nowMs))
  const warm = instanceOver(nodes, pinsOf(setting))
  await warm(beganAt)
  for (nowMs = beganAt + blockAfterMs; nowMs <= untilMs; nowMs += slotMs / 2) {
    const cold = instanceOver(nodes, pinsOf(setting))
    yield { slot: Math.floor((nowMs - beganAt) / slotMs), told: [await warm(nowMs), await cold(nowMs)] }
  }
}

/**
 * What is told wrongly in a pause of a chain that is well.
 *
 * @param slots that are empty; the next block comes after them
 */
export async function toldOf(setting: Setting, slotMs: number, slots: number) {
  const resumesMs = beganAt + (slots + 1) * slotMs + blockAfterMs
  const tipAt = (ms: number): ShownTip =>
    ms < resumesMs ? { height: 100, atMs: beganAt } : { height: 101, atMs: resumesMs - blockAfterMs }
  let isDown = false
  let isRefused = false
  for await (const { told } of tellings(setting, slotMs, tipAt, resumesMs + slotMs)) {
    isDown ||= told.some(({ status }) => status === 'down')
    isRefused ||= told.some((each) => each.isRefused)
  }
  return { isDown, isRefused }
}

/** After how many slots every instance says that a chain which stands still is down. */
export async function standstillIn(setting: Setting, slotMs: number): Promise<{ readonly downAtSlot: number }> {
  const tip = { height: 100, atMs: beganAt }
  for await (const { slot, told } of tellings(setting, slotMs, () => tip, beganAt + 100 * slotMs)) {
    if (told.every(({ status }) => status === 'down')) return { downAtSlot: slot }
  }
  return { downAtSlot: Number.POSITIVE_INFINITY }
}

/** A balancer or a status page asks so often. */
const pollMs = 10_000

/**
 * How soon, and where, it is told that one of two nodes is out: one that does not answer from then on, one that stands still
 * from when the other one is two blocks ahead.
 */
export async function stoppedNode(trouble: 'does not answer' | 'stands still') {
  const slotMs = 90_000
  let nowMs = beganAt
  const heightNow = () => 100 + Math.floor((nowMs - beganAt) / slotMs)
  const tipNow = () => ({ height: heightNow(), atMs: beganAt + (heightNow() - 100) * slotMs })
  const isStopped = () => nowMs >= beganAt + 10 * slotMs
  const stoppedAt = { height: 110, atMs: beganAt + 10 * slotMs }
  const stopped = () => (trouble === 'stands still' ? stoppedAt : undefined)
  const nodes = [nodeShowing('a', slotMs, () => (isStopped() ? stopped() : tipNow())), nodeShowing('b', slotMs, tipNow)]
  const instance = instanceOver(nodes, [present])
  let troubledAt: number | undefined
  const where = new Map<string, number>()
  for (; nowMs <= beganAt + 30 * slotMs; nowMs += pollMs) {
    const { status, events } = await instance(nowMs)
    const isTroubled = isStopped() && (trouble === 'does not answer' || heightNow() >= 112)
    if (!isTroubled) continue
    troubledAt ??= nowMs
    const told = [...(status === 'ok' ? [] : [`GET /health ${status}`]), ...events.map((event) => `its log: ${event}`)]
    for (const each of told) if (!where.has(each)) where.set(each, nowMs - troubledAt)
    if (where.size === 2) break
  }
  return { afterMs: where.size < 2 ? Number.POSITIVE_INFINITY : Math.max(...where.values()), where: [...where.keys()] }
}
