// Compares the reports of days with the books and with the blocks of the chain.
import type { Books, ExchangeProgram, Reported } from './program.ts'
import { ask } from './stage.ts'

interface ShownBlock {
  readonly dateTime: string
  readonly transactions: { readonly userCommands: readonly Command[]; readonly zkappCommands?: readonly Command[] }
}

interface Command {
  readonly hash: string
}

const dayMs = 86_400_000

async function blockAt(url: string, height: number): Promise<ShownBlock> {
  const answer = await ask(`${url}/blocks/height/${height}`)
  if (!answer.ok) throw new Error(`no block at ${height}: ${answer.status}`)
  return ((await answer.json()) as { block: ShownBlock }).block
}

/** How many keys have their report compared with their history. */
const reportedKeys = 50

/** The hashes of a key's commands in blocks that brought it MINA. */
async function receivedBy(url: string, key: string): Promise<readonly string[]> {
  const hashes: string[] = []
  for (let before: string | undefined = ''; before !== undefined; ) {
    const answer = await ask(`${url}/accounts/${key}/transactions?limit=100${before}`)
    if (!answer.ok) throw new Error(`no history of ${key}: ${answer.status}`)
    const page = (await answer.json()) as { readonly transactions: readonly Received[]; readonly next?: string }
    for (const { command, amount = command.isDelegation ? 0 : (command.amount ?? 0) } of page.transactions)
      if (command.failureReason === undefined && amount > 0) hashes.push(command.hash)
    before = page.next && `&before=${page.next}`
  }
  return hashes.sort()
}

interface Received {
  readonly command: {
    readonly hash: string
    readonly amount?: number
    readonly isDelegation?: boolean
    readonly failureReason?: unknown
  }
  /** Of a zkApp command. */
  readonly amount?: number
}

const sumOf = (rows: readonly Reported[], read: (row: Reported) => string) =>
  String(rows.reduce((sum, row) => sum + BigInt(read(row)), 0n))

/**
 * @param firstHeight of a block before every entry of the books
 * @returns a line for each difference
 */
export async function reportDifferences(
  url: string,
  program: ExchangeProgram,
  { deposits, withdrawals }: Books,
  firstHeight: number,
): Promise<readonly string[]> {
  const differences: string[] = []
  const summary = await ask(`${url}/summary`)
  const { blockchainLength } = (await summary.json()) as { blockchainLength: number }
  const [first, last] = [await blockAt(url, firstHeight), await blockAt(url, blockchainLength)]
  const all: Reported[] = []
  const endMs = Date.parse(last.dateTime) + dayMs
  for (let at = Date.parse(first.dateTime); at < endMs; at += dayMs) {
    const day = new Date(at).toISOString().slice(0, 10)
    let rows: readonly Reported[] = []
    try {
      rows = program.report(day)
    } catch {
      differences.push(`no report of ${day}`)
    }
    for (const row of rows)
      if (!row.time.startsWith(day)) differences.push(`${row.id} is reported on ${day}: ${row.time}`)
    all.push(...rows)
  }
  for (const [height, rows = []] of Object.entries(Object.groupBy(all, (row) => row.height))) {
    const { dateTime, transactions } = await blockAt(url, Number(height))
    const hashes = [...transactions.userCommands, ...(transactions.zkappCommands ?? [])].map(({ hash }) => hash)
    for (const { time, hash, id } of rows)
      if (time !== dateTime || !hashes.includes(hash)) differences.push(`${id} is not in block ${height} of ${time}`)
  }
  const of = (kind: Reported['kind']) => all.filter((row) => row.kind === kind)
  const byKey = Object.groupBy(of('deposit'), ({ key }) => key)
  for (const key of new Set([...Object.keys(deposits), ...Object.keys(byKey)])) {
    const reported = sumOf(byKey[key] ?? [], ({ amount }) => amount)
    if (reported !== (deposits[key] ?? '0')) differences.push(`${key}: reported ${reported}, booked ${deposits[key]}`)
  }
  const [from, to] = [first.dateTime.slice(0, 10), new Date(endMs).toISOString().slice(0, 10)]
  for (const key of Object.keys(byKey).slice(0, reportedKeys)) {
    const rows = program.report(['--from', from, '--to', to, '--key', key])
    const expected = (byKey[key] ?? []).map((row) => JSON.stringify(row)).sort()
    if (`${rows.map((row) => JSON.stringify(row)).sort()}` !== `${expected}`)
      differences.push(`${key}: the report of the key is not its part of the days' reports`)
    if (`${rows.map(({ hash }) => hash).sort()}` !== `${await receivedBy(url, key)}`)
      differences.push(`${key}: the report of the key is not its history`)
  }
  const charged = [...of('withdrawal'), ...of('failed')]
  const shown = charged.map(({ kind, id, amount, fee }) => `${kind} ${id} ${amount} ${fee}`).sort()
  const booked = Object.entries(withdrawals).flatMap(([id, { state, amount, fee }]) => {
    if (state === 'paid') return [`withdrawal ${id} ${amount} ${fee}`]
    return state === 'failed' ? [`failed ${id} 0 ${fee}`] : []
  })
  for (const each of new Set([...shown, ...booked]))
    if (shown.filter((one) => one === each).length !== booked.filter((one) => one === each).length)
      differences.push(`reported or booked alone: ${each}`)
  return differences
}
