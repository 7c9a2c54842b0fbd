// One simulated daemon: its view of the chain and its pool.
import { minimumFee } from '../../../local/chain/pool/refusals.ts'
import type { HistoryCommand } from '../broadcasts/signed-command.ts'
import { type AccountState, accountAt, type Block, type Chain, recentBlocks, spending } from './block.ts'
import type { Reason } from './refusal-words.ts'

/**
 * `bootstrapping`: no frontier, so no accounts and no blocks. `without-ledger`: it shows its chain, but its pool cannot
 * verify commands yet.
 */
export type DaemonState = 'down' | 'bootstrapping' | 'without-ledger' | 'up'

/** The Rust node refuses most of the service's operations before it executes them. */
export type Kind = 'daemon' | 'rust'

export interface Daemon {
  readonly name: string
  readonly kind: Kind
  /** Daemons of different versions say in different words that they bootstrap. */
  readonly version: number
  state: DaemonState
  /** Blocks behind the network that it sees at a time; infinite while it is stuck. */
  lag: (nowMs: number) => number
  chain(): Chain
  /** A block of its frontier, forks included. */
  block(stateHash: string): Block | undefined
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

/** @param acceptsDuplicates whether a queued command may be submitted again, as in today's daemon */
export function createDaemon(
  { name, kind, version }: Pick<Daemon, 'name' | 'kind' | 'version'>,
  acceptsDuplicates: boolean,
  genesis: Chain,
): Daemon {
  let chain = genesis
  let recent = new Set<HistoryCommand>()
  const frontier = new Map(genesis.map((block) => [block.stateHash, block]))
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

  const daemon: Daemon = {
    name,
    kind,
    version,
    state: 'up',
    lag: () => 0,
    chain: () => chain,
    block: (stateHash) => frontier.get(stateHash),
    account,
    queued,
    allQueued: () => [...pool.values()].flat(),
    inferredNonce,
    holds: (command) => recent.has(command) || queued(command.from).includes(command),
    submit(command, slot) {
      const sender = daemon.state === 'bootstrapping' ? undefined : account(command.from)
      if (command.fee < minimumFee) return { kind: 'fee' }
      if (command.flaw === 'memo') return { kind: 'memo' }
      if (sender === undefined) return { kind: 'sender' }
      const inferred = inferredNonce(command.from)
      if (command.nonce < sender.nonce || command.nonce > inferred) {
        return { kind: 'nonce', inferred, ledger: sender.nonce }
      }
      if (command.flaw === 'signature') return { kind: 'signature' }
      if (daemon.state === 'without-ledger') return { kind: 'ledger' }
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
      for (let at = next.length - 1; at >= 0; at--) {
        const block = next[at]
        if (block === undefined || frontier.has(block.stateHash)) break
        frontier.set(block.stateHash, block)
      }
      recent = new Set(next.slice(-recentBlocks).flatMap(({ commands }) => commands))
      for (const command of kind === 'rust' ? [] : abandoned.flatMap(({ commands }) => commands)) {
        if (!queued(command.from).some(({ nonce }) => nonce === command.nonce)) put(command)
      }
      dropUnfit(slot)
    },
    dropUnfit,
    losePool: () => pool.clear(),
  }
  return daemon
}
