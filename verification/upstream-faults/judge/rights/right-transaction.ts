// The right answers to a question for the fate of a command.
import { at } from '../../exact-json.ts'
import type { AskedTransaction } from '../../setting/fates.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { heightOf } from '../bodies/block-bodies.ts'
import { digitsOf } from '../sent/scalars.ts'
import { sentIn } from '../sent/sent.ts'
import { list } from '../sent/values.ts'
import { type Asked, answer, fits, fromNode } from './node-evidence.ts'
import { type Right, shown, statuses } from './right.ts'
import { withIndexer } from './right-indexed-transaction.ts'

export const looks: readonly string[] = ['commandByHash', 'latestCommands', 'commandByTerms', 'findCommand']

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
  const isUnsteady = greatestHeight([...earlier, ...exchanges]) > heightOf(blocks.at(-1))
  const pool = look.name !== 'latestCommands'
  const searched = {
    pool,
    fromHeight: heightOf(blocks[0]),
    toHeight: heightOf(blocks.at(-1)),
    nodes: 1n,
    indexer: false,
  }
  const seen = shown(() => [fromNode(node.data, asked, searched)])
  const [found] = seen ?? []
  const right = found === undefined ? (shown(() => withIndexer(node.data, asked, searched)) ?? []) : [found]
  const isUncertain = doubtful.length > 0 || seen === undefined
  const unknown = asked.terms && isUnsteady ? [answer(asked, { state: 'absent', sending: 'unknown' }, searched)] : []
  return [...right, ...unknown, ...(isUnsteady ? statuses(503) : []), ...(isUncertain ? statuses(502) : [])]
}
