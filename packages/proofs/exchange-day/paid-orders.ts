// Compares orders with what the chain has paid.
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, hotWallet, type Stage } from './stage.ts'

/** An order whose amount no other order has. */
export interface DistinctOrder {
  readonly id: string
  readonly amount: string
}

/** The amounts, in nanomina, that the wallet has paid on the chain. */
async function paidAmounts(stage: Stage): Promise<readonly string[]> {
  const amounts: string[] = []
  let before = ''
  do {
    const answer = await ask(`${stage.url}/accounts/${hotWallet(stage).publicKey}/transactions?limit=100${before}`)
    if (!answer.ok) {
      await sleep(stage.blockMs)
      amounts.length = 0
      before = ''
      continue
    }
    const page = (await answer.json()) as {
      readonly transactions: readonly { readonly direction?: string; readonly command: { readonly amount: number } }[]
      readonly next?: string
    }
    for (const { direction, command } of page.transactions)
      if (direction === 'sent') amounts.push(String(command.amount))
    before = page.next === undefined ? '' : `&before=${page.next}`
  } while (before !== '')
  return amounts
}

/** @returns the orders that the chain has paid more than once, and those that it has not paid */
async function comparedOrders(stage: Stage, orders: readonly DistinctOrder[]) {
  const amounts = await paidAmounts(stage)
  const timesOf = ({ amount }: DistinctOrder) => amounts.filter((each) => each === amount).length
  const ids = (found: readonly DistinctOrder[]) => found.map(({ id }) => id)
  return {
    paidTwice: ids(orders.filter((order) => timesOf(order) > 1)),
    unpaid: ids(orders.filter((order) => timesOf(order) < 1)),
  }
}

/** Compares them once the chain has paid all of them, or when the time is up. */
export async function comparedOnceIncluded(stage: Stage, orders: readonly DistinctOrder[], inMs: number) {
  let compared = await comparedOrders(stage, orders)
  for (const deadline = Date.now() + inMs; compared.unpaid.length > 0 && Date.now() < deadline; ) {
    await sleep(stage.blockMs)
    compared = await comparedOrders(stage, orders)
  }
  return compared
}
