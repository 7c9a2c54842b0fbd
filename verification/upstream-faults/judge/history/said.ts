// The facts that the upstreams stated about an account's history: stretches of the chain with all of its commands there,
// tips, the network's k. An answer that breaks its promise or contradicts itself states nothing; it excuses an error.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import type { AskedHistory } from '../../setting/histories.ts'
import { hasConsistentCommands, heightOf } from '../bodies/block-bodies.ts'
import { isConsistent, pendingCommand } from '../bodies/commands.ts'
import { isZkapp } from '../bodies/old-block-body.ts'
import { bareZkapp } from '../bodies/zkapp-commands.ts'
import { lacksConstantsOnly, shown } from '../rights/right.ts'
import { isContradictory } from '../rights/right-old-block.ts'
import { sentIn } from '../sent/sent.ts'
import { flag, integer, list, text } from '../sent/values.ts'
import { type Entry, entriesOfBlock, entryOfRow } from './entries.ts'

export interface Block {
  readonly height: bigint
  readonly stateHash: string
}

/** A part of the chain of which every command of the account was shown. */
export interface Stretch {
  /** Height of its lowest block. */
  readonly from: bigint
  readonly entries: readonly Entry[]
  /** Those of its blocks that were named. */
  readonly blocks: readonly Block[]
}

/** An indexer's rows under a block. */
export interface Reading extends Omit<Stretch, 'entries'> {
  /** The rows lie below this height. */
  readonly below: bigint
  /** The height of the block, and the hash of the canonical one there if it was named. */
  readonly under: Partial<Block> & Pick<Block, 'height'>
  /** Undefined where the contract cannot show them. */
  readonly entries: readonly Entry[] | undefined
  /** Height of the indexer's first block; undefined where it has none. */
  readonly earliest: bigint | undefined
}

export interface Said {
  /** Of the answer with the blocks, if one has any. */
  readonly tipHeight: bigint | undefined
  /** Another answer to this request shows a greater height. */
  readonly isBehind: boolean
  /** The node's blocks, with the parent of the lowest. */
  readonly ofNode: (Stretch & { readonly parent: Block }) | undefined
  /** What waits in the pool, the highest nonce first. */
  readonly pending: readonly { readonly hash: string }[]
  /** The greatest height of which the indexer is on the node's chain beyond doubt; undefined where it is on another. */
  readonly settled: bigint | undefined
  readonly readings: readonly Reading[]
  /** The height of the blocks that are final, if the network's k was told. */
  readonly finalHeight: bigint | undefined
  readonly k: bigint | undefined
  /** The statuses of errors that the node's answers excuse, and those that the indexer's do. */
  readonly excuses: Readonly<Record<'node' | 'indexer', readonly number[]>>
}

/** So near to its tip, an indexer may prefer a sibling. */
const unsettled = 10n

const tipIn = (data: unknown): unknown => list(data, 'bestChain').at(-1)
const listsCommands = (data: unknown): boolean => at(tipIn(data), 'transactions') !== undefined

const isLinked = (blocks: readonly unknown[]): boolean =>
  blocks.every((block, index) => {
    const parent = blocks[index - 1]
    if (parent === undefined) return true
    const isNext = heightOf(block) === heightOf(parent) + 1n
    return isNext && at(block, 'protocolState', 'previousStateHash') === at(parent, 'stateHash')
  })

/** True if a node's answer fits the question, and its parts each other. */
function isOfNode(data: unknown, key: string): boolean {
  const blocks = list(data, 'bestChain')
  const [users, zkapps] = [list(data, 'pooledUserCommands'), list(data, 'pooledZkappCommands')]
  return (
    (!listsCommands(data) || isLinked(blocks)) &&
    blocks.every(hasConsistentCommands) &&
    users.every((command) => isConsistent(command) && at(command, 'from') === key) &&
    zkapps.every((command) => at(command, 'zkappCommand', 'feePayer', 'body', 'publicKey') === key)
  )
}

function touches(row: unknown, key: string): boolean {
  if (isZkapp(row)) return list(row, 'zkapp', 'accounts_updated').some((update) => at(update, 'public_key') === key)
  return (at(row, 'receiver_account', 'publicKey') ?? at(row, 'to')) === key
}

/** The conditions of each list of rows. */
const conditions: Readonly<Record<string, (row: unknown, key: string) => boolean>> = {
  sent: (row, key) => at(row, 'sender') === key,
  received: touches,
  rows: () => true,
}
const rowLists = Object.keys(conditions)

type Answer = Pick<Exchange, 'upstream' | 'variables'> & { readonly data: unknown }

const asked = ({ variables }: Answer, name: string): bigint => BigInt(Number(variables[name] ?? 0))

/** True if an indexer's rows are those that were asked for, in their order. */
function isOfIndexer(answer: Answer, key: string): boolean {
  const { data } = answer
  const [below, lowest, limit] = [asked(answer, 'below'), asked(answer, 'lowest'), asked(answer, 'limit')]
  const areRows = rowLists.every((name) => {
    const rows = list(data, name)
    const heights = rows.map((row) => integer(row, 'blockHeight'))
    return (
      heights.length <= Number(limit) &&
      heights.every(
        (height, index) => height < below && height >= lowest && height <= (heights[index - 1] ?? height),
      ) &&
      rows.every((row) => flag(row, 'canonical') && !isContradictory(row) && conditions[name]?.(row, key))
    )
  })
  const areAt = (name: string, height: bigint) =>
    list(data, name).every((block) => integer(block, 'blockHeight') === height)
  return areRows && areAt('anchor', asked(answer, 'height')) && areAt('lowest', lowest)
}

const blockOf = (named: unknown, stateHash = at(named, 'stateHash')): Block => ({
  height: integer(named, 'blockHeight'),
  stateHash: text(stateHash),
})
const canonicalIn = (data: unknown, name: string) => list(data, name).filter((block) => flag(block, 'canonical'))

function readingOf(answer: Answer, key: string): Reading {
  const { data } = answer
  const [below, lowest, limit] = [asked(answer, 'below'), asked(answer, 'lowest'), asked(answer, 'limit')]
  const earliest = list(data, 'earliest').map((block) => integer(block, 'blockHeight'))[0]
  const rows = rowLists.flatMap((name) => list(data, name))
  // A list that reached its limit may lack commands of its last height.
  const complete = rowLists
    .map((name) => list(data, name))
    .map((some) => (BigInt(some.length) < limit ? lowest : integer(some.at(-1), 'blockHeight') + 1n))
  const from = complete.reduce((greatest, each) => (each > greatest ? each : greatest))
  const whole = rows.filter((row) => integer(row, 'blockHeight') >= from)
  const unique = new Map(whole.map((row) => [`${at(row, 'hash')} ${at(row, 'block', 'stateHash')}`, row]))
  const [anchor] = canonicalIn(data, 'anchor')
  return {
    under: anchor === undefined ? { height: asked(answer, 'height') } : blockOf(anchor),
    ...{ from, below, earliest },
    entries: shown(() => [...unique.values()].flatMap((row) => entryOfRow(row, key))),
    blocks: [
      ...whole.map((row) => blockOf(row, at(row, 'block', 'stateHash'))),
      ...canonicalIn(data, 'lowest').map((block) => blockOf(block)),
    ].filter(({ height }) => height >= from),
  }
}

function pendingIn(data: unknown) {
  const commands = [
    ...list(data, 'pooledUserCommands').map(pendingCommand),
    ...list(data, 'pooledZkappCommands').map(bareZkapp),
  ]
  return commands.toSorted((left, right) => Number(BigInt(right.nonce) - BigInt(left.nonce)))
}

const greatestHeight = (exchanges: readonly Exchange[]): bigint =>
  exchanges
    .filter(({ upstream }) => upstream === 'node')
    .map((exchange) => shown(() => heightOf(tipIn(sentIn(exchange).data))) ?? 0n)
    .reduce((greatest, height) => (height > greatest ? height : greatest), 0n)

/** The answers that state something, and what all of them excuse. */
function answersIn(exchanges: readonly Exchange[], key: string, believesDoubtful: boolean) {
  const excuses = { node: [] as number[], indexer: [] as number[] }
  const answers = exchanges.flatMap((exchange): readonly Answer[] => {
    const { upstream } = exchange
    const sent = sentIn(exchange)
    const isNode = upstream === 'node'
    const nothing = (...statuses: readonly number[]) => {
      excuses[upstream].push(...statuses)
      return []
    }
    if (sent.state !== 'data') return nothing(...(isNode ? sent.statuses : [503]))
    const { data, findings } = sent
    if (findings.doubtful.length > 0) excuses[upstream].push(502, 503)
    if (findings.broken.length > 0 && !lacksConstantsOnly(findings.broken)) return nothing(isNode ? 502 : 503)
    if (isNode && at(data, 'bestChain') !== undefined && tipIn(data) === undefined) excuses.node.push(503)
    const fits = shown(() => (isNode ? isOfNode(data, key) : isOfIndexer({ ...exchange, data }, key)))
    if (fits !== true) return nothing(isNode ? 502 : 503)
    if (!isNode && findings.doubtful.length > 0 && !believesDoubtful) return []
    return [{ ...exchange, data }]
  })
  return {
    excuses,
    ofNode: answers.filter(({ upstream }) => upstream === 'node').map(({ data }) => data),
    ofIndexer: answers.filter(({ upstream }) => upstream === 'indexer'),
  }
}

/** An indexer on the node's chain: its tip, and its rows while it stays there. */
function indexerIn(answers: readonly Answer[], genesis: unknown, key: string) {
  const place = answers.find(({ data }) => {
    const accounts = list(data, 'accounts')
    const isOwn = accounts.length <= 1 && accounts.every((account) => at(account, 'publicKey') === key)
    return at(data, 'accounts') !== undefined && isOwn && at(data, 'tip', 'genesisStateHash') === genesis
  })
  if (place === undefined) return { indexerTip: undefined, readings: [] }
  const indexerTip = integer(place.data, 'tip', 'blockHeight')
  const isSame = ({ data }: Answer) =>
    at(data, 'tip', 'genesisStateHash') === genesis && integer(data, 'tip', 'blockHeight') >= indexerTip
  const rows = answers.filter((answer) => at(answer.data, 'anchor') !== undefined && isSame(answer))
  return { indexerTip, readings: rows.map((answer) => readingOf(answer, key)) }
}

/** @param believesDoubtful whether answers of the indexer that no real one would give count */
export function saidBy(
  exchanges: readonly Exchange[],
  earlier: readonly Exchange[],
  { publicKey: key }: AskedHistory,
  believesDoubtful: boolean,
): Said {
  const { ofNode, ofIndexer, excuses } = answersIn(exchanges, key, believesDoubtful)
  /** What the contract cannot show excuses an error instead. */
  const showable = <T>(make: () => T): T | undefined => {
    const made = shown(make)
    if (made === undefined) excuses.node.push(502, 503)
    return made
  }

  const listed = ofNode.findLast(listsCommands)
  const listing = list(listed, 'bestChain')
  const tip = tipIn(listed ?? ofNode.find((data) => tipIn(data) !== undefined))
  const tipHeight = tip === undefined ? undefined : heightOf(tip)
  const [oldest] = listing
  const stretch =
    oldest === undefined
      ? undefined
      : showable(() => ({
          from: heightOf(oldest),
          entries: listing.flatMap((block) => entriesOfBlock(block, key)),
          blocks: listing.map((block) => ({ height: heightOf(block), stateHash: text(block, 'stateHash') })),
          parent: { height: heightOf(oldest) - 1n, stateHash: text(oldest, 'protocolState', 'previousStateHash') },
        }))
  // An earlier answer with a greater height may have been refused whole, for what else it said.
  if (greatestHeight([...earlier, ...exchanges]) > (tipHeight ?? 0n)) excuses.node.push(503)
  const pooled = ofNode.find((data) => at(data, 'pooledUserCommands') !== undefined)

  const genesis = ofNode.map((data) => at(data, 'genesisBlock', 'stateHash')).find((hash) => hash !== undefined)
  const { indexerTip, readings } = indexerIn(ofIndexer, genesis, key)
  if (readings.some(({ entries }) => entries === undefined)) excuses.indexer.push(503)
  const told = ofNode.map((data) => at(data, 'daemonStatus', 'consensusConfiguration', 'k')).find(Boolean)
  const k = told === undefined ? undefined : integer(told)
  const lower = indexerTip !== undefined && indexerTip < (tipHeight ?? 0n) ? indexerTip : tipHeight
  return {
    ...{ tipHeight, ofNode: stretch, readings, k, excuses },
    isBehind: greatestHeight(exchanges) > (tipHeight ?? 0n),
    pending: showable(() => pendingIn(pooled)) ?? [],
    settled: indexerTip === undefined ? undefined : indexerTip - unsettled,
    finalHeight: k === undefined || lower === undefined ? undefined : lower - k,
  }
}
