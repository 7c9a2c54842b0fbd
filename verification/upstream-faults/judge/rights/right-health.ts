// The right answers to the question how fit the upstreams are: one node, and an indexer.
import { at, isObject, parseJson } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { type Sent, sentIn } from '../sent/sent.ts'
import { integer, isoTime, list, text } from '../sent/values.ts'
import { answerTo, type Right, shown, showsNetwork } from './right.ts'

interface NodeTip {
  readonly height: bigint
  readonly atMs: bigint
  readonly isSynced: boolean
  readonly genesis: string
}

const doubts = (sent: Sent | undefined): boolean => sent?.state === 'data' && sent.findings.doubtful.length > 0

/** What the node may count as: it shows a tip, or none. */
function tipsIn(sent: Sent): readonly (NodeTip | undefined)[] {
  if (sent.state !== 'data' || sent.findings.broken.length > 0) return [undefined]
  const [block] = list(sent.data, 'bestChain')
  if (block === undefined) return [undefined]
  const read = shown(() => ({
    height: integer(block, 'protocolState', 'consensusState', 'blockHeight'),
    atMs: integer(block, 'protocolState', 'blockchainState', 'date'),
    isSynced: text(sent.data, 'syncStatus') === 'SYNCED',
    genesis: text(sent.data, 'genesisBlock', 'stateHash'),
  }))
  return read === undefined || doubts(sent) ? [read, undefined] : [read]
}

/** True if a node said anything in GraphQL, be it an error. */
function isGraphQl({ delivered }: Exchange): boolean {
  if (delivered.state !== 'answer') return false
  try {
    const body = parseJson(delivered.text)
    if (!isObject(body)) return false
    if (typeof body.errors === 'string') return false
    return isObject(body.data) || body.data === null || list(body, 'errors').length > 0
  } catch {
    return false
  }
}

/** Lengths of a slot that the service may have read, now or before, of the tip's network; undefined for none. */
function slotsIn(exchanges: readonly Exchange[], genesis: string | undefined): readonly (bigint | undefined)[] {
  const named = exchanges.filter(({ name }) => name === 'nodeNetwork').map(sentIn)
  const known = named.flatMap((sent) => {
    if (sent.state !== 'data' || !showsNetwork(sent)) return [undefined]
    const isOurs = at(sent.data, 'genesisBlock', 'stateHash') === genesis
    const length = shown(() => integer(sent.data, 'daemonStatus', 'consensusConfiguration', 'slotDuration'))
    const isUnsure = !isOurs || doubts(sent)
    return length === undefined || length === 0n ? [undefined] : isUnsure ? [length, undefined] : [length]
  })
  return known.length === 0 ? [undefined] : [...new Set(known)]
}

/** What the indexer's answer may come to. */
function lagsIn(exchanges: readonly Exchange[], tip: NodeTip | undefined): readonly object[] {
  const sent = answerTo(exchanges, 'indexerTip')
  if (tip === undefined || sent?.state !== 'data' || sent.findings.broken.length > 0) return [{}]
  const height = shown(() => integer(sent.data, 'tip', 'blockHeight'))
  const isOurs = at(sent.data, 'tip', 'genesisStateHash') === tip.genesis
  if (height === undefined || !isOurs) return [{}]
  const lag = { lag: height > tip.height ? 0n : tip.height - height }
  return doubts(sent) ? [lag, {}] : [lag]
}

const unknownSlotMs = 180_000n

const maxLag = 10n

function rightFor(
  tip: NodeTip | undefined,
  slotMs: bigint | undefined,
  indexer: { readonly lag?: bigint },
  answering: number,
  nowMs: number,
): Right {
  const missing: readonly string[] = []
  if (tip === undefined) {
    const nodes = { listed: 1, answering, synced: 0 }
    return { status: 503, body: { status: 'down', nodes, indexer }, missing }
  }
  const length = slotMs ?? unknownSlotMs
  const past = BigInt(nowMs) - tip.atMs
  // Rounded down, also below 0.
  const age = (past - (((past % length) + length) % length)) / length
  const isLive = tip.isSynced && age >= -1n && age <= 10n
  const isOk = indexer.lag !== undefined && indexer.lag <= maxLag
  const body = {
    status: isLive ? (isOk ? 'ok' : 'degraded') : 'down',
    ...(slotMs !== undefined && { tipAgeSlots: age }),
    tip: { height: tip.height, dateTime: isoTime(tip.atMs) },
    nodes: { listed: 1, answering: 1, synced: tip.isSynced ? 1 : 0 },
    indexer,
  }
  return { status: isLive ? 200 : 503, body, missing, isBrief: true }
}

/** @param nowMs by the service's clock */
export function rightHealth(
  exchanges: readonly Exchange[],
  earlier: readonly Exchange[],
  nowMs: number,
): readonly Right[] {
  const asked = exchanges.findLast(({ name }) => name === 'nodeTip')
  if (asked === undefined) return []
  const sent = sentIn(asked)
  return tipsIn(sent).flatMap((tip) =>
    slotsIn([...earlier, ...exchanges], tip?.genesis).flatMap((slotMs) =>
      lagsIn(exchanges, tip).flatMap((indexer) => {
        const right = shown(() => rightFor(tip, slotMs, indexer, isGraphQl(asked) ? 1 : 0, nowMs))
        return right === undefined ? [] : [right]
      }),
    ),
  )
}
