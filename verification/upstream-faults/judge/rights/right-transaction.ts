// The right answers to a question for the fate of a command.
import { at } from '../../exact-json.ts'
import type { AskedTransaction } from '../../setting/fates.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { heightOf } from '../bodies/block-bodies.ts'
import { digitsOf } from '../sent/scalars.ts'
import { sentIn } from '../sent/sent.ts'
import { list } from '../sent/values.ts'
import { type Asked, answer, fits, fromNode, poolFields, unknownOf } from './node-evidence.ts'
import { type Right, shown, statuses } from './right.ts'
import { withIndexer } from './right-indexed-transaction.ts'

export const looks: readonly string[] = ['commandByHash', 'latestCommands', 'commandByTerms', 'findCommand']

/** The further questions behind one address, which ask for pools and tip alone. */
const repeats: readonly string[] = ['poolByHash', 'poolByTerms', 'poolOfSender', 'nodeTip']

const tipIn = (data: unknown): unknown => list(data, 'bestChain').at(-1)

/** The answer with the pools of all answers. */
const withPools = (data: unknown, others: readonly unknown[]): object => ({
  ...Object(data),
  ...Object.fromEntries(poolFields.map((key) => [key, [data, ...others].flatMap((each) => list(each, key))])),
})

/** The greatest height of a tip that the node has shown. */
const greatestHeight = (exchanges: readonly Exchange[]): bigint =>
  exchanges
    .filter(({ upstream }) => upstream === 'node')
    .map((exchange) => list(sentIn(exchange).data, 'bestChain').at(-1))
    .map((tip) => BigInt(digitsOf(at(tip, 'protocolState', 'consensusState', 'blockHeight')) ?? 0))
    .reduce((greatest, height) => (height > greatest ? height : greatest), 0n)

export function rightTransaction(
  exchanges: readonly Exchange[],
  earlier: readonly Exchange[],
  transaction: AskedTransaction,
): readonly Right[] {
  const asked: Asked = { ...transaction, exchanges }
  const look = exchanges.findLast(({ name }) => looks.includes(name))
  if (look === undefined) return []
  const node = sentIn(look)
  if (node.state !== 'data') return statuses(...node.statuses)
  const { broken, doubtful } = node.findings
  if (broken.length > 0) return statuses(502)
  const blocks = list(node.data, 'bestChain')
  if (blocks.length === 0) return statuses(503)
  if (!fits(node.data, asked)) return statuses(502)
  const further = exchanges.filter(({ name }) => repeats.includes(name)).map(sentIn)
  const [failed] = further.flatMap((sent) => (sent.state === 'data' ? [] : [sent]))
  if (failed !== undefined) return statuses(...failed.statuses)
  const pools = further.flatMap((sent) => (sent.state === 'data' ? [sent] : []))
  if (pools.some(({ findings }) => findings.broken.length > 0)) return statuses(502)
  if (pools.some(({ data }) => list(data, 'bestChain').length === 0)) return statuses(503)
  if (pools.some(({ data }) => !fits(data, asked))) return statuses(502)
  const nonceIn = (data: unknown) => digitsOf(at(data, 'account', 'nonce'))
  const disagrees = (data: unknown) =>
    at(tipIn(data), 'stateHash') !== at(tipIn(node.data), 'stateHash') || nonceIn(data) !== nonceIn(node.data)
  const isDivided = pools.some(({ data }) => disagrees(data))
  const isUnsteady = isDivided || greatestHeight([...earlier, ...exchanges]) > heightOf(blocks.at(-1))
  const whole = withPools(
    node.data,
    pools.map(({ data }) => data),
  )
  const pool = look.name !== 'latestCommands'
  const searched = {
    pool,
    fromHeight: heightOf(blocks[0]),
    toHeight: heightOf(blocks.at(-1)),
    nodes: 1n,
    indexer: false,
  }
  const seen = shown(() => [fromNode(whole, asked, searched)])
  const [found] = seen ?? []
  const right =
    found?.right === undefined ? (shown(() => withIndexer(whole, asked, searched, found)) ?? []) : [found.right]
  const isDoubtful = [...doubtful, ...pools.flatMap(({ findings }) => findings.doubtful)].length > 0
  const isUncertain = isDoubtful || seen === undefined
  const open = { state: 'absent', ...unknownOf(whole, asked) }
  // Nodes that disagree at one height leave it open whatever the indexer is asked.
  const beside = isDivided
    ? (shown(() => withIndexer(whole, asked, searched, { whole: open, partly: open })) ?? [])
    : []
  const unknown = asked.terms && isUnsteady ? [answer(asked, open, searched), ...beside] : []
  return [...right, ...unknown, ...(isUnsteady ? statuses(503) : []), ...(isUncertain ? statuses(502) : [])]
}
