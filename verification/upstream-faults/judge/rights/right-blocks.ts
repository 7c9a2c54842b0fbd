// The right answers for the latest blocks, for a block that the node holds, and for the summary.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { isLinked } from '../bodies/best-chain.ts'
import { cutIn, hasConsistentCommands, heightOf, isDoubtful, nodeBlockBody } from '../bodies/block-bodies.ts'
import { summaryBody } from '../bodies/summary-body.ts'
import { isReadable } from '../sent/sent.ts'
import { integer, list, text } from '../sent/values.ts'
import { answerTo, named, type Right, shown, showsNetwork, statuses } from './right.ts'

export function rightLatestBlocks(exchanges: readonly Exchange[]): readonly Right[] {
  const node = answerTo(exchanges, 'latestBlocks')
  if (node === undefined) return []
  if (node.state !== 'data') return statuses(...node.statuses)
  if (node.findings.broken.length > 0) return statuses(502)
  const blocks = list(node.data, 'bestChain')
  if (blocks.length === 0) return statuses(503)
  if (!isLinked(blocks) || !blocks.every(hasConsistentCommands)) return statuses(502)

  const indexer = answerTo(exchanges, 'receivedTimesBetween')
  const rows = isReadable(indexer) ? list(indexer.data, 'blocks') : []
  const times = new Map(rows.map((row) => [text(row, 'stateHash'), text(row, 'receivedTime')]))
  const isIndexerDoubtful = (isReadable(indexer) && indexer.findings.doubtful.length > 0) || times.size < rows.length
  const answer = (known: ReadonlyMap<string, string>): readonly Right[] => {
    const newestFirst = blocks.toReversed()
    const body = shown(() => ({
      blocks: newestFirst.map((block) => nodeBlockBody(block, true, known.get(text(block, 'stateHash')))),
    }))
    const isComplete = blocks.every((block) => known.has(text(block, 'stateHash')))
    const unnamed = isComplete ? [] : ['receivedTime']
    return body === undefined ? [] : [{ status: 200, body, ...named(unnamed, cutIn(blocks)) }]
  }
  const right = [...answer(times), ...(isIndexerDoubtful ? answer(new Map()) : [])]
  const isNodeDoubtful = node.findings.doubtful.length > 0 || blocks.some(isDoubtful)
  return right.length === 0 || isNodeDoubtful ? [...right, ...statuses(502)] : right
}

/** When the indexer received a block, by its answer about this block or about all of its height. */
function receivedTimeIn(data: unknown, block: unknown): string | undefined {
  const own = at(data, 'block')
  const rows = own === undefined ? list(data, 'blocks') : own === null ? [] : [own]
  const isStray = rows.some(
    (row) => at(row, 'blockHeight') !== undefined && integer(row, 'blockHeight') !== heightOf(block),
  )
  const receipt = rows.find((row) => at(row, 'stateHash') === at(block, 'stateHash'))
  return receipt === undefined || isStray ? undefined : text(receipt, 'receivedTime')
}

/** A block that the node has sent. */
export function rightFrontierBlock(
  data: unknown,
  canonical: boolean,
  exchanges: readonly Exchange[],
  stateHash: string,
): readonly Right[] {
  const block = at(data, 'block')
  if (at(block, 'stateHash') !== stateHash || !hasConsistentCommands(block)) return statuses(502)
  const indexer = answerTo(exchanges, 'receivedTimeOf') ?? answerTo(exchanges, 'receivedTimesAt')
  const receivedTime = isReadable(indexer) ? receivedTimeIn(indexer.data, block) : undefined
  const answer = (time: string | undefined): readonly Right[] => {
    const body = shown(() => ({ block: nodeBlockBody(block, canonical, time) }))
    const unknown = time === undefined ? ['receivedTime'] : []
    return body === undefined ? [] : [{ status: 200, body, ...named(unknown, cutIn([block])) }]
  }
  const isIndexerDoubtful = isReadable(indexer) && indexer.findings.doubtful.length > 0
  const right = [...answer(receivedTime), ...(isIndexerDoubtful ? answer(undefined) : [])]
  return right.length === 0 || isDoubtful(block) ? [...right, ...statuses(502)] : right
}

export function rightSummary(exchanges: readonly Exchange[]): readonly Right[] {
  const node = answerTo(exchanges, 'chainSummary')
  if (node === undefined) return []
  if (node.state !== 'data') return statuses(...node.statuses)
  if (!showsNetwork(node)) return statuses(502)
  const { broken, doubtful } = node.findings
  if (list(node.data, 'bestChain').length === 0) return statuses(503)
  const body = shown(() => summaryBody(node.data))
  const right = body === undefined ? [] : [{ status: 200, body, missing: [] }]
  return right.length === 0 || doubtful.length > 0 || broken.length > 0 ? [...right, ...statuses(502)] : right
}
