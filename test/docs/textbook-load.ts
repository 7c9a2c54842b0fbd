// The load that test/docs/load-history.programs.test.ts finds wrong after a reorganisation.
import { get } from '../end-to-end/running-service.ts'

interface Row {
  readonly hash: string
  readonly change: number
  readonly block: { readonly blockHeight: number }
}

/** The usual load, in memory: what is above the highest loaded block is added, merged by hash, and nothing is deleted. */
export function textbookLoad(url: string) {
  const rows = new Map<string, Row>()
  return {
    sum: () => [...rows.values()].reduce((sum, { change }) => sum + BigInt(change), 0n),
    async run(key: string) {
      const height = Math.max(0, ...Array.from(rows.values(), ({ block }) => block.blockHeight))
      for (let query: string | undefined = ''; query !== undefined; ) {
        const { body } = await get(`${url}/accounts/${key}/transactions?limit=100${query}`)
        const { transactions, next } = body as { readonly transactions: readonly Row[]; readonly next?: string }
        const above = transactions.filter(({ block }) => block.blockHeight > height)
        for (const row of above) rows.set(row.hash, row)
        query = next && above.length === transactions.length ? `&before=${next}` : undefined
      }
    },
  }
}
