// Commands as a node sends them and as the contract shows them.
import type { BroadcastResultCommand } from '../../../../shared/contract/command.ts'
import type { UserCommand } from '../../../../shared/contract/user-command.ts'
import type { Exact } from '../../../../shared/mapping/exact-json.ts'
import { at } from '../../exact-json.ts'
import type { SignedRequest } from '../../setting/twin-chains.ts'
import { digitsOf } from '../sent/scalars.ts'
import { flag, integer, integers, keyed, text, texts } from '../sent/values.ts'

/** The token ids of MINA: today's, and the one from before Berkeley. */
export const minaTokens: ReadonlySet<unknown> = new Set(['wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf', '1'])

/** True if the parts of a command agree about sender, receiver, kind and token. */
export function isConsistent(command: unknown): boolean {
  const [from, to] = [at(command, 'from'), at(command, 'to')]
  const senders = ['source', 'feePayer', 'fromAccount'].map((key) => at(command, key))
  const receivers = ['receiver', 'toAccount'].map((key) => at(command, key))
  const tokens = [command, ...senders, ...receivers].map((holder) => at(holder, 'token'))
  return (
    senders.every((account) => at(account, 'publicKey') === from) &&
    receivers.every((account) => at(account, 'publicKey') === to) &&
    [...tokens, at(command, 'feeToken')].every((token) => minaTokens.has(token)) &&
    at(command, 'isDelegation') === (at(command, 'kind') === 'STAKE_DELEGATION')
  )
}

/** True for the command that was signed. */
export function isSigned(command: unknown, { kind, body: { payload }, shownMemo }: SignedRequest): boolean {
  const isExpiry = at(command, 'validUntil') === undefined || digitsOf(at(command, 'validUntil')) === payload.validUntil
  return (
    isExpiry &&
    at(command, 'from') === payload.from &&
    at(command, 'to') === payload.to &&
    at(command, 'kind') === kind &&
    at(command, 'memo') === shownMemo &&
    (['fee', 'nonce'] as const).every((key) => digitsOf(at(command, key)) === payload[key]) &&
    digitsOf(at(command, 'amount')) === (payload.amount ?? '0')
  )
}

const fieldsOf = (command: unknown) => ({
  ...texts(command, 'from', 'hash', 'id', 'kind', 'memo', 'to'),
  isDelegation: flag(command, 'isDelegation'),
  nonce: integer(command, 'nonce'),
})

/** A command that waits: numbers, no block. */
export const pendingCommand = (command: unknown) => ({
  ...fieldsOf(command),
  ...integers(command, 'amount', 'fee'),
  ...keyed(['source', 'receiver'], (key) => ({ publicKey: text(command, key, 'publicKey') })),
  ...keyed(['feePayer', 'fromAccount', 'toAccount'], (key) => ({
    publicKey: text(command, key, 'publicKey'),
    token: 1,
  })),
  feeToken: 1,
  token: 1,
})

interface Enclosing {
  readonly blockHeight: bigint
  readonly blockStateHash: string
  readonly dateTime: string
}

export const includedCommand = (command: unknown, enclosing: Enclosing): Exact<UserCommand> => ({
  ...enclosing,
  ...pendingCommand(command),
  ...(typeof at(command, 'failureReason') === 'string'
    ? { status: 'failed', ...texts(command, 'failureReason') }
    : { status: 'applied' }),
})

/** The command as a broadcast shows it: amounts as text, tokens as the node has them. */
export const broadcastCommand = (command: unknown): Exact<BroadcastResultCommand> => ({
  ...fieldsOf(command),
  ...keyed(['amount', 'fee'], (key) => String(integer(command, key))),
  ...keyed(['source', 'receiver', 'feePayer', 'fromAccount', 'toAccount'], (key) =>
    texts(at(command, key), 'publicKey', 'token'),
  ),
  ...texts(command, 'feeToken', 'token'),
})
