// Restores older copies of an exchange's books, beside a wallet that has paid since then, and does what the program asks a person.
// In the end no order may be paid twice, and each must be settled as the chain has it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, integerBetween } from '../../testnet/random.ts'
import { answersOf } from './answers.ts'
import { comparedOnceIncluded, type DistinctOrder } from './paid-orders.ts'
import type { Books, ExchangeProgram } from './program.ts'
import type { Stage } from './stage.ts'

export interface RestoresTable {
  readonly restores: number
  /** Of them, those after which the program asked. */
  readonly asked: number
  readonly orders: number
  readonly adopted: number
  /** Orders that were signed while something was open. */
  readonly signedBeside: readonly string[]
  readonly paidTwice: readonly string[]
  readonly unpaid: readonly string[]
  /** Orders that are not `paid` in the books, where that was waited for. */
  readonly unsettled: readonly string[]
  /** Lines of orders.jsonl that the program refused. */
  readonly invalid: number
}

/** A copy may be hundreds of blocks old, and the program credits those before it signs. */
const waitMs = 600_000

/**
 * @param program not yet started, with no order
 * @throws Error where the program does not go on in time
 */
export async function restoredBooks(
  stage: Stage,
  program: ExchangeProgram,
  restores: number,
  { untilSettled = true }: { readonly untilSettled?: boolean } = {},
): Promise<RestoresTable> {
  const random = createRandom('restored books')
  const folder = mkdtempSync(join(tmpdir(), 'copies-'))
  /** Undefined for a folder whose books are lost. */
  const copies: (string | undefined)[] = [undefined]
  const to = stage.wallets.find(({ name }) => name === 'judy')?.publicKey
  const orders: DistinctOrder[] = []
  const order = (isRaised: boolean) => {
    const [id, amount] = [`r${orders.length}`, String(2_000_000_000 + orders.length)]
    orders.push({ id, amount })
    program.order([{ id, to, amount, memo: id }, ...(isRaised ? [{ raise: id }] : [])])
    return id
  }
  const until = async (isSo: () => boolean, inMs = waitMs) => {
    const deadline = Date.now() + inMs
    while (!isSo()) {
      if (program.hasEnded || Date.now() > deadline)
        throw new Error(`the program does not go on: ${program.said.slice(-5).join('\n')}`)
      await sleep(stage.blockMs)
    }
  }
  const copy = async () => {
    await program.kill()
    const own = mkdtempSync(join(folder, 'copy-'))
    program.copyBooks(own)
    copies.push(own)
    program.start()
  }
  let [asked, adopted] = [0, 0]
  const signedBeside: string[] = []
  try {
    program.start()
    for (let restore = 0; restore < restores; restore++) {
      for (let copied = 0; copied < 2; copied++) {
        order(integerBetween(random, 0, 2) === 0)
        await sleep(integerBetween(random, 0, stage.blockMs * 3))
        await copy()
      }
      await sleep(integerBetween(random, 0, stage.blockMs * 3))
      await program.kill()
      const restored = copies[integerBetween(random, 0, copies.length - 1)]
      program.restoreBooks(restored)
      // With the books the file of orders may be lost too, and be written again in another sequence. Earlier copies do not fit it.
      if (restored === undefined) {
        program.shuffleOrders(random)
        copies.length = 1
      }
      const newest = order(false)
      program.start()
      const answers = answersOf(program)
      let isKilled = false
      await until(() => {
        const { foreign = [], withdrawals } = program.books()
        if (foreign.length > 0 && withdrawals[newest]?.bids) signedBeside.push(newest)
        answers.answer()
        // A kill in the middle of adopting.
        if (answers.size > 1 && !isKilled) {
          isKilled = true
          void program.kill().then(() => program.start())
        }
        return foreign.length === 0 && orders.every(({ id }) => (withdrawals[id]?.bids ?? 0) > 0)
      })
      if (answers.size > 0) asked++
      adopted += answers.adopted
    }
    const unsettled = ({ withdrawals }: Books) =>
      orders.flatMap(({ id }) => (withdrawals[id]?.state === 'paid' ? [] : [id]))
    const compared = await comparedOnceIncluded(stage, orders, waitMs)
    if (untilSettled)
      await until(() => unsettled(program.books()).length === 0, 400 * stage.blockMs).catch(() => undefined)
    const books = program.books()
    return {
      ...{ restores, asked, orders: orders.length, adopted, signedBeside },
      ...compared,
      unsettled: untilSettled ? unsettled(books) : [],
      invalid: books.invalid.length,
    }
  } finally {
    await program.kill()
    rmSync(folder, { recursive: true })
  }
}
