// Reads what the upstreams stated about an account's history: stretches of the chain with all of the account's commands,
// tips, and the network's k. An answer that breaks its schema or contradicts itself states nothing, and excuses an error.
import { at, isObject } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import type { AskedHistory } from '../../setting/histories.ts'
import { greatestTipHeight, isLinked, tipIn } from '../bodies/best-chain.ts'
import { hasConsistentCommands, heightOf } from '../bodies/block-bodies.ts'
import { isConsistent, pendingCommand } from '../bodies/commands.ts'
import { isZkapp } from '../bodies/old-block-body.ts'
import { bareZkapp, isCut } from '../bodies/zkapp-commands.ts'
import { lacksConstantsOnly, shown } from '../rights/right.ts'
import { isContradictory } from '../rights/right-old-block.ts'
import { sentIn } from '../sent/sent.ts'
import { flag, integer, list, text } from '../sent/values.ts'
import { type Entry, entriesOfBlock, entryOfRow } from './entries.ts'

export interface Block {
  readonly height: bigint
  readonly stateHash: string
}

/** A part of the chain, with every command of the account in it. */
export interface Stretch {
  /** Height of its lowest block. */
  readonly from: bigint
  readonly entries: readonly Entry[]
  /** The blocks in it whose hashes are known. */
  readonly blocks: readonly Block[]
}

/** An indexer's answer with the account's commands below a block. */
export interface Reading extends Omit<Stretch, 'entries'> {
  /** The rows lie below this height. */
  readonly below: bigint
  /** The height of that block, and its hash if the indexer knows a canonical block there. */
  readonly under: Partial<Block> & Pick<Block, 'height'>
  /** Undefined if the contract cannot represent one of them. */
  readonly entries: readonly Entry[] | undefined
  /** Height of the indexer's first block; undefined if it has no block. */
  readonly earliest: bigint | undefined
}

export interface Said {
  /** From the answer that lists the blocks, or any other; undefined if no answer has a tip. */
  readonly tipHeight: bigint | undefined
  /** True if another answer to this request has a higher tip. */
  readonly isBehind: boolean
  /** The node's blocks, and the parent of the lowest one. */
  readonly ofNode: (Stretch & { readonly parent: Block }) | undefined
  /** The account's commands in the pool, highest nonce first, then by hash. */
  readonly pending: readonly { readonly isCut: boolean; readonly command: { readonly hash: string } }[]
  /** Up to this height the indexer cannot be on another branch than the node; undefined if it follows another network. */
  readonly settled: bigint | undefined
  readonly readings: readonly Reading[]
  /** Blocks up to this height are final; undefined if no answer has k. */
  readonly finalHeight: bigint | undefined
  readonly k: bigint | undefined
  /** The error statuses that each upstream's answers make right. */
  readonly excuses: Readonly<Record<'node' | 'indexer', readonly number[]>>
}

/** An indexer may be on another branch in this many blocks below its tip. */
const unsettled = 10n

const listsCommands = (data: unknown): boolean => at(tipIn(data), 'transactions') !== undefined

/** The blocks that an answer shows each under a name, by what was asked for: a height, or the hash of the root. */
const named = (data: unknown): readonly (readonly [name: string, block: unknown])[] =>
  Object.entries(Object(data)).filter(([name, block]) => /^(?:block\d+|root)$/.test(name) && isObject(block))

const isNamedAs =
  (variables: Exchange['variables']) =>
  ([name, block]: readonly [name: string, block: unknown]): boolean =>
    name === 'root'
      ? at(block, 'stateHash') === variables.root
      : heightOf(block) === BigInt(Number(variables[`height${name.slice(5)}`]))

const descending = (left: unknown, right: unknown): number => Number(heightOf(right) - heightOf(left))

/** True if a node's answer matches the question and does not contradict itself. */
function isOfNode({ data, variables }: Answer, key: string): boolean {
  const blocks = [...list(data, 'bestChain'), ...named(data).map(([, block]) => block)]
  const [users, zkapps] = [list(data, 'pooledUserCommands'), list(data, 'pooledZkappCommands')]
  return (
    (!listsCommands(data) || isLinked(list(data, 'bestChain'))) &&
    named(data).every(isNamedAs(variables)) &&
    blocks.every(hasConsistentCommands) &&
    users.every((command) => isConsistent(command) && at(command, 'from') === key) &&
    zkapps.every((command) => at(command, 'zkappCommand', 'feePayer', 'body', 'publicKey') === key)
  )
}

function touches(row: unknown, key: string): boolean {
  if (isZkapp(row)) return list(row, 'zkapp', 'accounts_updated').some((update) => at(update, 'public_key') === key)
  return (at(row, 'receiver_account', 'publicKey') ?? at(row, 'to')) === key
}

/** What each row of a list must fulfil. */
const conditions: Readonly<Record<string, (row: unknown, key: string) => boolean>> = {
  sent: (row, key) => at(row, 'sender') === key,
  received: touches,
  rows: () => true,
}
const rowLists = Object.keys(conditions)

type Answer = Pick<Exchange, 'upstream' | 'variables'> & { readonly data: unknown }

const asked = ({ variables }: Answer, name: string): bigint => BigInt(Number(variables[name] ?? 0))

/** True if an indexer's rows match the question and are in order. */
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
    ...list(data, 'pooledUserCommands').map((sent) => ({ command: pendingCommand(sent), isCut: false })),
    ...list(data, 'pooledZkappCommands').map((sent) => ({ command: bareZkapp(sent), isCut: isCut(sent) })),
  ]
  return commands.toSorted(
    ({ command: left }, { command: right }) =>
      Number(BigInt(right.nonce) - BigInt(left.nonce)) || (left.hash < right.hash ? -1 : 1),
  )
}

/** The usable answers, and the error statuses that all answers excuse. */
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
    const fits = shown(() => (isNode ? isOfNode({ ...exchange, data }, key) : isOfIndexer({ ...exchange, data }, key)))
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

/** The tip of an indexer on the node's network, and its answers with rows that do not fall behind that tip. */
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

/** @param believesDoubtful true if an indexer's answer counts although it holds values that no real indexer sends */
export function saidBy(
  exchanges: readonly Exchange[],
  earlier: readonly Exchange[],
  { publicKey: key }: AskedHistory,
  believesDoubtful: boolean,
): Said {
  const { ofNode, ofIndexer, excuses } = answersIn(exchanges, key, believesDoubtful)
  /** A value that the contract cannot represent makes an error right. */
  const showable = <T>(make: () => T): T | undefined => {
    const made = shown(make)
    if (made === undefined) excuses.node.push(502, 503)
    return made
  }

  const listed = ofNode.findLast(listsCommands)
  const below = ofNode
    .flatMap((data) => named(data).map(([, block]) => block))
    .toSorted((left, right) => descending(right, left))
  const top = list(listed, 'bestChain')
  const isOneChain = isLinked([...below, ...top])
  if (!isOneChain) excuses.node.push(503)
  const listing = isOneChain ? [...below, ...top] : top
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
  // The service may have rejected an answer with a higher tip because of another fault in it.
  if (greatestTipHeight([...earlier, ...exchanges]) > (tipHeight ?? 0n)) excuses.node.push(503)
  const pooled = ofNode.find((data) => at(data, 'pooledUserCommands') !== undefined)

  const genesis = ofNode.map((data) => at(data, 'genesisBlock', 'stateHash')).find((hash) => hash !== undefined)
  const { indexerTip, readings } = indexerIn(ofIndexer, genesis, key)
  if (readings.some(({ entries }) => entries === undefined)) excuses.indexer.push(503)
  const told = ofNode.map((data) => at(data, 'daemonStatus', 'consensusConfiguration', 'k')).find(Boolean)
  const k = told === undefined ? undefined : integer(told)
  const lower = indexerTip !== undefined && indexerTip < (tipHeight ?? 0n) ? indexerTip : tipHeight
  return {
    ...{ tipHeight, ofNode: stretch, readings, k, excuses },
    isBehind: greatestTipHeight(exchanges) > (tipHeight ?? 0n),
    pending: showable(() => pendingIn(pooled)) ?? [],
    settled: indexerTip === undefined ? undefined : indexerTip - unsettled,
    finalHeight: k === undefined || lower === undefined ? undefined : lower - k,
  }
}
