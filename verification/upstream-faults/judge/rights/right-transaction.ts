// The right answers to a question for the fate of a command.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import type { AskedTransaction } from '../../setting/twin-chains.ts'
import { hasConsistentCommands, heightOf } from '../bodies/block-bodies.ts'
import { isConsistent, pendingCommand } from '../bodies/commands.ts'
import { commandOf } from '../bodies/old-block-body.ts'
import { digitsOf } from '../sent/scalars.ts'
import { isReadable, type Sent, sentIn } from '../sent/sent.ts'
import { flag, integer, isoTime, list, text } from '../sent/values.ts'
import { answerTo, lacksConstantsOnly, type Right, shown, statuses } from './right.ts'
import { isContradictory } from './right-old-block.ts'

export const looks: readonly string[] = ['commandByHash', 'latestCommands', 'commandByTerms', 'findCommand']
/** So many blocks at the end of an indexer's chain may be abandoned ones. */
const maxAbandoned = 10n
const openSeconds = 2
const includedSeconds = 15

interface Asked extends AskedTransaction {
  readonly exchanges: readonly Exchange[]
}

const payerOf = (zkapp: unknown): unknown => at(zkapp, 'zkappCommand', 'feePayer', 'body')
const isZkapp = (command: unknown): boolean => payerOf(command) !== undefined
const senderOf = (command: unknown): unknown => at(payerOf(command), 'publicKey') ?? at(command, 'from')
const nonceOf = (command: unknown): string | undefined =>
  digitsOf(at(payerOf(command), 'nonce') ?? at(command, 'nonce'))

const commandsOf = (block: unknown): readonly unknown[] =>
  ['userCommands', 'zkappCommands'].flatMap((key) => list(block, 'transactions', key))

const poolFields = ['userCommandsByHash', 'pooledUserCommands', 'zkappCommandsByHash', 'pooledZkappCommands'] as const
const pooledIn = (data: unknown): readonly unknown[] => poolFields.flatMap((key) => list(data, key))

const isAsked =
  ({ hash }: AskedTransaction) =>
  (command: unknown): boolean =>
    at(command, 'hash') === hash

const isRival =
  ({ terms }: AskedTransaction, nonce = terms?.nonce) =>
  (command: unknown): boolean =>
    terms !== undefined && senderOf(command) === terms.from && nonceOf(command) === nonce

/** Why a command failed: an account update may fail for several reasons. */
function failureOf(command: unknown): object {
  if (!isZkapp(command)) {
    const reason = at(command, 'failureReason')
    return typeof reason === 'string' ? { failureReason: reason } : {}
  }
  const reasons = list(command, 'failureReason').flatMap((update) => list(update, 'failures'))
  return reasons.length === 0 ? {} : { failureReason: [...new Set(reasons)].join(', ') }
}

const shownCommand = (command: unknown): object => (isZkapp(command) ? {} : { command: pendingCommand(command) })

/** The answer about a command in a node's block, by the block and the commands on top of it. */
function inBlock(asked: Asked, block: unknown, confirmations: bigint, searched: object): Right | undefined {
  const commands = commandsOf(block)
  const own = commands.find(isAsked(asked))
  const command = own ?? commands.find(isRival(asked))
  if (command === undefined) return undefined
  const stateHash = text(block, 'stateHash')
  const dateTime = isoTime(integer(block, 'protocolState', 'blockchainState', 'date'))
  const place = { block: { stateHash, blockHeight: heightOf(block), dateTime }, confirmations }
  const found =
    own === undefined
      ? { state: 'replaced', by: text(command, 'hash'), ...place }
      : { state: 'included', ...place, ...failureOf(command), ...shownCommand(command) }
  return answer(asked, found, searched, includedSeconds)
}

const termsOf = ({ terms }: AskedTransaction): object =>
  terms === undefined
    ? {}
    : { terms: { from: terms.from, nonce: BigInt(terms.nonce), validUntil: BigInt(terms.valid_until) } }

const answer = (asked: Asked, found: object, searched: object, maxSeconds = openSeconds): Right => ({
  status: 200,
  body: { transaction: { hash: asked.hash, ...found, ...termsOf(asked), searched } },
  maxSeconds,
})

/** True for an answer whose parts fit the question and each other. */
function fits(data: unknown, asked: Asked): boolean {
  const blocks = list(data, 'bestChain')
  const [account, key] = [at(data, 'account'), asked.terms?.from]
  const byHash = ['userCommandsByHash', 'zkappCommandsByHash'].flatMap((field) => list(data, field))
  const byKey = ['pooledUserCommands', 'pooledZkappCommands'].flatMap((field) => list(data, field))
  return (
    blocks.every((block, index) => index === 0 || heightOf(block) === heightOf(blocks[index - 1]) + 1n) &&
    blocks.every(hasConsistentCommands) &&
    pooledIn(data).every((command) => isZkapp(command) || isConsistent(command)) &&
    byHash.every(isAsked(asked)) &&
    byKey.every((command) => senderOf(command) === key) &&
    ((account ?? null) === null || (at(account, 'publicKey') === key && at(account, 'nonce') !== null))
  )
}

/** What stands against a command that is nowhere. */
function sendingOf(data: unknown, asked: Asked): object {
  const account = at(data, 'account')
  const { nonce: own = '0' } = asked.terms ?? {}
  if (account === null) return { sending: 'no-account' }
  const ledger = integer(account, 'nonce')
  if (ledger > BigInt(own)) return { sending: 'nonce-used' }
  const pooled = pooledIn(data)
  const rival = pooled.find(isRival(asked))
  if (rival !== undefined) return { sending: 'rival-pending', by: text(rival, 'hash') }
  const missingNonces: bigint[] = []
  for (let nonce = ledger; nonce < BigInt(own) && missingNonces.length < 20; nonce++) {
    if (!pooled.some(isRival(asked, String(nonce)))) missingNonces.push(nonce)
  }
  return missingNonces.length === 0 ? { sending: 'possible' } : { sending: 'waits-for-nonce', missingNonces }
}

/** The depth of the first searched block past the last slot, where the ledger shows that the nonce is free. */
function expiryIn(data: unknown, { terms }: Asked): bigint | undefined {
  if (terms === undefined) return undefined
  const account = at(data, 'account')
  const isFree = account === null || integer(account, 'nonce') <= BigInt(terms.nonce)
  const blocks = list(data, 'bestChain')
  const isPast = (block: unknown) =>
    integer(block, 'protocolState', 'consensusState', 'slotSinceGenesis') > BigInt(terms.valid_until)
  const index = blocks.findIndex(isPast)
  return isFree && isPast(blocks.at(-1)) && index >= 0 ? BigInt(blocks.length - 1 - index) : undefined
}

/** The answer that the node's own evidence gives; undefined where it shows nothing. */
function fromNode(data: unknown, asked: Asked, searched: object): Right | undefined {
  const blocks = list(data, 'bestChain').toReversed()
  for (const fit of [isAsked(asked), isRival(asked)]) {
    const depth = blocks.findIndex((block) => commandsOf(block).some(fit))
    if (depth >= 0) return inBlock(asked, blocks[depth], BigInt(depth), searched)
  }
  const expiry = expiryIn(data, asked)
  if (expiry !== undefined) return answer(asked, { state: 'expired', confirmations: expiry }, searched)
  const pending = pooledIn(data).find(isAsked(asked))
  return pending === undefined ? undefined : answer(asked, { state: 'pending', ...shownCommand(pending) }, searched)
}

/** The node's k; undefined if it does not tell. */
function kOf(genesis: Sent): bigint | undefined {
  if (genesis.state !== 'data' || lacksConstantsOnly(genesis.findings.broken)) return undefined
  return integer(genesis.data, 'daemonStatus', 'consensusConfiguration', 'k')
}

function fromIndexerAlone(hit: unknown, own: bigint, nodeHeight: bigint, asked: Asked, searched: object) {
  const genesis = answerTo(asked.exchanges, 'nodeGenesis')
  if (genesis === undefined) return []
  if (genesis.state !== 'data') return statuses(...genesis.statuses)
  const { broken, doubtful } = genesis.findings
  if (broken.length > 0 && !lacksConstantsOnly(broken)) return statuses(502)
  const k = kOf(genesis)
  const height = integer(hit, 'blockHeight')
  const { terms } = asked
  const isOfTerms =
    terms === undefined || (at(hit, 'sender') === terms.from && digitsOf(at(hit, 'nonce')) === terms.nonce)
  const beside = doubtful.length > 0 || lacksConstantsOnly(broken) ? statuses(502, 503) : []
  if (k === undefined || own - height < k || !isOfTerms) return [...beside, ...statuses(503)]
  const depth = (own < nodeHeight ? own : nodeHeight) - height
  const right = shown(() => {
    const { id: _, ...command } = pendingCommand(commandOf(hit))
    const dateTime = new Date(text(hit, 'block', 'dateTime')).toISOString()
    const block = { stateHash: text(hit, 'block', 'stateHash'), blockHeight: height, dateTime }
    const surety = depth >= k ? { final: true } : { confirmations: depth }
    const isOfUser = at(hit, 'kind') !== 'ZKAPP'
    const found = { state: 'included', block, ...surety, ...failureOf(hit), ...(isOfUser && { command }) }
    return answer(asked, found, searched, depth >= k ? 86_400 : includedSeconds)
  })
  return [...beside, ...(right === undefined ? statuses(502, 503) : [right])]
}

/** The answers by what the indexer shows beside a node that shows nothing. */
function withIndexer(node: unknown, asked: Asked, searched: object): readonly Right[] {
  const sending = asked.terms && sendingOf(node, asked)
  const named = answerTo(asked.exchanges, 'indexedTransaction') ?? answerTo(asked.exchanges, 'indexedNonce')
  if (named === undefined) return []
  const absent = (indexer: boolean): readonly Right[] => {
    const places = { ...searched, indexer }
    if (sending !== undefined) return [answer(asked, { state: 'absent', ...sending }, places)]
    const body = { message: 'No transaction found for that hash.', searched: places }
    return indexer ? [{ status: 404, body, maxSeconds: openSeconds }] : statuses(503)
  }
  if (!isReadable(named)) return absent(false)
  const { data, findings } = named
  const doubt = findings.doubtful.length > 0 ? absent(false) : []
  const [byHash, byNonce] = [list(data, 'byHash'), list(data, 'byNonce')]
  const isOther = (hit: unknown) => !flag(hit, 'canonical') || isContradictory(hit)
  const isOfTerms = (hit: unknown) =>
    at(hit, 'sender') === asked.terms?.from && digitsOf(at(hit, 'nonce')) === asked.terms?.nonce
  if ([...byHash, ...byNonce].some(isOther) || !byHash.every(isAsked(asked)) || !byNonce.every(isOfTerms)) {
    return absent(false)
  }
  const tip = list(node, 'bestChain').at(-1)
  const [nodeHeight, own] = [heightOf(tip), at(data, 'tip')]
  const isOfChain = own !== null && at(own, 'genesisStateHash') === at(node, 'genesisBlock', 'stateHash')
  if (!isOfChain) return absent(false)
  const ownHeight = integer(own, 'blockHeight')
  const oldest = heightOf(list(node, 'bestChain')[0])
  const wanted = oldest + maxAbandoned - 1n
  const isWhole = ownHeight >= (wanted < nodeHeight ? wanted : nodeHeight)
  const hit = byHash[0] ?? byNonce[0]
  if (hit === undefined) return [...absent(isWhole), ...doubt]
  const height = integer(hit, 'blockHeight')
  if (height > nodeHeight) return [...statuses(503), ...doubt]

  const held = answerTo(asked.exchanges, 'commandsAtHeight')
  if (held === undefined) return doubt
  if (held.state === 'trouble') return [...statuses(...held.statuses), ...doubt]
  const places = { ...searched, indexer: true }
  if (held.state === 'not-found') {
    if (byHash.length === 0) return [...absent(isWhole), ...doubt, ...statuses(...held.statuses)]
    const deep = fromIndexerAlone(hit, ownHeight, nodeHeight, asked, places)
    return [...deep, ...doubt, ...statuses(...held.statuses)]
  }
  if (held.findings.broken.length > 0) return [...statuses(502), ...doubt]
  const uncertain = held.findings.doubtful.length > 0 ? statuses(502, 503) : []
  const block = at(held.data, 'block')
  if (heightOf(block) !== height || !hasConsistentCommands(block)) return [...statuses(502), ...doubt]
  const shownTip = list(held.data, 'bestChain').at(-1)
  const isBehind = shownTip === undefined || heightOf(shownTip) < nodeHeight
  const isSame = at(block, 'stateHash') === at(hit, 'block', 'stateHash')
  if (isBehind || !isSame) return [...statuses(503), ...doubt, ...uncertain]
  const right = shown(() => inBlock(asked, block, nodeHeight - height, places))
  return [...(right === undefined ? statuses(502, 503) : [right]), ...doubt, ...uncertain]
}

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
  const isUncertain =
    doubtful.length > 0 || seen === undefined || (found === undefined && right.length === 0 && doubtful.length > 0)
  const unknown = asked.terms && isUnsteady ? [answer(asked, { state: 'absent', sending: 'unknown' }, searched)] : []
  return [...right, ...unknown, ...(isUnsteady ? statuses(503) : []), ...(isUncertain ? statuses(502) : [])]
}
