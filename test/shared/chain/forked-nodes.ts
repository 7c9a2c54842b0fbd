// Instances over nodes that stand before, in and after a hard fork.
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { ask } from '../../../shared/chain/actions/ask.ts'
import { askAll } from '../../../shared/chain/actions/ask-all.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import type { ChainView, Observer } from '../../../shared/chain/port.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import { nodeTipQuery } from '../../../shared/upstream/node-query.ts'
import type { NodePort } from '../../../shared/upstream/query.ts'
import { accepted, payment } from '../broadcast/broadcast-run.ts'
import { whole } from '../endpoints/asking.ts'
import { constantsWire, tipReplyAt } from '../mapping/node-wire.ts'
import { silentObserver } from './silent-observer.ts'

/** The question for the tip alone. */
export const tipAsked = { operation: nodeTipQuery, variables: {} }

export const noon = 1_800_000_000_000
const slotMs = 90_000
export const minutes = (count: number) => count * 60_000

export type State =
  | Error
  | {
      readonly genesis: string
      readonly height: number
      readonly atMs: number
      readonly isStart?: true
      /** By default the genesis names the chain too. An error for a node that does not answer about it. */
      readonly chainId?: string | Error
    }

export const old: State = { genesis: 'old', height: 50, atMs: noon }
/** The old chain has stood still for an hour. */
export const dead: State = { ...old, atMs: noon - minutes(60) }
export const next: State = { genesis: 'next', height: 30, atMs: noon }
/** Upgraded: the genesis block of a chain that begins in an hour, or that has just begun. */
export const early: State = { genesis: 'next', height: 20, atMs: noon + minutes(60), isStart: true }
export const begun: State = { genesis: 'next', height: 20, atMs: noon, isStart: true }

/** A node that can be stopped, and upgraded. */
function nodeIn(state: State, name: string) {
  const node = { state, commands: 0 }
  const query: NodePort['query'] = async (operation) => {
    if (node.state instanceof Error) throw node.state
    const { genesis, height, atMs, isStart, chainId = genesis } = node.state
    if (operation.name === 'nodeNetwork' && chainId instanceof Error) throw chainId
    if (operation.name === 'sendPayment') {
      node.commands++
      return whole(accepted)
    }
    const reply = JSON.stringify(tipReplyAt(height, isStart ? genesis : `${genesis}${height}`))
    const { data } = JSON.parse(reply.replace(/"date":"\d+"/, `"date":"${atMs}"`))
    const daemonStatus = { chainId, consensusConfiguration: { ...constantsWire, slotDuration: slotMs } }
    const genesisBlock = { stateHash: genesis }
    return whole({ data: { ...data, genesisBlock, ...(operation.name === 'nodeNetwork' && { daemonStatus }) } })
  }
  const port: NodePort = { name, sharedAddress: false, query }
  return Object.assign(node, { port })
}

/** The old chain has stood still for ten minutes: for more than five slots of 90 s, as it does by chance many times a day. */
export const halted: State = { ...old, atMs: noon - minutes(10) }

/** The old chain had its last block 30 slots ago, or 31. */
export const quiet: State = { ...old, atMs: noon - 30 * slotMs }
export const still: State = { ...old, atMs: noon - 31 * slotMs }

/** One instance over these nodes: what it reads and sends, and what it says of its network. */
export const instanceOver = (pins: readonly string[], ...states: readonly State[]) => instanceWith({ pins }, ...states)

export function instanceWith(
  { pins, chainIds }: { readonly pins: readonly string[]; readonly chainIds?: readonly string[] },
  ...states: readonly State[]
) {
  const nodes = states.map((state, index) => nodeIn(state, 'AB'[index] ?? ''))
  const clock = {
    ...hurriedClock,
    wallMs: noon,
    now: () => clock.wallMs,
    elapsed: () => clock.wallMs,
  }
  const ports = nodes.map(({ port }) => port)
  const chain = createChain({ nodes: ports, clock, random: () => 0, genesisStateHashes: pins, chainIds })
  const within = async <Given>(act: (view: ChainView) => Promise<Given>) => {
    const said: string[] = []
    const observer: Observer = {
      ...silentObserver,
      doubted: (doubt) => void said.push(doubt),
    }
    const view = chain.view({ withinMs: 20_000, observer })
    const given = await act(view).catch(({ fault }: { fault: string }) => fault)
    view.end()
    return [given, ...new Set(said)]
  }
  return {
    nodes,
    wait: (milliseconds: number) => {
      clock.wallMs += milliseconds
    },
    isHalted: () => within((view) => ask(view, nodeTipQuery, {}).then(() => view.isHalted)).then(([given]) => given),
    read: () => within((view) => ask(view, nodeTipQuery, {}).then(({ tip }) => tip?.genesisStateHash)),
    /** The nodes whose answers count where the first one is not enough. */
    askAll: () =>
      within((view) =>
        askAll(view, { ...tipAsked, repeat: tipAsked, isEnough: () => false }).then(({ whole }) =>
          whole.map(({ node }) => node),
        ),
      ).then(([given]) => given),
    send: async () => {
      const [given] = await within((view) =>
        broadcastTransaction.run(payment, view).then(({ headers }) => headers?.['x-broadcast-outcome']),
      )
      return [given, ...nodes.map(({ commands }) => commands)]
    },
  }
}
