// Commands as a node sends them and as the contract shows them.
import type { BroadcastResultCommand } from '../../../../shared/contract/command.ts'
import type { UserCommand } from '../../../../shared/contract/user-command.ts'
import type { Exact } from '../../../../shared/mapping/json.ts'
import { at } from '../../exact-json.ts'
import type { SignedRequest } from '../../setting/twin-chains.ts'
import { digitsOf } from '../sent/scalars.ts'
import { flag, integer, text } from '../sent/values.ts'

const minaTokens: ReadonlySet<unknown> = new Set(['wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf', '1'])

/** Whether the parts of a command say the same of sender, receiver, kind and token. */
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

/** Whether it is the very command that was signed. */
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

const account = (command: unknown, key: string) => ({ publicKey: text(command, key, 'publicKey'), token: 1 })
const keyOnly = (command: unknown, key: string) => ({ publicKey: text(command, key, 'publicKey') })

/** A command that waits: numbers, no block. */
export const pendingCommand = (command: unknown) => ({
  amount: integer(command, 'amount'),
  fee: integer(command, 'fee'),
  feePayer: account(command, 'feePayer'),
  feeToken: 1,
  from: text(command, 'from'),
  fromAccount: account(command, 'fromAccount'),
  hash: text(command, 'hash'),
  id: text(command, 'id'),
  isDelegation: flag(command, 'isDelegation'),
  kind: text(command, 'kind'),
  memo: text(command, 'memo'),
  nonce: integer(command, 'nonce'),
  receiver: keyOnly(command, 'receiver'),
  source: keyOnly(command, 'source'),
  to: text(command, 'to'),
  toAccount: account(command, 'toAccount'),
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
  ...(typeof at(command, 'failureReason') === 'string' && { failureReason: text(command, 'failureReason') }),
})

const tokenAccount = (command: unknown, key: string) => ({
  publicKey: text(command, key, 'publicKey'),
  token: text(command, key, 'token'),
})

/** The command as a broadcast shows it: amounts as text, tokens as the node has them. */
export const broadcastCommand = (command: unknown): Exact<BroadcastResultCommand> => ({
  amount: String(integer(command, 'amount')),
  fee: String(integer(command, 'fee')),
  feePayer: tokenAccount(command, 'feePayer'),
  feeToken: text(command, 'feeToken'),
  from: text(command, 'from'),
  fromAccount: tokenAccount(command, 'fromAccount'),
  hash: text(command, 'hash'),
  id: text(command, 'id'),
  isDelegation: flag(command, 'isDelegation'),
  kind: text(command, 'kind'),
  memo: text(command, 'memo'),
  nonce: integer(command, 'nonce'),
  receiver: tokenAccount(command, 'receiver'),
  source: tokenAccount(command, 'source'),
  to: text(command, 'to'),
  token: text(command, 'token'),
  toAccount: tokenAccount(command, 'toAccount'),
})
