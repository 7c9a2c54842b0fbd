// Two or more nodes with their gossip, blocks, small reorganisations and restarts.
import { integerBetween, pick, type Random } from '../../../local/chain/random.ts'
import type { Clock } from '../clock.ts'
import type { Setting } from '../setting.ts'
import { type HistoryCommand, senders } from '../signed-command.ts'
import { type Block, type Chain, nextBlock } from './block.ts'
import { createNode, type Node } from './node.ts'
import type { Reason } from './refusal-words.ts'

const initialBalance = 1_000_000_000_000n
/** Short enough for commands to expire within a history. */
const slotMs = 10_000

export interface Network {
  readonly nodes: readonly Node[]
  slot(): number
  bestChain(): Chain
  /** Submits a command to a node, which gossips it to the others. */
  submit(node: Node, command: HistoryCommand): Reason | undefined
  /** Makes blocks, reorganises and restarts nodes until that time. */
  live(untilMs: () => number): void
}

/**
 * @param changed called after every change to what the nodes hold
 * @param trace receives the lines of the history
 */
export function createNetwork(
  random: Random,
  clock: Clock,
  setting: Setting,
  changed: () => void,
  trace: (line: () => string) => void,
): Network {
  const accounts = new Map(senders.map((key) => [key, { nonce: 0, balance: initialBalance }]))
  let bestChain: Chain = [{ stateHash: '3Nblock0', height: 1, commands: [], accounts }]
  const node = (name: string) => createNode(name, setting.dialect, setting.acceptsDuplicates, bestChain)
  const nodes = Array.from({ length: setting.nodes }, (_, index) => node(String.fromCharCode(65 + index)))
  const othersOf = (one: Node): readonly Node[] => nodes.filter((other) => other !== one)
  const slot = () => Math.floor(clock.now() / slotMs)
  const between = ([least, most]: readonly [number, number]) => integerBetween(random, least, most)
  /** When the last gossip to a node arrives; gossip does not overtake gossip. */
  const gossipArrives = new Map<Node, number>()
  let blocks = 0

  function gossip(to: Node, command: HistoryCommand): void {
    const at = Math.max(gossipArrives.get(to) ?? 0, clock.now() + between(setting.gossipMs))
    gossipArrives.set(to, at)
    clock.after(at - clock.now(), () => {
      if (to.state !== 'up' || to.queued(command.from).includes(command)) return
      const reason = to.submit(command, slot())
      trace(() => `${to.name} receives ${command.hash.slice(0, 8)}: ${reason?.kind ?? 'queued'}`)
      changed()
    })
  }

  /** Gossips the pool again to a node that came back or got a new chain, as a daemon does. */
  function catchUp(to: Node): void {
    for (const from of othersOf(to)) {
      for (const command of from.allQueued()) if (!to.queued(command.from).includes(command)) gossip(to, command)
    }
  }

  function adopt(to: Node, chain: Chain): void {
    if (to.state !== 'up' || to.chain().length > chain.length) return
    to.adopt(chain, slot())
    changed()
    catchUp(to)
  }

  function spread(maker: Node): void {
    const chain = bestChain
    adopt(maker, chain)
    for (const other of othersOf(maker)) {
      clock.after(integerBetween(random, 10, setting.blockLagMs), () => adopt(other, chain))
    }
  }

  const append = (wanted: readonly HistoryCommand[]) => {
    blocks += 1
    const block: Block = nextBlock(bestChain, `3Nblock${blocks}`, wanted, slot())
    bestChain = [...bestChain, block]
    trace(() => `block ${block.height}: ${block.commands.map(({ hash }) => hash.slice(0, 8)).join(' ') || 'empty'}`)
  }

  function makeBlock(): void {
    const maker = pick(random, nodes)
    // Some blocks come from other producers and hold none of these commands, some have no room for all of them.
    const room = random() < 0.2 ? 0 : integerBetween(random, 1, 8)
    const depth = random() < setting.reorganisations ? integerBetween(random, 1, 2) : 0
    if (depth > 0 && bestChain.length > depth) {
      const abandoned = bestChain.slice(-depth).flatMap(({ commands }) => commands)
      bestChain = bestChain.slice(0, -depth)
      trace(() => `reorganisation of ${depth}`)
      for (let made = 0; made < depth; made++) append(random() < 0.5 ? abandoned : [])
    }
    append(maker.state === 'up' ? maker.allQueued().slice(0, room) : [])
    spread(maker)
  }

  function restart(one: Node): void {
    if (nodes.some(({ state }) => state !== 'up')) return
    trace(() => `${one.name} restarts`)
    one.state = 'down'
    one.losePool()
    changed()
    clock.after(integerBetween(random, 1_000, 20_000), () => {
      one.state = 'bootstrapping'
      clock.after(integerBetween(random, 1_000, 10_000), () => {
        one.state = 'up'
        trace(() => `${one.name} is back`)
        adopt(one, bestChain)
      })
    })
  }

  return {
    nodes,
    slot,
    bestChain: () => bestChain,
    submit(to, command) {
      const isNew = !to.queued(command.from).includes(command)
      const reason = to.submit(command, slot())
      if (reason === undefined) {
        if (isNew) changed()
        for (const other of othersOf(to)) gossip(other, command)
      }
      return reason
    },
    live(untilMs) {
      const producing = () => {
        if (clock.now() > untilMs()) return
        makeBlock()
        clock.after(between(setting.blockEveryMs), producing)
      }
      clock.after(between(setting.blockEveryMs), producing)
      // A daemon drops an expired command at the next block. No block can include it, so here it is dropped at once.
      const ticking = () => {
        if (clock.now() > untilMs()) return
        for (const one of nodes) one.dropUnfit(slot())
        changed()
        clock.after(slotMs, ticking)
      }
      clock.after(slotMs, ticking)
      for (let count = 0; count < setting.restarts; count++) {
        clock.after(integerBetween(random, 1_000, 90_000), () => {
          if (clock.now() <= untilMs()) restart(pick(random, nodes))
        })
      }
    },
  }
}
