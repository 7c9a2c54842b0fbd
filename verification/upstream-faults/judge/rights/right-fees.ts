// The right answers to the question for fees.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { isGapless } from '../bodies/best-chain.ts'
import { integer, list } from '../sent/values.ts'
import { answerTo, type Right, shown, statuses } from './right.ts'

const minimum = 1_000_000n

/** Fees of a list of commands and of a list of zkApp commands. */
const feesIn = (users: readonly unknown[], zkapps: readonly unknown[]): readonly bigint[] => [
  ...users.map((command) => integer(command, 'fee')),
  ...zkapps.map((command) => integer(command, 'zkappCommand', 'feePayer', 'body', 'fee')),
]

const most = (...fees: readonly bigint[]): bigint => fees.reduce((left, right) => (left > right ? left : right))
const least = (...fees: readonly bigint[]): bigint => fees.reduce((left, right) => (left < right ? left : right))

const ascending = (fees: readonly bigint[]) =>
  fees.toSorted((left, right) => (left < right ? -1 : Number(left > right)))

/** The least fee that at least so many quarters of the commands do not exceed. */
const quarters = (sorted: readonly bigint[], count: number): bigint | undefined =>
  sorted.find((_, index) => 4 * (index + 1) >= count * sorted.length)

function feesBody(data: unknown): object {
  const blocks = list(data, 'bestChain')
  const included = ascending(
    blocks.flatMap((block) => {
      const transactions = at(block, 'transactions')
      return feesIn(list(transactions, 'userCommands'), list(transactions, 'zkappCommands'))
    }),
  )
  const pooled = ascending(feesIn(list(data, 'pooledUserCommands'), list(data, 'pooledZkappCommands')))
  const limit = included.length < 2 ? minimum : (included.at(-2) as bigint)
  const part = (count: number) => most(minimum, least(limit, quarters(included, count) ?? minimum))
  const next = pooled.length > 128 ? (pooled.at(-128) as bigint) : minimum
  const known = { min: included[0], median: quarters(included, 2), p75: quarters(included, 3) }
  const texts = Object.entries(known).flatMap(([key, fee]) => (fee === undefined ? [] : [[key, String(fee)]]))
  return {
    blocks: blocks.length,
    included: { count: included.length, ...Object.fromEntries(texts) },
    pool: { count: pooled.length },
    suggested: { economy: String(part(1)), normal: String(part(2)), fast: String(most(part(3), next)) },
  }
}

export function rightFees(exchanges: readonly Exchange[]): readonly Right[] {
  const node = answerTo(exchanges, 'latestFees')
  if (node === undefined) return []
  if (node.state !== 'data') return statuses(...node.statuses)
  const { broken, doubtful } = node.findings
  if (broken.length > 0) return statuses(502)
  const blocks = list(node.data, 'bestChain')
  if (blocks.length === 0) return statuses(503)
  if (!isGapless(blocks)) return statuses(502)
  const body = shown(() => feesBody(node.data))
  const right = body === undefined ? [] : [{ status: 200, body, missing: [] }]
  return right.length === 0 || doubtful.length > 0 ? [...right, ...statuses(502)] : right
}
