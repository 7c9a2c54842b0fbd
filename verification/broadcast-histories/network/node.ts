// One simulated node: its view of the chain and its pool.
import { minimumFee } from '../../../local/chain/pool/refusals.ts'
import type { HistoryCommand } from '../signed-command.ts'
import { type AccountState, accountAt, type Chain, recentBlocks, spending } from './block.ts'
import type { Dialect, Reason } from './refusal-words.ts'

/** `bootstrapping`: without a frontier, so it has no accounts and no blocks. */
export type NodeState = 'down' | 'bootstrapping' | 'up'

export interface Node {
  readonly name: string
  readonly dialect: Dialect
  state: NodeState
  chain(): Chain
  account(publicKey: string): AccountState | undefined
  /** By nonce. */
  queued(publicKey: string): readonly HistoryCommand[]
  allQueued(): readonly HistoryCommand[]
  inferredNonce(publicKey: string): number
  /** Whether the command is in its pool or in the latest blocks of its best chain. */
  holds(command: HistoryCommand): boolean
  /** @returns why the command is refused; undefined when it is in the pool */
  submit(command: HistoryCommand, slot: number): Reason | undefined
  adopt(chain: Chain, slot: number): void
  /** Drops commands that can no longer be included: used nonce, nonce gap, insufficient funds, expiry. */
  dropUnfit(slot: number): void
  losePool(): void
}

/** @param acceptsDuplicates whether a queued command may be submitted again, as in the daemon */
export function createNode(name: string, dialect: Dialect, acceptsDuplicates: boolean, genesis: Chain): Node {
  let chain = genesis
  let recent = new Set<HistoryCommand>()
  const pool = new Map<string, readonly HistoryCommand[]>()
  const queued = (publicKey: string) => pool.get(publicKey) ?? []
  const account = (publicKey: string) => accountAt(chain, publicKey)
  const inferredNonce = (publicKey: string) =>
    Math.max(account(publicKey)?.nonce ?? 0, (queued(publicKey).at(-1)?.nonce ?? -1) + 1)
  const put = (command: HistoryCommand) =>
    pool.set(
      command.from,
      [...queued(command.from).filter(({ nonce }) => nonce !== command.nonce), command].sort(
        (one, other) => one.nonce - other.nonce,
      ),
    )

  function dropUnfit(slot: number): void {
    for (const [publicKey, commands] of pool) {
      const { nonce = 0, balance = 0n } = account(publicKey) ?? {}
      const kept: HistoryCommand[] = []
      let left = balance
      for (const command of commands) {
        if (command.nonce < nonce) continue
        left -= spending(command)
        if (command.nonce !== nonce + kept.length || left < 0n || command.validUntil < slot) break
        kept.push(command)
      }
      pool.set(publicKey, kept)
    }
  }

  const node: Node = {
    name,
    dialect,
    state: 'up',
    chain: () => chain,
    account,
    queued,
    allQueued: () => [...pool.values()].flat(),
    inferredNonce,
    holds: (command) => recent.has(command) || queued(command.from).includes(command),
    submit(command, slot) {
      const sender = node.state === 'up' ? account(command.from) : undefined
      if (command.fee < minimumFee) return { kind: 'fee' }
      if (command.flaw === 'memo') return { kind: 'memo' }
      if (sender === undefined) return { kind: 'sender' }
      const inferred = inferredNonce(command.from)
      if (command.nonce < sender.nonce || command.nonce > inferred) {
        return { kind: 'nonce', inferred, ledger: sender.nonce }
      }
      if (command.flaw === 'signature') return { kind: 'signature' }
      if (command.validUntil < slot) return { kind: 'expired' }
      const rival = queued(command.from).find(({ nonce }) => nonce === command.nonce)
      if (rival === command) return acceptsDuplicates ? undefined : { kind: 'duplicate' }
      if (rival !== undefined && command.fee <= rival.fee) return { kind: 'replace' }
      const others = queued(command.from).filter((other) => other !== rival)
      const needed = others.reduce((sum, other) => sum + spending(other), spending(command))
      if (needed > sender.balance) return { kind: 'funds' }
      put(command)
      return undefined
    },
    adopt(next, slot) {
      const abandoned = chain.filter((block) => next[block.height - 1] !== block)
      chain = next
      recent = new Set(next.slice(-recentBlocks).flatMap(({ commands }) => commands))
      for (const command of abandoned.flatMap(({ commands }) => commands)) {
        if (!queued(command.from).some(({ nonce }) => nonce === command.nonce)) put(command)
      }
      dropUnfit(slot)
    },
    dropUnfit,
    losePool: () => pool.clear(),
  }
  return node
}
