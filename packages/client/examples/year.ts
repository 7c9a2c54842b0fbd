import type { Client, HistoryPage } from '../src/client.ts'
import { toCsv } from '../src/csv.ts'

/** A key's commands of a year, UTC, as CSV. */
export async function yearOf(client: Client, publicKey: string, year: number) {
  let all: HistoryPage['transactions'] = []
  for await (const { value } of client.transactionsOf(publicKey, { from: `${year}-01-01`, to: `${year + 1}-01-01` }))
    all = value.restarted ? value.transactions : [...all, ...value.transactions]
  return toCsv(all)
}
