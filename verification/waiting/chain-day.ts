// A day of a chain as a service tells it: whose slots have a block, when each block reaches the service, and what the service
// answers to those who wait.
import type { Fetch } from '../../client/src/client.ts'
import { createRandom } from '../../local/chain/random.ts'
import type { VirtualTime } from '../world/time.ts'

interface Setting {
  readonly seed: string
  /** The share of the slots that have a block. */
  readonly density: number
  readonly slotMs: number
  readonly lastsMs: number
}

interface Block {
  readonly height: number
  readonly slotAtMs: number
  readonly arrivesAtMs: number
}

export interface Day {
  readonly time: VirtualTime
  readonly slotMs: number
  readonly blocks: readonly Block[]
}

const firstHeight = 1000
/** A command comes into the second block after it was sent. */
const blocksToInclusion = 2
const cachedMs = 5000
const heldBlocks = 290

export const payment = {
  publicKey: 'B62sender',
  signature: { field: '1', scalar: '2' },
  payload: {
    ...{ from: 'B62sender', to: 'B62receiver', fee: '10000000', amount: '1', nonce: '7', memo: 'memo' },
    validUntil: '4294967295',
  },
} as const
export const hash = (name: string): string => `5J ${name}`

/** @param setting a day of density 0 has the block alone with which it begins */
export function chainDay(time: VirtualTime, { seed, density, slotMs, lastsMs }: Setting): Day {
  const random = createRandom(`chain of ${seed}`)
  const begunAtMs = time.now()
  const blocks = [{ height: firstHeight, slotAtMs: begunAtMs - slotMs, arrivesAtMs: begunAtMs - slotMs }]
  for (let slotAtMs = begunAtMs; slotAtMs < begunAtMs + 2 * lastsMs; slotAtMs += slotMs) {
    const isFilled = random() < density
    const arrivesAtMs = slotAtMs + 5000 + Math.floor(random() * 70_000)
    if (isFilled) blocks.push({ height: firstHeight + blocks.length, slotAtMs, arrivesAtMs })
  }
  return { time, slotMs, blocks }
}

const stateHash = (height: number) => `3N${height}`

/**
 * A service behind a cache: an answer is as old as its `age` says.
 *
 * @param isStuck another command used the nonce, and nothing shows which
 */
export function serviceBefore({ time, slotMs, blocks }: Day, isStuck: boolean) {
  const counts = new Map<string, number>()
  const includedAt = new Map<string, number>()
  const tipAt = (ms: number) => blocks.findLast(({ arrivesAtMs }) => arrivesAtMs <= ms) ?? blocks[0]
  /** Of the payment sent last. */
  let latest = Infinity
  const state = (name: string, tip: number) => {
    const at = includedAt.get(name) ?? Infinity
    const block = { stateHash: stateHash(at), blockHeight: at, dateTime: '2026-01-01T00:00:00.000Z' }
    if (isStuck) return { state: 'absent', sending: 'nonce-used' }
    if (at > tip) return { state: 'pending' }
    return { state: 'included', status: 'applied', block, confirmations: tip - at }
  }
  const isUsed = (tip: number) => isStuck || latest <= tip
  const answers: Readonly<Record<string, (place: string, tip: number) => object | undefined>> = {
    network: () => ({ networkName: 'testnet', signatureKind: 'testnet', slotDurationMs: slotMs }),
    summary: (_, tip) => ({ blockchainLength: tip, stateHash: stateHash(tip) }),
    accounts: (_, tip) => ({
      account: { publicKey: 'B62sender', nonce: isUsed(tip) ? 8 : 7, nextNonce: 8, balance: { total: '1' } },
    }),
    transactions: (name, tip) => {
      if (name === hash('unknown')) return undefined
      const searched = { pool: true, fromHeight: tip - 19, toHeight: tip, nodes: 1, indexer: false }
      return { transaction: { hash: name, ...state(name, tip), searched } }
    },
    blocks: (place, tip) => {
      const height = Number(/\d+$/.exec(place))
      if (height > tip || height <= tip - heldBlocks) return undefined
      const protocolState = { previousStateHash: stateHash(height - 1) }
      const transactions = { userCommands: [], zkappCommands: [] }
      return {
        block: { stateHash: stateHash(height), blockHeight: height, canonical: true, protocolState, transactions },
      }
    },
  }
  const fetch: Fetch = async (url) => {
    const [, kind = '', ...places] = new URL(url).pathname.split('/')
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    const madeAtMs = time.now() - (time.now() % cachedMs)
    const tip = tipAt(madeAtMs)
    const headers = {
      ...{ 'x-chain-height': `${tip?.height}`, 'x-chain-state-hash': stateHash(tip?.height ?? 0) },
      'x-chain-time': new Date(tip?.slotAtMs ?? 0).toISOString(),
      date: new Date(madeAtMs).toUTCString(),
      age: `${Math.floor((time.now() - madeAtMs) / 1000)}`,
    }
    const body = answers[kind]?.(decodeURIComponent(places.at(-1) ?? ''), tip?.height ?? 0)
    return body ? Response.json(body, { headers }) : Response.json({ message: 'No.' }, { status: 404, headers })
  }
  /** Sends a payment; any other command stays in the pool. */
  function pay(name: string): void {
    latest = (tipAt(time.now())?.height ?? 0) + blocksToInclusion
    includedAt.set(hash(name), latest)
  }
  return { fetch, counts, pay }
}
