// Orders that are wrong and signers that fail, between good ones, as a day of an exchange meets them.
import { join } from 'node:path'
import { badOrders, type Order } from './bad-orders.ts'
import type { Books, ExchangeProgram, InvalidLine } from './program.ts'

export const troubledSigner: string = join(import.meta.dirname, 'troubled-signer.ts')

export interface TroublesTable {
  readonly badOrders: number
  /** Invalid lines that the books have otherwise than expected, and those that standard error does not name with their reason. */
  readonly wrongInBooks: readonly string[]
  readonly unnamed: readonly string[]
  /** Of the orders whose signer fails once, and those that wait: how many have each state, and each number of bids. */
  readonly signedLater: readonly string[]
  readonly waiting: readonly string[]
  /** Orders of `waiting` that standard error does not name. */
  readonly unsaid: readonly string[]
}

const signerTroubles = [
  ...['fails', 'hangs', 'prints rubbish', 'prints a list', 'prints an error', 'prints no hash', 'signs no payment'],
  ...['signs less', 'loses the memo', 'repeats a hash', 'signs wrongly'],
]

const share = <Item>(all: readonly Item[], step: number, steps: number) =>
  all.slice(Math.floor((step * all.length) / steps), Math.floor(((step + 1) * all.length) / steps))

const stated = (ids: readonly string[], { withdrawals }: Books) =>
  [...new Set(ids.map((id) => withdrawals[id]?.state ?? 'not taken'))].sort()

/**
 * @param good the first order of the day, which stands before the bad ones
 * @param wallet that pays, with its balance in nanomina
 * @param until resolves once this is so, or the program has ended
 */
export function startTroubles(
  program: ExchangeProgram,
  good: Order,
  { publicKey, balance }: { readonly publicKey: string; readonly balance: bigint },
  until: (isSo: (books: Books, said: string) => boolean) => Promise<void>,
) {
  const bad = badOrders(good, publicKey)
  const expected: InvalidLine[] = []
  const expectInvalid = (line: string | Uint8Array, reason: string, id?: string) =>
    expected.push({ line: program.append(line), ...(id !== undefined && { id }), reason })
  const orderOf = (id: string, amount = 1_000_000_001n) => ({ id, to: good.to, amount: String(amount), memo: id })
  const failing = signerTroubles.map((name) => `${name} once`)
  const later = [...failing, 'missing signer', 'larger half']
  // More than there is; more than the order before leaves; a signer that never signs.
  const waiting = ['too much', 'second half', 'fails always']
  const cancelled = ['cancelled at once', ...waiting]
  let isCancelling = false

  /** In step 0 the balance is claimed, so that what comes later has to pass those that wait. */
  async function order(step: number, steps: number): Promise<void> {
    if (step === 0) {
      program.order([orderOf('too much', 2n ** 64n - 1n), orderOf('larger half', (balance * 6n) / 10n)])
      program.order([orderOf('second half', (balance * 6n) / 10n), orderOf('fails always')])
      program.order([orderOf('cancelled at once'), { cancel: 'cancelled at once' }])
    }
    for (const { line, id, reason } of share(bad, step, steps)) {
      expectInvalid(line, reason, id)
      if (expected.length % 5 === 0) for (const empty of ['', '  ', '\r']) program.append(empty)
    }
    program.order(share(failing, step, steps).map((id) => orderOf(id)))
    if (step === 1) {
      program.takeSignerAway()
      program.order([orderOf('missing signer')])
    }
    if (step === 2) {
      await until((_, said) => said.includes('missing signer: not signed: '))
      program.bringSignerBack()
    }
    // The same line again is no other order.
    program.order([good])
  }

  /** Cancels what waits once all others are paid, and what is paid already, which is a mistake. */
  function isOver(books: Books): boolean {
    const isPaid = (id: string) => books.withdrawals[id]?.state === 'paid'
    if (!isCancelling && later.every(isPaid)) {
      isCancelling = true
      program.order(waiting.map((id) => ({ cancel: id })))
      const reason = `${good.id} is signed and may be paid: it cannot be cancelled`
      expectInvalid(JSON.stringify({ cancel: good.id }), reason)
      expectInvalid(JSON.stringify({ raise: 'too much' }), 'too much is cancelled')
    }
    return isCancelling && expected.length <= (books.invalid ?? []).length
  }

  function table(books: Books, said: string, kills: number): TroublesTable {
    const unsaidFailures = failing.filter((id) => !said.includes(`${id}: not signed: `))
    const shown = (books.invalid ?? []).map((each) => JSON.stringify(each))
    const wanted = expected.map((each) => JSON.stringify(each))
    const lines = said.split('\n')
    return {
      badOrders: expected.length,
      wrongInBooks: [
        ...wanted.filter((each) => !shown.includes(each)),
        ...shown.filter((each) => !wanted.includes(each)),
      ],
      unnamed: expected
        .filter(({ line, id, reason }) => {
          const named = `orders.jsonl, line ${line}${id === undefined ? '' : `, ${id}`}: invalid: ${reason}`
          return !lines.includes(named)
        })
        .map(({ line }) => `${line}`),
      signedLater: stated(later, books),
      waiting: [...stated(cancelled, books), ...new Set(cancelled.map((id) => `${books.withdrawals[id]?.bids} bids`))],
      unsaid: [
        ...['too much', 'second half'].filter((id) => !said.includes(`${id} waits: it takes `)),
        ...['fails always', 'missing signer'].filter((id) => !said.includes(`${id}: not signed: `)),
        // A kill may fall between a failure and its line.
        ...(unsaidFailures.length > kills ? unsaidFailures : []),
      ],
    }
  }

  return { order, isOver, table }
}
