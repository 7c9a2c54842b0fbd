// A service over a chain of blocks that a test writes, with the fields that the client reads.
import type { Fetch } from '../../client/src/client.ts'
import { encodeMemo } from '../../local/chain/command.ts'
import { noon } from './scripted-service.ts'
import { payload } from './signed.ts'

/** A command of the sender in a block; a zkApp command uses its nonce unseen. */
export interface ModelCommand {
  readonly nonce: number
  readonly hash?: string
  readonly isZkapp?: boolean
  readonly [field: string]: unknown
}

interface ModelBlock {
  readonly stateHash: string
  readonly parent: ModelBlock | undefined
  readonly height: number
  readonly slot: number
  readonly atMs: number
  readonly commands: readonly ModelCommand[]
}

export class ModelChain {
  readonly asked: string[] = []
  /** Replaces the next answers. */
  readonly failures: (number | 'lost')[] = []
  /** The service does not have blocks below this height. */
  lowestHeight = 1
  hasLabels = true
  tip: ModelBlock
  readonly #blocks = new Map<string, ModelBlock>()
  readonly #heightAtNoon: number

  /** @param height of the tip at noon; a block a minute, none with a command of the sender */
  constructor(height: number) {
    this.#heightAtNoon = height
    this.tip = this.#add(undefined, [])
    for (let made = 1; made < height; made++) this.add()
  }

  /** Adds a block on the tip, or on the block so many below it. */
  add(commands: readonly ModelCommand[] = [], below = 0): ModelBlock {
    let parent = this.tip
    for (let step = 0; step < below; step++) parent = parent.parent ?? parent
    this.tip = this.#add(parent, commands)
    return this.tip
  }

  #add(parent: ModelBlock | undefined, commands: readonly ModelCommand[]): ModelBlock {
    const height = (parent?.height ?? 0) + 1
    const stateHash = `3N${this.#blocks.size}`
    const atMs = noon + (height - this.#heightAtNoon) * 60_000
    const block = { stateHash, parent, height, slot: height, atMs, commands }
    this.#blocks.set(stateHash, block)
    return block
  }

  #nonce(): number {
    let next = 0
    for (let block: ModelBlock | undefined = this.tip; block; block = block.parent)
      next = Math.max(next, ...block.commands.map(({ nonce }) => nonce + 1))
    return next
  }

  #bodyOf(path: string): object | undefined {
    if (path === '/summary') return { stateHash: this.tip.stateHash }
    if (path.startsWith('/accounts/')) return { account: { nonce: this.#nonce() } }
    const block = this.#blocks.get(path.replace('/blocks/', ''))
    if (block === undefined || block.height < this.lowestHeight) return undefined
    const { stateHash, height, slot, atMs, parent } = block
    const commands = block.commands.filter(({ isZkapp }) => !isZkapp)
    return {
      block: {
        stateHash,
        blockHeight: height,
        dateTime: new Date(atMs).toISOString(),
        protocolState: { previousStateHash: parent?.stateHash ?? '3N', consensusState: { slotSinceGenesis: slot } },
        transactions: {
          userCommands: commands.map((command) => ({
            ...{ from: payload.from, to: payload.to, amount: 1_500_000_000, fee: 10_000_000, isDelegation: false },
            memo: encodeMemo(payload.memo),
            ...command,
          })),
        },
      },
    }
  }

  readonly fetch: Fetch = async (url) => {
    const path = new URL(url).pathname
    this.asked.push(path)
    const failure = this.failures.shift()
    if (failure === 'lost') throw new TypeError('fetch failed')
    const body = failure === undefined ? this.#bodyOf(path) : undefined
    if (body === undefined) return new Response('{"message":"none"}', { status: failure ?? 404 })
    const { stateHash, height, atMs } = this.tip
    const time = new Date(atMs).toISOString()
    const label = { 'x-chain-height': String(height), 'x-chain-state-hash': stateHash, 'x-chain-time': time }
    return new Response(JSON.stringify(body), { headers: this.hasLabels ? label : {} })
  }
}
