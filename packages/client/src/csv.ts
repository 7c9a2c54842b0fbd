// The entry for an account's history as a table, for accountants. Separate, so that nobody else loads it.
import { memoText } from './memo.ts'
import type { AccountTransaction } from './schema.ts'

const columns = ['time', 'height', 'hash', 'kind', 'from', 'to', 'change', 'fee', 'status', 'memo'] as const

/** Spreadsheets run what begins like a formula, and anybody may send a memo: such a text gets an apostrophe in front. */
const textCell = (text = ''): string => {
  const harmless = /^[\s]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * A history as CSV (RFC 4180), a line for each command: `change` is what it changed in the key's balance, in nanomina, and `fee`
 * the part of that which the key paid as a fee. Both are exact; `change` is empty where it is not known.
 *
 * @param transactions of one key, as `transactionsOf` and `accountTransactions` give them
 */
export function toCsv(transactions: readonly AccountTransaction[]): string {
  const lines = transactions.map(({ command, block, direction, role, change }) => {
    const isZkapp = 'balanceChanges' in command
    const isPayer = direction !== 'received' && role !== 'updated'
    const [time, hash, kind, status] = [block.dateTime, command.hash, command.kind, command.status].map(textCell)
    const sides = isZkapp ? [command.feePayer.publicKey] : [command.from, command.to]
    const [from, to] = [textCell(sides[0]), textCell(sides[1])]
    const memo = textCell(memoText(command.memo) ?? command.memo)
    return [time, block.blockHeight, hash, kind, from, to, change ?? '', isPayer ? command.fee : 0, status, memo].join()
  })
  return [columns.join(), ...lines, ''].join('\r\n')
}
