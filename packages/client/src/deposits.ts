// Deposits to many keys: what each block of the best chain credits, and what a reorganisation takes back.
import type { Clock } from './clock.ts'
import type { Reads } from './reads.ts'
import type { Block } from './schema.ts'
import { ServiceError } from './service-error.ts'
import type { Slots } from './slots.ts'
import { type BlockReads, blockChanges, type Cursor, type WatchBlocksOptions } from './watch-blocks.ts'

/** MINA to a key: by a payment, or by what the account updates of a zkApp command declare together. */
export interface Deposit {
  /** One for each key and command on a chain, the same after a reorganisation: a sender uses a nonce once. */
  readonly id: string
  readonly publicKey: string
  /** Nanomina. */
  readonly amount: bigint
  readonly commandHash: string
  readonly blockHeight: number
  readonly stateHash: string
}

/** A step of the best chain. Store `cursor` in one transaction with what you make of the step, also where it has no deposit. */
export type DepositStep =
  | {
      readonly state: 'credited'
      readonly stateHash: string
      readonly deposits: readonly Deposit[]
      readonly cursor: Cursor
    }
  /** Take back all that you credited of this block. Its `deposits` are absent where no node holds the block any more. */
  | {
      readonly state: 'taken-back'
      readonly stateHash: string
      readonly deposits?: readonly Deposit[] | undefined
      readonly cursor: Cursor
    }

export interface DepositsOptions extends Omit<WatchBlocksOptions, 'cursor'> {
  /** Your keys: a `Set` or a `Map`, asked in each block, so that you can add to it at any time. */
  readonly keys: { has(publicKey: string): boolean }
  /** The cursor stored last. Without one it begins with the newest block under enough others. */
  readonly from?: Cursor | undefined
}

const minaToken = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'

/** @returns undefined where the block does not tell its zkApp commands, which may be deposits too */
function depositsIn(block: Block, keys: DepositsOptions['keys']): readonly Deposit[] | undefined {
  const { stateHash, blockHeight, transactions } = block
  const { userCommands, zkappCommands } = transactions
  const found: Deposit[] = []
  const add = (from: string, { nonce, hash }: { nonce: number; hash: string }, publicKey: string, amount: bigint) => {
    if (!keys.has(publicKey) || amount <= 0n) return
    found.push({ id: `${from}/${nonce}/${publicKey}`, publicKey, amount, commandHash: hash, blockHeight, stateHash })
  }
  for (const command of userCommands) {
    const { from, to, amount, isDelegation, failureReason } = command
    if (!isDelegation && failureReason === undefined && from !== to) add(from, command, to, amount)
  }
  for (const command of zkappCommands ?? []) {
    if (command.failureReason !== undefined) continue
    for (const { publicKey, tokenId, amount } of command.balanceChanges) {
      // Copies in caches may have all tokens in one list.
      if (tokenId === minaToken) add(command.feePayer.publicKey, command, publicKey, amount)
    }
  }
  return zkappCommands && found
}

/**
 * The deposits of each block under enough others, in the order of heights, and each block that a reorganisation takes off the
 * best chain, the highest first. It never passes a block whose zkApp commands are missing.
 *
 * @throws as `watchBlocks`
 */
export async function* depositSteps(
  reads: BlockReads,
  clock: Clock,
  slots: Slots,
  { keys, from, confirmations = 15, ...options }: DepositsOptions,
): AsyncGenerator<DepositStep, void, undefined> {
  const blockAtHeight: Reads['blockAtHeight'] = async (...asked) => {
    const answer = await reads.blockAtHeight(...asked)
    if (answer.value.transactions.zkappCommands) return answer
    throw new ServiceError(`the zkApp commands of block ${answer.value.stateHash} are missing`, { status: 503 })
  }
  const changes = blockChanges({ ...reads, blockAtHeight }, clock, slots, { ...options, cursor: from, confirmations })
  for await (const change of changes) {
    const { block, cursor } = change
    const deposits = block && depositsIn(block, keys)
    if (change.state === 'orphaned') yield { state: 'taken-back', stateHash: change.stateHash, deposits, cursor }
    else yield { state: 'credited', stateHash: change.block.stateHash, deposits: deposits ?? [], cursor }
  }
}
