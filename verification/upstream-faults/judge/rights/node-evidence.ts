// A node's evidence about a command, from its blocks, its pool and its ledger.
import { at } from '../../exact-json.ts'
import type { AskedTransaction } from '../../setting/fates.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { hasConsistentCommands, heightOf } from '../bodies/block-bodies.ts'
import { isConsistent, pendingCommand } from '../bodies/commands.ts'
import { bareZkapp, reasonOf } from '../bodies/zkapp-commands.ts'
import { digitsOf } from '../sent/scalars.ts'
import { integer, isoTime, list, text } from '../sent/values.ts'
import type { Right } from './right.ts'

export const openSeconds = 2
export const includedSeconds = 15

export interface Asked extends AskedTransaction {
  readonly exchanges: readonly Exchange[]
}

const payerOf = (zkapp: unknown): unknown => at(zkapp, 'zkappCommand', 'feePayer', 'body')
const isZkapp = (command: unknown): boolean => payerOf(command) !== undefined
const senderOf = (command: unknown): unknown => at(payerOf(command), 'publicKey') ?? at(command, 'from')
const nonceOf = (command: unknown): string | undefined =>
  digitsOf(at(payerOf(command), 'nonce') ?? at(command, 'nonce'))

const commandsOf = (block: unknown): readonly unknown[] =>
  ['userCommands', 'zkappCommands'].flatMap((key) => list(block, 'transactions', key))

export const poolFields = [
  'userCommandsByHash',
  'pooledUserCommands',
  'zkappCommandsByHash',
  'pooledZkappCommands',
] as const
export const pooledIn = (data: unknown): readonly unknown[] => poolFields.flatMap((key) => list(data, key))

export const isAsked =
  ({ hash }: AskedTransaction) =>
  (command: unknown): boolean =>
    at(command, 'hash') === hash

const isRival =
  ({ terms }: AskedTransaction, nonce = terms?.nonce) =>
  (command: unknown): boolean =>
    terms !== undefined && senderOf(command) === terms.from && nonceOf(command) === nonce

/** Why a command failed: an account update may fail for several reasons. */
export function failureOf(command: unknown): object {
  if (!isZkapp(command)) {
    const reason = at(command, 'failureReason')
    return typeof reason === 'string' ? { failureReason: reason } : {}
  }
  const failureReason = reasonOf(command)
  return failureReason === undefined ? {} : { failureReason }
}

const shownCommand = (command: unknown): object => ({
  command: isZkapp(command) ? bareZkapp(command) : pendingCommand(command),
})

/**
 * True of a command with the terms' sender and nonce where all other terms are equal too; undefined where none is given, or
 * only the last slot differs.
 */
export function isOfContent(command: unknown, { terms }: AskedTransaction): boolean | undefined {
  if (terms?.to === undefined) return undefined
  const digits = (['fee', 'amount'] as const).every((key) => digitsOf(at(command, key)) === (terms[key] ?? '0'))
  const isExpiry = digitsOf(at(command, 'validUntil')) === terms.valid_until
  const kind = terms.amount === undefined ? 'STAKE_DELEGATION' : 'PAYMENT'
  const isSame = (['to', 'memo'] as const).every((key) => at(command, key) === terms[key])
  const doesTheSame = !isZkapp(command) && digits && isSame && at(command, 'kind') === kind
  return doesTheSame && !isExpiry ? undefined : doesTheSame
}

const chainHash = (command: unknown, asked: AskedTransaction): object =>
  isAsked(asked)(command) ? {} : { chainHash: text(command, 'hash') }

/** A command with the sender and the nonce of the question. */
const userOfNonce = (command: unknown): object => ({ by: text(command, 'hash'), ...shownCommand(command) })

/** An answer that needs no indexer, or what is told where the indexer knows nothing by the hash, and where it does not say. */
export type Told =
  | { readonly right: Right }
  | { readonly right?: undefined; readonly whole: object; readonly partly: object }

/** What a node's block, with so many others on top, tells of a command in it. */
export function inBlock(asked: Asked, block: unknown, confirmations: bigint, searched: object): Told | undefined {
  const commands = commandsOf(block)
  const own = commands.find(isAsked(asked))
  const users = commands.filter(isRival(asked))
  const command = own ?? users.find((each) => isOfContent(each, asked)) ?? users[0]
  if (command === undefined) return undefined
  const stateHash = text(block, 'stateHash')
  const dateTime = isoTime(integer(block, 'protocolState', 'blockchainState', 'date'))
  const place = { block: { stateHash, blockHeight: heightOf(block), dateTime }, confirmations }
  const likeness = own !== undefined || isOfContent(command, asked)
  if (likeness === undefined) {
    const absent = { state: 'absent', sending: 'nonce-used', ...userOfNonce(command) }
    return { whole: absent, partly: absent }
  }
  if (!likeness) {
    const whole = { state: 'replaced', ...userOfNonce(command), ...place }
    return { whole, partly: { state: 'absent', sending: 'unknown', ...userOfNonce(command) } }
  }
  const found = { state: 'included', ...chainHash(command, asked), ...place }
  const rest = { ...failureOf(command), ...shownCommand(command) }
  return { right: answer(asked, { ...found, ...rest }, searched, includedSeconds) }
}

function termsOf({ terms }: AskedTransaction): object {
  if (terms === undefined) return {}
  const { from, nonce, valid_until, to, fee, memo, amount } = terms
  const first = { from, nonce: BigInt(nonce), validUntil: BigInt(valid_until) }
  if (fee === undefined) return { terms: first }
  const paid = amount === undefined ? {} : { amount: BigInt(amount) }
  return { terms: { ...first, to, fee: BigInt(fee), memo, ...paid } }
}

/** The words for a hash of before June 2024 that no further terms go with. */
export const hintOf = ({ hash, terms }: AskedTransaction): object =>
  hash.startsWith('Ckp') && terms?.to === undefined
    ? {
        hint: 'Ckp… is the form of hashes before June 2024: nodes and blocks name a command 5J… since then, which mina-signer 2 and later compute with hashPayment(signed, { berkeley: true }). Ask with from, nonce, valid_until, to, fee, memo, and amount of a payment, to find it whatever its hash.',
      }
    : {}

export const answer = (asked: Asked, found: object, searched: object, maxSeconds = openSeconds): Right => ({
  status: 200,
  body: { transaction: { hash: asked.hash, ...found, ...termsOf(asked), searched } },
  maxSeconds,
})

/** True for an answer whose parts fit the question and each other. */
export function fits(data: unknown, asked: Asked): boolean {
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

/** Nodes lag or disagree, or a command waits that may be the one that was asked for. */
export function unknownOf(data: unknown, asked: Asked): object {
  const rival = pooledIn(data).find(isRival(asked))
  const isOpen = rival !== undefined && isOfContent(rival, asked) === undefined
  return { sending: 'unknown', ...(isOpen && userOfNonce(rival)) }
}

/** The right `sending` of a command that is nowhere. */
export function sendingOf(data: unknown, asked: Asked): object {
  const account = at(data, 'account')
  const { nonce: own = '0' } = asked.terms ?? {}
  if (account === null) return { sending: 'no-account' }
  const ledger = integer(account, 'nonce')
  if (ledger > BigInt(own)) return { sending: 'nonce-used' }
  const pooled = pooledIn(data)
  const rival = pooled.find(isRival(asked))
  if (rival !== undefined) {
    const isOpen = isOfContent(rival, asked) === undefined
    return isOpen ? unknownOf(data, asked) : { sending: 'rival-pending', ...userOfNonce(rival) }
  }
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

/** What the node's own evidence tells; undefined where it shows nothing. */
export function fromNode(data: unknown, asked: Asked, searched: object): Told | undefined {
  const blocks = list(data, 'bestChain').toReversed()
  const inChain = (fit: (command: unknown) => boolean) => {
    const depth = blocks.findIndex((block) => commandsOf(block).some(fit))
    return depth < 0 ? undefined : inBlock(asked, blocks[depth], BigInt(depth), searched)
  }
  const inPool = (fit: (command: unknown) => boolean) => {
    const pending = pooledIn(data).find(fit)
    if (pending === undefined) return undefined
    const found = { state: 'pending', ...chainHash(pending, asked), ...shownCommand(pending) }
    return { right: answer(asked, found, searched) }
  }
  const isOwn = (command: unknown) => isRival(asked)(command) && isOfContent(command, asked) === true
  const shown = inChain(isAsked(asked)) ?? inPool(isAsked(asked)) ?? inChain(isOwn) ?? inChain(isRival(asked))
  const found = shown ?? inPool(isOwn)
  if (found !== undefined) return found
  const expiry = expiryIn(data, asked)
  if (expiry === undefined) return undefined
  const whole = { state: 'expired', confirmations: expiry }
  return { whole, partly: { state: 'absent', sending: 'unknown' } }
}
