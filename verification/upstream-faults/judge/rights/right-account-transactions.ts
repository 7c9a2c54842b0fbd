// The right answers to a question for the history of an account: the node's blocks, and below them the indexer's rows.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import type { AskedHistory } from '../../setting/histories.ts'
import { hasConsistentCommands, heightOf } from '../bodies/block-bodies.ts'
import { includedCommand, isConsistent, pendingCommand } from '../bodies/commands.ts'
import { commandOf, isZkapp, zkappCommandOf } from '../bodies/old-block-body.ts'
import { bareZkapp, includedZkapp } from '../bodies/zkapp-commands.ts'
import { isReadable, sentIn } from '../sent/sent.ts'
import { flag, integer, isoTime, list, text } from '../sent/values.ts'
import { answerTo, lacksConstantsOnly, type Right, shown, statuses } from './right.ts'
import { isContradictory } from './right-old-block.ts'

const mina = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'

/** So near to its tip, an indexer may prefer a sibling. */
const nearBlocks = 10n
const maxNodeBlocks = 40n
const recentSeconds = 5
const finalSeconds = 86_400

interface Entry {
  readonly height: bigint
  readonly stateHash: string
  readonly nonce: bigint
  readonly sender: string
  readonly hash: string
  readonly item: object
  readonly missing: readonly string[]
}

interface Place {
  readonly height: bigint
  readonly stateHash: string
  readonly dateTime: string
}

const enclosingOf = ({ height, stateHash, dateTime }: Place) => ({
  ...{ blockHeight: height, blockStateHash: stateHash, dateTime },
})

const entryOf = (
  place: Place,
  sender: string,
  nonce: bigint,
  command: { readonly hash: string; readonly id?: string | undefined },
  relation: object,
): Entry => ({
  ...{ height: place.height, stateHash: place.stateHash, nonce, sender, hash: command.hash, missing: [] },
  item: {
    command,
    ...relation,
    block: { stateHash: place.stateHash, blockHeight: place.height, dateTime: place.dateTime },
  },
})

function userEntry(command: unknown, key: string, place: Place, isIndexed: boolean): readonly Entry[] {
  const [from, to] = [text(command, 'from'), text(command, 'to')]
  if (from !== key && to !== key) return []
  const direction = from !== key ? 'received' : to === key ? 'self' : 'sent'
  const { id, ...others } = includedCommand(command, enclosingOf(place))
  return [entryOf(place, from, integer(command, 'nonce'), isIndexed ? others : { ...others, id }, { direction })]
}

function zkappEntry(command: unknown, key: string, place: Place): readonly Entry[] {
  const updates = list(command, 'zkappCommand', 'accountUpdates')
  const isUpdated = updates.some((update) => at(update, 'body', 'publicKey') === key)
  const payer = at(command, 'zkappCommand', 'feePayer', 'body')
  const isPayer = at(payer, 'publicKey') === key
  if (!isUpdated && !isPayer) return []
  const body = includedZkapp(command, enclosingOf(place))
  const amount = body.balanceChanges
    .filter(({ publicKey, tokenId }) => publicKey === key && (tokenId === mina || tokenId === '1'))
    .reduce((sum, change) => sum + BigInt(change.amount), 0n)
  const role = isPayer && isUpdated ? 'both' : isPayer ? 'payer' : 'updated'
  return [entryOf(place, text(payer, 'publicKey'), integer(payer, 'nonce'), body, { role, amount })]
}

function entriesOfBlock(block: unknown, key: string): readonly Entry[] {
  const dateTime = isoTime(integer(block, 'protocolState', 'blockchainState', 'date'))
  const place = { height: heightOf(block), stateHash: text(block, 'stateHash'), dateTime }
  return [
    ...list(block, 'transactions', 'userCommands').flatMap((command) => userEntry(command, key, place, false)),
    ...list(block, 'transactions', 'zkappCommands').flatMap((command) => zkappEntry(command, key, place)),
  ]
}

function entryOfRow(row: unknown, key: string): readonly Entry[] {
  const dateTime = new Date(text(row, 'block', 'dateTime')).toISOString()
  const place = { height: integer(row, 'blockHeight'), stateHash: text(row, 'block', 'stateHash'), dateTime }
  if (!isZkapp(row)) return userEntry(commandOf(row), key, place, true)
  const missing = flag(row, 'isApplied') ? ['transactions.command.balanceChanges.implicitAccountCreationFee'] : []
  return zkappEntry(zkappCommandOf(row), key, place).map((entry) => ({ ...entry, missing }))
}

const isBefore = (left: Entry, right: Entry): boolean => {
  if (left.height !== right.height) return left.height > right.height
  if (left.nonce !== right.nonce) return left.nonce > right.nonce
  return left.sender === right.sender ? left.hash < right.hash : left.sender < right.sender
}

const sorted = (entries: readonly Entry[]): readonly Entry[] =>
  entries.toSorted((left, right) => (isBefore(left, right) ? -1 : isBefore(right, left) ? 1 : 0))

/** A node's answers, or the statuses that are right if one of them cannot be used. */
function nodeSide(exchanges: readonly Exchange[], key: string) {
  const names = ['latestHistory', 'historyBlocks', 'nodeTip']
  const asked = exchanges.filter(({ name }) => names.includes(name))
  const all = asked.map(sentIn)
  const doubtful = all.some((sent) => sent.state === 'data' && sent.findings.doubtful.length > 0)
  for (const sent of all) {
    if (sent.state !== 'data') return { rights: statuses(...sent.statuses), doubtful }
    if (sent.findings.broken.length > 0) return { rights: statuses(502), doubtful }
    const blocks = list(sent.data, 'bestChain')
    if (blocks.length === 0) return { rights: statuses(503), doubtful }
    const isLinked = blocks.every(
      (block, index) =>
        index === 0 ||
        (heightOf(block) === heightOf(blocks[index - 1]) + 1n &&
          at(block, 'protocolState', 'previousStateHash') === at(blocks[index - 1], 'stateHash')),
    )
    const pooled = list(sent.data, 'pooledUserCommands')
    const pooledZkapps = list(sent.data, 'pooledZkappCommands')
    const fits =
      isLinked &&
      blocks.every(hasConsistentCommands) &&
      pooled.every((command) => isConsistent(command) && at(command, 'from') === key) &&
      pooledZkapps.every((command) => at(command, 'zkappCommand', 'feePayer', 'body', 'publicKey') === key)
    if (!fits) return { rights: statuses(502), doubtful }
  }
  const [first, last] = [all[0]?.data, all.at(-1)?.data]
  const listing = asked.findLast(({ name }) => name !== 'nodeTip')
  return { rights: undefined, doubtful, first, last, blocks: listing && list(sentIn(listing).data, 'bestChain') }
}

/** The page, from entries without a gap. */
function pageOf(
  { publicKey: _, limit, before }: AskedHistory,
  { first, tipHeight, isIndexed }: { first: unknown; tipHeight: bigint; isIndexed: boolean },
  found: { entries: readonly Entry[]; fromHeight: bigint; lowest?: { height: bigint; stateHash: string } | undefined },
  { k, finalHeight }: { k?: bigint | undefined; finalHeight?: bigint | undefined },
): Right {
  const entries = sorted(found.entries)
  const cut = entries[limit - 1]
  const given = cut === undefined ? entries : entries.filter(({ height }) => height >= cut.height)
  const end = given.length < entries.length ? given.at(-1) : found.lowest
  const hashes = new Set(given.map(({ hash }) => hash))
  const pending = [
    ...list(first, 'pooledUserCommands').map((command) => ({
      nonce: integer(command, 'nonce'),
      command: pendingCommand(command),
    })),
    ...list(first, 'pooledZkappCommands').map((command) => {
      const body = bareZkapp(command)
      return { nonce: BigInt(body.nonce), command: body }
    }),
  ]
  const isFirst = before === undefined
  const waiting = pending
    .toSorted((left, right) => Number(right.nonce - left.nonce))
    .filter(({ command }) => !hashes.has(command.hash))
    .map(({ command }) => ({ command }))
  const confirmed = ({ height, item }: Entry) => {
    const depth = tipHeight - height
    if (finalHeight !== undefined && height <= finalHeight) return { ...item, confirmations: k ?? depth, final: true }
    return { ...item, confirmations: k !== undefined && k < depth ? k : depth }
  }
  const isFinal = !isFirst && finalHeight !== undefined && BigInt(before.height) <= finalHeight
  const missing = [...new Set(given.flatMap((entry) => entry.missing))]
  return {
    status: 200,
    body: {
      transactions: given.map(confirmed),
      ...(isFirst && { pending: waiting }),
      searched: {
        pool: isFirst,
        fromHeight: end?.height ?? found.fromHeight,
        toHeight: isFirst ? tipHeight : BigInt(before.height) - 1n,
        nodes: 1n,
        indexer: isIndexed,
      },
      ...(end !== undefined && { next: `${end.height}-${end.stateHash}` }),
    },
    missing,
    isLasting: true,
    maxSeconds: isFinal ? finalSeconds : recentSeconds,
  }
}

const askedNumber = ({ variables }: Exchange, name: string): bigint => BigInt(Number(variables[name] ?? 0))

/** The indexer's rows below a height; undefined where an answer cannot be used. */
function rowsBelow(exchanges: readonly Exchange[], asked: AskedHistory, tip: unknown) {
  const readings = exchanges.filter(({ name }) => name === 'accountCommands' || name === 'commandsOfHeights')
  const rows: unknown[] = []
  let lowest: { height: bigint; stateHash: string } | undefined
  let earliest: bigint | undefined
  let anchor: unknown
  let isBottom = false
  for (const exchange of readings) {
    const sent = sentIn(exchange)
    if (!isReadable(sent)) return undefined
    const { data } = sent
    const [limit, below] = [askedNumber(exchange, 'limit'), askedNumber(exchange, 'below')]
    const own = at(data, 'tip')
    if (own === null || at(own, 'genesisStateHash') !== at(tip, 'genesisStateHash')) return undefined
    if (integer(own, 'blockHeight') < integer(tip, 'blockHeight')) return undefined
    const anchors = list(data, 'anchor')
    if (anchors.some((block) => integer(block, 'blockHeight') !== askedNumber(exchange, 'height'))) return undefined
    anchor = anchors.find((block) => flag(block, 'canonical'))
    const first = list(data, 'earliest')[0]
    earliest = first === undefined ? undefined : integer(first, 'blockHeight')
    const lists = exchange.name === 'accountCommands' ? ['sent', 'received'] : ['rows']
    let completeFrom = 0n
    let all: unknown[] = []
    for (const name of lists) {
      const given = list(data, name)
      const lowestAsked = name === 'rows' ? askedNumber(exchange, 'lowest') : 0n
      const isWrong = given.some(
        (row, index) =>
          isContradictory(row) ||
          !flag(row, 'canonical') ||
          integer(row, 'blockHeight') >= below ||
          integer(row, 'blockHeight') < lowestAsked ||
          (index > 0 && integer(row, 'blockHeight') > integer(given[index - 1], 'blockHeight')) ||
          (name === 'sent' && at(row, 'sender') !== asked.publicKey) ||
          (name === 'received' && !touches(row, asked.publicKey)),
      )
      if (isWrong || BigInt(given.length) > limit) return undefined
      const end = given.at(-1)
      const from = end === undefined || BigInt(given.length) < limit ? lowestAsked : integer(end, 'blockHeight') + 1n
      completeFrom = from > completeFrom ? from : completeFrom
      all = [...all, ...given]
    }
    const complete = all.filter((row) => integer(row, 'blockHeight') >= completeFrom)
    const last = complete.toSorted((left, right) =>
      Number(integer(left, 'blockHeight') - integer(right, 'blockHeight')),
    )[0]
    if (last !== undefined)
      lowest = { height: integer(last, 'blockHeight'), stateHash: text(last, 'block', 'stateHash') }
    if (exchange.name === 'commandsOfHeights') {
      const named = list(data, 'lowest')
      const wanted = askedNumber(exchange, 'lowest')
      if (named.some((block) => integer(block, 'blockHeight') !== wanted)) return undefined
      const canonical = named.find((block) => flag(block, 'canonical'))
      if (canonical !== undefined) lowest = { height: wanted, stateHash: text(canonical, 'stateHash') }
      isBottom = completeFrom === wanted && wanted <= (earliest ?? 1n)
    } else isBottom = completeFrom === 0n
    const isOwn = (row: unknown) => at(row, 'sender') === asked.publicKey || touches(row, asked.publicKey)
    rows.push(...complete.filter(isOwn))
  }
  const unique = [...new Map(rows.map((row) => [`${at(row, 'hash')} ${at(row, 'block', 'stateHash')}`, row])).values()]
  return { rows: unique, lowest: isBottom ? undefined : lowest, earliest, anchor, wereAsked: readings.length > 0 }
}

function touches(row: unknown, key: string): boolean {
  if (isZkapp(row)) return list(row, 'zkapp', 'accounts_updated').some((update) => at(update, 'public_key') === key)
  return (at(row, 'receiver_account', 'publicKey') ?? at(row, 'to')) === key
}

/** The k of the network, and the status that is right where the node does not tell. */
function constants(exchanges: readonly Exchange[]) {
  const sent = answerTo(exchanges, 'nodeGenesis')
  if (sent === undefined) return { rights: [], k: undefined }
  if (sent.state !== 'data') return { rights: statuses(...sent.statuses), k: undefined }
  if (lacksConstantsOnly(sent.findings.broken)) return { rights: undefined, k: undefined }
  if (sent.findings.broken.length > 0) return { rights: statuses(502), k: undefined }
  const k = integer(sent.data, 'daemonStatus', 'consensusConfiguration', 'k')
  return { rights: undefined, k }
}

const greatestHeight = (exchanges: readonly Exchange[]): bigint =>
  exchanges
    .filter(({ upstream }) => upstream === 'node')
    .map((exchange) => list(sentIn(exchange).data, 'bestChain').at(-1))
    .map((block) => shown(() => heightOf(block)) ?? 0n)
    .reduce((greatest, height) => (height > greatest ? height : greatest), 0n)

export function rightAccountTransactions(
  exchanges: readonly Exchange[],
  earlier: readonly Exchange[],
  asked: AskedHistory,
): readonly Right[] {
  const node = nodeSide(exchanges, asked.publicKey)
  if (node.rights !== undefined) return node.rights
  const { first, last, blocks } = node
  if (last === undefined) return []
  const tipBlock = list(last, 'bestChain').at(-1)
  const tipHeight = heightOf(tipBlock)
  const place = answerTo(exchanges, 'accountPlace')
  const isKnown = isReadable(place)
  const accounts = isKnown ? list(place.data, 'accounts') : []
  const tip = isKnown ? at(place.data, 'tip') : null
  const isOwnKey = accounts.length <= 1 && accounts.every((one) => at(one, 'publicKey') === asked.publicKey)
  const isOfChain = tip !== null && at(tip, 'genesisStateHash') === at(first, 'genesisBlock', 'stateHash')
  const isUsable = isKnown && isOwnKey && isOfChain
  const isDoubtful =
    node.doubtful ||
    exchanges.some((exchange) => {
      const sent = sentIn(exchange)
      return sent.state === 'data' && sent.findings.doubtful.length > 0
    })
  const beside = isDoubtful ? statuses(502, 503) : []
  const { before } = asked
  // Where the indexer seems to begin so late that the node has older blocks, all that it lists are read instead.
  const isReread = exchanges.some(({ name, variables }) => name === 'historyBlocks' && variables.maxLength === 40)
  const isBehindNow = greatestHeight(exchanges) > tipHeight
  const isBehind = isBehindNow || greatestHeight(earlier) > tipHeight
  const rightsOver = (isIndexed: boolean): readonly Right[] => {
    const floor = isIndexed ? integer(tip, 'blockHeight') - nearBlocks : undefined
    const isOld = !isReread && before !== undefined && floor !== undefined && BigInt(before.height) <= floor
    const view = { first, tipHeight, isIndexed }
    if (before !== undefined && BigInt(before.height) > tipHeight) return statuses(503)
    if (before !== undefined && !isOld) {
      const own = blocks?.find((block) => heightOf(block) === BigInt(before.height))
      if (own === undefined) return statuses(503)
      const isOther = at(own, 'stateHash') !== before.stateHash
      // An earlier answer with a greater height may have been refused whole, for what else it said.
      if (isOther && isBehind) return isBehindNow ? statuses(503) : statuses(409, 503)
      if (isOther) return statuses(409)
    }
    const isBelow = (block: unknown) => before === undefined || heightOf(block) < BigInt(before.height)
    const newest = isOld
      ? []
      : (blocks ?? []).filter(isBelow).flatMap((block) => entriesOfBlock(block, asked.publicKey))
    const oldest = isOld ? undefined : blocks?.[0]
    const searchedFrom = oldest === undefined ? BigInt(before?.height ?? 0) : heightOf(oldest)
    if (newest.length >= asked.limit) {
      const end = sorted(newest).at(-1)
      return [
        pageOf(
          asked,
          view,
          { entries: newest, fromHeight: searchedFrom, lowest: searchedFrom > 1n ? end : undefined },
          {},
        ),
      ]
    }
    if (floor === undefined) return statuses(503)
    if (searchedFrom <= 1n) return [pageOf(asked, view, { entries: newest, fromHeight: searchedFrom }, {})]
    if (!isOld && tipHeight - floor > maxNodeBlocks) return statuses(503)
    const { rights: ofGenesis, k } = constants(exchanges)
    if (ofGenesis !== undefined) return ofGenesis
    const older = rowsBelow(exchanges, asked, tip)
    if (older === undefined) return statuses(503)
    if (!older.wereAsked) return statuses(503)
    const finalHeight =
      k === undefined ? undefined : [integer(tip, 'blockHeight'), tipHeight].reduce((a, b) => (a < b ? a : b)) - k
    const isBottom = older.earliest === undefined || older.earliest >= searchedFrom
    if (isBottom) return [pageOf(asked, view, { entries: newest, fromHeight: searchedFrom }, { k, finalHeight })]
    const wanted = isOld ? before.stateHash : at(oldest, 'protocolState', 'previousStateHash')
    if (searchedFrom - 1n > floor && !isOld) return statuses(503)
    if (older.anchor === undefined) return statuses(503)
    if (at(older.anchor, 'stateHash') !== wanted) return statuses(isOld ? 409 : 503)
    // The node shows the blocks above: a row of theirs would be the same command once more.
    const lower = older.rows.filter((row) => integer(row, 'blockHeight') < searchedFrom)
    const entries = shown(() => [...newest, ...lower.flatMap((row) => entryOfRow(row, asked.publicKey))])
    if (entries === undefined) return statuses(503)
    const fromHeight = older.earliest === undefined || older.earliest > searchedFrom ? searchedFrom : older.earliest
    return [pageOf(asked, view, { entries, fromHeight, lowest: older.lowest }, { k, finalHeight })]
  }
  // Doubtful rows may also count for nothing.
  const views = isKnown && place.findings.doubtful.length > 0 ? [isUsable, false] : [isUsable]
  const right = shown(() => views.flatMap(rightsOver))
  return right === undefined ? statuses(502, 503) : [...right, ...beside]
}
