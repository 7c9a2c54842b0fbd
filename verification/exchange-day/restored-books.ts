// Restores older copies of an exchange's books, beside a wallet that has paid since then, and does what the program asks a person.
// In the end no order may be paid twice, and each must be settled as the chain has it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, integerBetween } from '../../local/chain/random.ts'
import { hotWallet } from './day.ts'
import type { ExchangeProgram } from './program.ts'
import { ask, type Stage } from './stage.ts'

export interface RestoresTable {
  readonly restores: number
  /** Of them, those after which the program asked. */
  readonly asked: number
  readonly orders: number
  readonly adopted: number
  /** Orders that were signed while something was open. */
  readonly signedBeside: readonly string[]
  readonly paidTwice: readonly string[]
  /** Orders that are not `paid` in the books, or not on the chain. */
  readonly unpaid: readonly string[]
  /** Lines of orders.jsonl that the program refused. */
  readonly invalid: number
}

const waitMs = 120_000

/** The amounts that the wallet has paid on the chain. */
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

/**
 * @param program not yet started, with no order
 * @throws Error where the program does not go on in time
 */
export async function restoredBooks(stage: Stage, program: ExchangeProgram, restores: number): Promise<RestoresTable> {
  const random = createRandom('restored books')
  const folder = mkdtempSync(join(tmpdir(), 'copies-'))
  /** Undefined for a folder whose books are lost. */
  const copies: (string | undefined)[] = [undefined]
  const to = stage.wallets.find(({ name }) => name === 'judy')?.publicKey
  const ids: string[] = []
  const amountOf = (id: string) => String(2_000_000_000 + ids.indexOf(id))
  const order = (isRaised: boolean) => {
    const id = `r${ids.length}`
    ids.push(id)
    program.order([{ id, to, amount: amountOf(id), memo: id }, ...(isRaised ? [{ raise: id }] : [])])
    return id
  }
  const until = async (isSo: () => boolean) => {
    const deadline = Date.now() + waitMs
    while (!isSo()) {
      if (program.hasEnded || Date.now() > deadline)
        throw new Error(`the program does not go on: ${program.said.slice(-5).join('\n')}`)
      await sleep(stage.blockMs / 2)
    }
  }
  const copy = async () => {
    await program.kill()
    const own = join(folder, `${copies.length}`)
    mkdirSync(own)
    program.copyBooks(own)
    copies.push(own)
    program.start()
  }
  const proposed = /append to orders\.jsonl: (\{.*"order": "r\d+"\})$/
  let [asked, adopted] = [0, 0]
  const signedBeside: string[] = []
  try {
    program.start()
    for (let restore = 0; restore < restores; restore++) {
      for (let orders = 0; orders < 2; orders++) {
        order(integerBetween(random, 0, 2) === 0)
        await sleep(integerBetween(random, 0, stage.blockMs * 3))
        await copy()
      }
      await sleep(integerBetween(random, 0, stage.blockMs * 3))
      await program.kill()
      program.restoreBooks(copies[integerBetween(random, 0, copies.length - 1)])
      const newest = order(false)
      program.start()
      const answered = new Set<string>()
      await until(() => {
        const { foreign = [], withdrawals } = program.books()
        if (foreign.length > 0 && withdrawals[newest]?.bids) signedBeside.push(newest)
        for (const line of program.adopt()) {
          const answer = line.includes('{"start": 0}') ? '{"start": 0}' : proposed.exec(line)?.[1]
          if (answer === undefined || answered.has(answer)) continue
          answered.add(answer)
          program.append(answer)
          if (answer.startsWith('{"adopt"')) adopted++
          // A kill in the middle of adopting.
          if (answered.size === 2) void program.kill().then(() => program.start())
        }
        return foreign.length === 0 && ids.every((id) => (withdrawals[id]?.bids ?? 0) > 0)
      })
      if (answered.size > 0) asked++
    }
    await until(() => ids.every((id) => program.books().withdrawals[id]?.state === 'paid')).catch(() => undefined)
    const { withdrawals, invalid } = program.books()
    const amounts = await paidAmounts(stage)
    const timesOf = (id: string) => amounts.filter((amount) => amount === amountOf(id)).length
    return {
      ...{ restores, asked, orders: ids.length, adopted, signedBeside },
      paidTwice: ids.filter((id) => timesOf(id) > 1),
      unpaid: ids.filter((id) => withdrawals[id]?.state !== 'paid' || timesOf(id) < 1),
      invalid: invalid.length,
    }
  } finally {
    await program.kill()
    rmSync(folder, { recursive: true })
  }
}
