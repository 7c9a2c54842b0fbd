// One simulated daemon: its view of the chain and its pool.
import { minimumFee, refusals } from '../../../testnet/pool/refusals.ts'
import { type HistoryCommand, signature } from '../broadcasts/signed-command.ts'
import { accountAt, type Chain, latestIn, sinceGenesis, spending } from './block.ts'

/**
 * `bootstrapping`: no frontier, so no accounts and no blocks. `without-ledger`: it shows its chain, but its pool cannot
 * verify commands yet.
 */
export type DaemonState = 'down' | 'bootstrapping' | 'without-ledger' | 'up'

/** The Rust node refuses most of the service's operations before it executes them. */
export type Kind = 'daemon' | 'rust'

/** A pool's words before it has a ledger. Nothing was taken. */
const withoutLedger =
  "Couldn't send user command: (failure \"We don't have a transition frontier at the moment, so we're unable to verify any transactions.\")"

/** The words of bootstrapping daemons of different versions: to a question for blocks, and to a submission. */
const bootstrapWords = [
  ['Could not obtain best chain from transition frontier', refusals.unknownSender],
  ['Daemon is bootstrapping', withoutLedger],
  ['Daemon is bootstrapping', 'Daemon is bootstrapping'],
] as const

export type Daemon = ReturnType<typeof createDaemon>

/**
 * @param version daemons of different versions bootstrap in different words
 * @param acceptsDuplicates whether a queued command may be submitted again, as in today's daemon
 */
export function createDaemon(name: string, kind: Kind, version: number, acceptsDuplicates: boolean, genesis: Chain) {
  const [bootstrapError, submissionError] = bootstrapWords[version % 3] ?? bootstrapWords[0]
  let chain = genesis
  let changes = 0
  let recent = new Set<HistoryCommand>()
  const frontier = new Map(sinceGenesis(genesis).map((block) => [block.stateHash, block]))
  const pool = new Map<string, readonly HistoryCommand[]>()
  const queued = (publicKey: string) => pool.get(publicKey) ?? []
  const account = (publicKey: string) => accountAt(chain, publicKey)
  const inferredNonce = (publicKey: string) =>
    Math.max(account(publicKey)?.nonce ?? 0, (queued(publicKey).at(-1)?.nonce ?? -1) + 1)
  const put = (command: HistoryCommand) => {
    const others = queued(command.from).filter(({ nonce }) => nonce !== command.nonce)
    changes++
    pool.set(
      command.from,
      [...others, command].sort((one, other) => one.nonce - other.nonce),
    )
  }

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
      if (kept.length < commands.length) changes++
      pool.set(publicKey, kept)
    }
  }

  const daemon = {
    name,
    kind,
    /** Its error in place of a best chain. */
    bootstrapError,
    state: 'up' as DaemonState,
    /** It hears nothing of its network, and goes on answering with the chain, the ledger and the pool that it has. */
    isCutOff: false,
    /** Blocks behind the network that it sees at a time; infinite while it is stuck. */
    lag: (_nowMs: number): number => 0,
    chain: () => chain,
    /** A block of its frontier, forks included. */
    block: (stateHash: string) => frontier.get(stateHash),
    account,
    /** By nonce. */
    queued,
    allQueued: () => [...pool.values()].flat(),
    inferredNonce,
    /** True if the command is in its pool or in the latest blocks of its best chain. */
    holds: (command: HistoryCommand) => recent.has(command) || queued(command.from).includes(command),
    /**
     * @param isPaused commands are stopped before a hard fork
     * @returns its error; undefined when the command is in the pool
     */
    submit(command: HistoryCommand, slot: number, isPaused = false): string | undefined {
      const { from, fee, nonce, flaw } = command
      const sender = daemon.state === 'bootstrapping' ? undefined : account(from)
      if (fee < minimumFee) return refusals.fee(fee)
      if (flaw === 'memo') return refusals.memo
      if (sender === undefined) return submissionError
      const inferred = inferredNonce(from)
      if (nonce < sender.nonce || nonce > inferred) return refusals.nonce(command, signature, inferred, sender.nonce)
      if (flaw === 'signature') return refusals.signature(command, signature)
      if (daemon.state === 'without-ledger') return withoutLedger
      if (isPaused) return refusals.pool('After_slot_tx_end')
      if (command.validUntil < slot) return refusals.pool('Expired')
      const rival = queued(from).find((other) => other.nonce === nonce)
      if (rival === command) return acceptsDuplicates ? undefined : 'Couldn\'t send user command: ["Duplicate"]'
      if (rival !== undefined && fee <= rival.fee) return refusals.pool('Insufficient_replace_fee')
      const others = queued(from).filter((other) => other !== rival)
      const needed = others.reduce((sum, other) => sum + spending(other), spending(command))
      if (needed > sender.balance) return refusals.pool('Insufficient_funds')
      put(command)
      return undefined
    },
    adopt(next: Chain, slot: number) {
      const abandoned = chain.filter((block) => next[block.height - 1] !== block)
      chain = next
      changes++
      for (let at = next.length - 1; at >= 0; at--) {
        const block = next[at]
        if (block === undefined || frontier.has(block.stateHash)) break
        frontier.set(block.stateHash, block)
      }
      recent = new Set(latestIn(next).flatMap(({ commands }) => commands))
      for (const command of kind === 'rust' ? [] : abandoned.flatMap(({ commands }) => commands)) {
        if (!queued(command.from).some(({ nonce }) => nonce === command.nonce)) put(command)
      }
      dropUnfit(slot)
    },
    /** Drops commands that can no longer be included: used nonce, nonce gap, insufficient funds, expiry. */
    dropUnfit,
    losePool() {
      pool.clear()
      changes++
    },
    /** The number of changes to its chain and its pool so far. */
    changes: () => changes,
  }
  return daemon
}
