import { type Block, type Cursor, nextStep } from './follow-the-chain.ts'
import { checkNetwork } from './network.ts'

/** MINA to a key: by a payment, or by what the account updates of a zkApp command declare together. */
export interface Deposit {
  /** One for each key and command on a chain: a sender uses a nonce once. */
  readonly id: string
  readonly publicKey: string
  /** Nanomina. */
  readonly amount: bigint
  readonly commandHash: string
  readonly blockHeight: number
  readonly stateHash: string
}

/** Your database. Each of the last two is one transaction, so that a crash leaves both parts or neither. */
export interface DepositStore {
  cursor(): Promise<Cursor | undefined>
  isOurs(publicKey: string): boolean
  /** Credits each deposit unless its id is there, and keeps the cursor. */
  credit(deposits: readonly Deposit[], cursor: Cursor): Promise<void>
  /** Takes back the deposits of a block, and keeps the cursor. */
  takeBack(stateHash: string, cursor: Cursor): Promise<void>
}

const minaToken = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'

/**
 * The deposits of a block to the keys that are yours. A command that failed has moved nothing but its fee.
 *
 * @throws Error where the zkApp commands of the block are not known now: they may be deposits
 */
export function depositsIn(block: Block, isOurs: (publicKey: string) => boolean): readonly Deposit[] {
  const { stateHash, blockHeight, transactions } = block
  const { userCommands, zkappCommands } = transactions
  if (!zkappCommands) throw new Error(`the zkApp commands of block ${stateHash} are missing: try again`)
  const payments = userCommands
    .filter(({ isDelegation, failureReason, from, to }) => !isDelegation && !failureReason && from !== to)
    .map(({ hash, nonce, from, to, amount }) => ({ hash, payer: `${from}/${nonce}`, publicKey: to, amount }))
  // A failed one declares nothing. Blocks that caches kept from before tokens had a list of their own may show them here.
  const changes = zkappCommands
    .filter(({ failureReason }) => !failureReason)
    .flatMap(({ hash, nonce, feePayer, balanceChanges }) =>
      balanceChanges
        .filter(({ tokenId, amount }) => tokenId === minaToken && amount > 0)
        .map(({ publicKey, amount }) => ({ hash, payer: `${feePayer.publicKey}/${nonce}`, publicKey, amount })),
    )
  return [...payments, ...changes]
    .filter(({ publicKey, amount }) => isOurs(publicKey) && amount > 0)
    .map(({ hash, payer, publicKey, amount }) => ({
      ...{ id: `${payer}/${publicKey}`, publicKey, amount: BigInt(amount) },
      ...{ commandHash: hash, blockHeight, stateHash },
    }))
}

/**
 * Credits what has arrived under so many confirmations, up to now. Call it every few seconds, after an error and after a
 * restart too: each deposit is credited once, and none is missed.
 *
 * @param network yours: another one's deposits are worth nothing, and throw a NetworkMismatch
 * @returns the number of steps taken
 */
export async function creditDeposits(url: string, network: string, store: DepositStore, confirmations = 15) {
  await checkNetwork(url, network)
  let cursor = await store.cursor()
  for (let steps = 0; ; steps++) {
    const step = await nextStep(url, cursor, confirmations)
    if (step === undefined) return steps
    if (step.added) await store.credit(depositsIn(step.added, store.isOurs), step.cursor)
    if (step.orphaned) await store.takeBack(step.orphaned.stateHash, step.cursor)
    cursor = step.cursor
  }
}
