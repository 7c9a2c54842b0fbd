// Which command used a nonce, by blocks older than those in which the service looks for commands.
import type { Clock } from './clock.ts'
import type { CallOptions, ChainLabel, Labelled, Reads } from './reads.ts'
import type { AnyCommand } from './schema.ts'
import { type CommandFacts, isSigned } from './signed-command.ts'
import type { Transaction } from './transaction.ts'

/** A state without the question that it answers. */
type Bare<State> = Omit<State, 'hash' | 'terms' | 'searched'>

/**
 * A command in a block of the best chain. Where the block is `final`, `confirmations` is a
 * lower bound, the network's k; a service of an earlier release leaves it out; `chainHash` is there where
 * the chain knows the command by another hash than the given one.
 */
export type Included = Bare<Extract<Transaction, { state: 'included' }>>

/**
 * `by`, `block` and `command` are absent where older blocks show neither the command nor another one with its nonce: a zkApp
 * command of another sender has raised the nonce, or these blocks list no zkApp commands.
 */
export interface Replaced {
  readonly state: 'replaced'
  readonly by?: string | undefined
  readonly command?: AnyCommand | undefined
  readonly block?: Included['block'] | undefined
  readonly confirmations: number
  /** True, or absent: no reorganisation can reach that block. */
  readonly final?: boolean | undefined
}

const clockMarginMs = 3_600_000

/** A node holds about as many blocks. */
const maxBlocks = 300

/** Undefined after a 404. */
const found = <Value>(reading: Promise<Labelled<Value>>): Promise<Value | undefined> =>
  reading.then(
    ({ value }) => value,
    (error) => {
      if (Object(error).status !== 404) throw error
      return undefined
    },
  )

/**
 * @param sentAtMs blocks more than an hour older are not searched
 * @returns a search to call again until its result has enough confirmations. It is given the first height that need not be
 *   read, the tip's height, and the tip. Its result is undefined where the service does not have the blocks, or where nothing
 *   proves that a command is another one.
 */
export function historySearch(
  sent: CommandFacts,
  reads: Pick<Reads, 'block' | 'blockAtHeight'>,
  clock: Clock,
  { sentAtMs = 0, ...options }: CallOptions & { readonly sentAtMs?: number | undefined },
): (
  hash: string,
  fromHeight: number,
  toHeight: number,
  tip: ChainLabel | undefined,
) => Promise<Included | Replaced | undefined> {
  /** The tip under which the nonce was first seen used, by a command that no block shows. */
  let usedAt: ChainLabel | undefined

  return async (hash, fromHeight, toHeight, tip) => {
    if (tip && usedAt && (await found(reads.block(usedAt.stateHash, options)))?.canonical) {
      return { state: 'replaced', confirmations: tip.height - usedAt.height }
    }
    usedAt = undefined
    // Compares durations, since this machine's clock may be wrong; it may even have been set back.
    const passedMs = clock.now() - sentAtMs
    const marginMs = passedMs < 0 ? Number.POSITIVE_INFINITY : passedMs + clockMarginMs
    let newestMs: number | undefined
    for (let height = fromHeight - 1; height > 0; height--) {
      const read = fromHeight - height > maxBlocks ? undefined : await found(reads.blockAtHeight(height, options))
      if (!read) return undefined
      const { stateHash, blockHeight, dateTime, transactions } = read
      const zkapps = transactions.zkappCommands?.filter(({ feePayer }) => feePayer.publicKey === sent.from) ?? []
      const commands = transactions.userCommands.filter(({ from }) => from === sent.from)
      const place = { block: { stateHash, blockHeight, dateTime }, confirmations: toHeight - blockHeight }
      const command = commands.find(({ nonce }) => nonce === sent.nonce)
      if (command) {
        const isKnown = command.hash === hash
        const isOwn = isKnown || isSigned(command, sent)
        if (isOwn === undefined) return undefined
        if (!isOwn) return { state: 'replaced', ...place, by: command.hash, command }
        const chainHash = isKnown ? undefined : command.hash
        return { state: 'included', ...place, failureReason: command.failureReason, command, chainHash }
      }
      const zkapp = zkapps.find(({ nonce }) => nonce === sent.nonce)
      if (zkapp) return { state: 'replaced', ...place, by: zkapp.hash, command: zkapp }
      newestMs ??= Date.parse(dateTime)
      const isBefore = [...commands, ...zkapps].some(({ nonce }) => nonce < sent.nonce)
      if (isBefore || Date.parse(dateTime) < newestMs - marginMs) break
    }
    usedAt = tip
    return tip && { state: 'replaced', confirmations: 0 }
  }
}
