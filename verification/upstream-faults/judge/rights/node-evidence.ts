// A node's evidence about a command, from its blocks, its pool and its ledger.
import { at } from '../../exact-json.ts'
import type { AskedTransaction } from '../../setting/fates.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { hasConsistentCommands, heightOf } from '../bodies/block-bodies.ts'
import { isConsistent, pendingCommand } from '../bodies/commands.ts'
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

const poolFields = ['userCommandsByHash', 'pooledUserCommands', 'zkappCommandsByHash', 'pooledZkappCommands'] as const
const pooledIn = (data: unknown): readonly unknown[] => poolFields.flatMap((key) => list(data, key))

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
  const reasons = list(command, 'failureReason').flatMap((update) => list(update, 'failures'))
  return reasons.length === 0 ? {} : { failureReason: [...new Set(reasons)].join(', ') }
}

const shownCommand = (command: unknown): object => (isZkapp(command) ? {} : { command: pendingCommand(command) })

/** The answer about a command in a node's block, with so many others on top. */
export function inBlock(asked: Asked, block: unknown, confirmations: bigint, searched: object): Right | undefined {
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

/** The right `sending` of a command that is nowhere. */
export function sendingOf(data: unknown, asked: Asked): object {
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
export function fromNode(data: unknown, asked: Asked, searched: object): Right | undefined {
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
