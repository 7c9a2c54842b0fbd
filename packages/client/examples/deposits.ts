import type { Client, Cursor, Deposit } from '../src/client.ts'

/** Your database. Each of the last two is one transaction, so that a crash leaves both parts or neither. */
export interface DepositStore {
  cursor(): Promise<Cursor | undefined>
  /** Credits each deposit unless its id is there, and keeps the cursor. */
  credit(deposits: readonly Deposit[], cursor: Cursor): Promise<void>
  /** Takes back the deposits of a block, and keeps the cursor. */
  takeBack(stateHash: string, cursor: Cursor): Promise<void>
}

/** Credits each deposit to your keys once, over reorganisations and restarts of the program, until the signal is aborted. */
export async function creditDeposits(client: Client, keys: Set<string>, store: DepositStore, signal: AbortSignal) {
  for await (const step of client.deposits({ keys, from: await store.cursor(), signal })) {
    if (step.state === 'credited') await store.credit(step.deposits, step.cursor)
    else await store.takeBack(step.stateHash, step.cursor)
  }
}
