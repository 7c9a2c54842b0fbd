// How long a program takes to show books with many orders.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Books, ExchangeProgram, Language } from './program.ts'

const name = (index: number) => `w${index}`

/** Books with orders that are paid, each raised once. */
const write: Readonly<Record<Language, (folder: string, orders: number) => void>> = {
  python(folder, orders) {
    const script = `
import pathlib, sys
sys.path.insert(0, sys.argv[3])
import exchange
db, orders = exchange.Books.to_write(pathlib.Path(sys.argv[1])).db, range(int(sys.argv[2]))
with db:
    db.executemany("INSERT INTO orders (id, receiver, amount, memo, bids) VALUES (?, 'B62', '7', '', 2)", [(f"w{i}",) for i in orders])
    for bid, end in ((0, "paid"), (1, "replaced")):
        bids = [(f"{bid}-{i}", f"w{i}", i, end) for i in orders]
        db.executemany("INSERT INTO bids (hash, order_id, nonce, fee, sent_at, end) VALUES (?, ?, ?, '1', 1, ?)", bids)
`
    execFileSync('python3', [
      '-B',
      '-c',
      script,
      folder,
      `${orders}`,
      join(import.meta.dirname, '../../../docs/recipes/python'),
    ])
  },
  go(folder, orders) {
    const ends = ['paid', 'replaced']
    const entries = Array.from({ length: orders }, (_, index) => [
      { Orders: [{ Id: name(index), To: 'B62', Amount: '7', Memo: '' }] },
      ...ends.map((End, bid) => ({
        Bid: { Hash: `${bid}-${index}`, OrderId: name(index), Nonce: index, Fee: 1, Body: {}, Terms: {}, End },
      })),
    ])
    writeFileSync(
      join(folder, 'books.jsonl'),
      entries
        .flat()
        .map((entry) => `${JSON.stringify(entry)}\n`)
        .join(''),
    )
  },
}

/** @throws Error unless all orders are shown as paid */
function timeOfBooks(program: ExchangeProgram, orders: number): number {
  const startedAt = performance.now()
  const books: Books = program.books()
  const time = performance.now() - startedAt
  const paid = Object.values(books.withdrawals).filter(({ state, fee }) => state === 'paid' && fee === '1')
  if (paid.length !== orders) throw new Error(`${paid.length} of ${orders} orders are shown as paid`)
  return time
}

/**
 * @param programIn the program with its folder
 * @param counts of orders
 * @returns for each count milliseconds, the least of seven, taken in turns: on a busy machine one alone says little
 */
export function timesOfBooks(
  language: Language,
  programIn: (folder: string) => ExchangeProgram,
  counts: readonly number[],
): readonly number[] {
  const folder = mkdtempSync(join(tmpdir(), 'many-orders-'))
  try {
    const programs = counts.map((orders) => {
      const own = join(folder, `${orders}`)
      mkdirSync(own)
      const program = programIn(own)
      write[language](own, orders)
      return { program, orders, times: [] as number[] }
    })
    for (let turn = 0; turn < 7; turn++)
      for (const { program, orders, times } of programs) times.push(timeOfBooks(program, orders))
    return programs.map(({ times }) => Math.min(...times))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
