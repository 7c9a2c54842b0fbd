import { createPool } from '../../../../functions/runtime/nodes/pool.ts'
import { nodeTipQuery } from '../../../../shared/upstream/node-query.ts'
import type { NodeCall, Reply } from '../../../../shared/upstream/query.ts'
import { labelOfReply } from '../../../../shared/upstream/reply.ts'
import {
  type Condition,
  hashOf,
  lookUpQuery,
  type SimulatedNode,
  simulatedNode,
  slotMs,
} from '../../../../verification/nodes/simulated-node.ts'
import { createVirtualTime, type VirtualTime } from '../../../../verification/nodes/virtual-time.ts'

/** Nodes of one chain that a test changes as it goes, behind the real pool, in virtual time. */
export interface SimulatedPool {
  readonly time: VirtualTime
  readonly pool: ReturnType<typeof createPool>
  readonly nodes: readonly SimulatedNode[]
  /** The calls of the last question: `b hedge 200`. Those for the network are left out. */
  calls(): readonly string[]
  /** What was noticed of nodes since the pool began: `demoted a`. */
  readonly events: readonly string[]
  set(name: string, condition: Partial<Condition>): void
  /** Asks for the tip. */
  tip(): Promise<Reply & { readonly height: number | undefined; readonly tookMs: number }>
  /** Asks for the block of a height. */
  lookUp(height: number): Promise<Reply>
}

/**
 * @param names in the order of the settings
 * @param leader index of the node that is asked first
 */
export function simulatedPool(names: readonly string[], leader = 0): SimulatedPool {
  const time = createVirtualTime(Date.UTC(2026, 0, 1))
  const conditions = new Map<string, Condition>(
    names.map((name) => [name, { health: 'ok', latencyMs: 50, height: 100, tipAtMs: time.now() }]),
  )
  const conditionOf = (name: string): Condition => {
    const condition = conditions.get(name)
    if (condition === undefined) throw new Error(`there is no node ${name}`)
    return condition
  }
  const nodes = names.map((name) => simulatedNode(name, time, () => conditionOf(name)))
  const pool = createPool(nodes, time, leader / names.length)
  const events: string[] = []
  let calls: NodeCall[] = []

  const ask = async (...[operation, variables]: Parameters<typeof pool.query>) => {
    calls = []
    const watch = {
      called: (call: NodeCall) => void calls.push(call),
      noticed: (event: string, node: string) => void events.push(`${event} ${node}`),
      outOfUse: () => undefined,
    }
    return time.until(pool.query(operation, variables, { limitMs: 20_000, watch }))
  }

  return {
    time,
    pool,
    nodes,
    events,
    calls: () =>
      calls
        .filter(({ why }) => why !== 'network')
        .map(({ node, why, outcome }) => [node, why, outcome].filter((part) => part !== undefined).join(' ')),
    set: (name, condition) => void conditions.set(name, { ...conditionOf(name), ...condition }),
    async tip() {
      const begunAt = time.now()
      const reply = await ask(nodeTipQuery, {})
      return { ...reply, height: labelOfReply(reply)?.height, tookMs: time.now() - begunAt }
    },
    lookUp: (height) => ask(lookUpQuery, { stateHash: hashOf(height) }),
  }
}

export { slotMs }
