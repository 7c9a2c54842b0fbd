// Nodes in virtual time, and a chain over them: what a node answers is a function that a test may change at any moment.
import { setImmediate } from 'node:timers/promises'
import { createChain } from '../../../shared/chain/chain.ts'
import type { CallRecord, Clock, Watch } from '../../../shared/chain/outside.ts'
import type { ChainPort } from '../../../shared/chain/port.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { NodePort, Reply } from '../../../shared/upstream/query.ts'
import type { Variables } from '../../../shared/upstream/wire.ts'

export const genesisA = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
export const genesisB = '3NK4BpDSekaqsG6tx8Nse2zJchRft2JpnbvMiog55WCr5xJZaKeP'
const startedAt = Date.UTC(2026, 0, 1)

/** Virtual time: the next timer is due when nothing else can happen. */
function createTime() {
  let now = startedAt
  const timers: { readonly at: number; readonly action: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    after(milliseconds, action) {
      const timer = { at: now + milliseconds, action }
      const index = timers.findLastIndex(({ at }) => at <= timer.at)
      timers.splice(index + 1, 0, timer)
      return () => {
        const place = timers.indexOf(timer)
        if (place >= 0) timers.splice(place, 1)
      }
    },
  }
  return {
    clock,
    wait: (milliseconds: number) => new Promise<void>((resolve) => void clock.after(milliseconds, resolve)),
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    pending: () => timers.length,
    async until<T>(promise: Promise<T>): Promise<T> {
      let isOver = false
      const over = () => {
        isOver = true
      }
      promise.then(over, over)
      for (;;) {
        await setImmediate()
        await setImmediate()
        if (isOver) return promise
        const timer = timers.shift()
        if (timer === undefined) throw new Error('a promise waits for nothing')
        now = Math.max(now, timer.at)
        timer.action()
      }
    },
  }
}

type Time = ReturnType<typeof createTime>

/** A node's reaction to a question: it answers, refuses the connection, breaks it, or hangs. */
export type Behaviour = (name: string, variables: Variables) => Partial<Reply> | 'refused' | 'broken' | 'hangs'

export interface Simulated {
  readonly name: string
  latencyMs: number
  height: number
  genesis: string
  behaviour: Behaviour | undefined
  /** The questions that reached it. */
  readonly asked: string[]
}

export const simulated = (name: string, more: Partial<Omit<Simulated, 'name' | 'asked'>> = {}): Simulated => ({
  name,
  latencyMs: 50,
  height: 100,
  genesis: genesisA,
  behaviour: undefined,
  ...more,
  asked: [],
})

/** The state hash of the chain's block at a height. */
export const hashAt = (height: number): string => `3N${height}`

const consensusAt = (height: number) => ({ blockHeight: `${height}`, blockchainLength: `${height}` })

/** As the node's own state has it: its tip, and no command. */
export function healthy({ height, genesis }: Simulated): Behaviour {
  const tip = {
    stateHash: hashAt(height),
    protocolState: { blockchainState: { date: `${startedAt - 60_000}` }, consensusState: consensusAt(height) },
  }
  const genesisBlock = { stateHash: genesis, protocolState: { consensusState: consensusAt(1) } }
  return () => ({ data: { bestChain: [tip], syncStatus: 'SYNCED', genesisBlock } })
}

function portOf(node: Simulated, time: Time): NodePort {
  return {
    name: node.name,
    sharedAddress: false,
    query: async ({ name }, variables, { limitMs = 8000, signal } = {}) => {
      node.asked.push(name)
      const given = Promise.withResolvers<never>()
      signal?.addEventListener('abort', () => given.reject(new WireError('timeout', 'given up')))
      const limit = Math.min(limitMs, 8000)
      const answer = async (): Promise<Reply> => {
        const reply = (node.behaviour ?? healthy(node))(name, variables)
        const isLate = reply === 'hangs' || node.latencyMs >= limit
        await time.wait(isLate ? limit : node.latencyMs)
        if (isLate) throw new WireError('timeout', 'no answer')
        if (reply === 'refused') throw new WireError('unreachable', 'refused', { isUnsent: true })
        if (reply === 'broken') throw new WireError('unreachable', 'reset')
        return { status: 200, data: undefined, errors: [], ...(typeof reply === 'object' && reply) }
      }
      return Promise.race([answer(), given.promise])
    },
  }
}

/** One instance over these nodes, cold at first, and what one request of it does. */
export function instanceOver(
  nodes: readonly Simulated[],
  { random = () => 0, genesisStateHash }: { readonly random?: () => number; readonly genesisStateHash?: string } = {},
) {
  const time = createTime()
  const { clock } = time
  const chain = createChain({ nodes: nodes.map((node) => portOf(node, time)), clock, random, genesisStateHash })
  const request = async <T>(act: (port: ChainPort) => Promise<T>) => {
    const calls: CallRecord[] = []
    const events: string[] = []
    const watch: Watch = {
      called: (call) => void calls.push(call),
      noticed: (event, node) => void events.push(`${event} ${node}`),
      outOfUse: () => undefined,
      rests: () => undefined,
    }
    const begunAt = clock.now()
    const port = chain.exchange({ deadline: begunAt + 20_000, watch })
    const given = await act(port)
      .catch((error: unknown) => error)
      .finally(() => port.end())
    return { given, tookMs: clock.now() - begunAt, calls, events }
  }
  return { request: <T>(act: (port: ChainPort) => Promise<T>) => time.until(request(act)), time }
}
