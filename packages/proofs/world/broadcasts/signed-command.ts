// A signed command of a history, with well-formed keys. The signature is a placeholder; a flag marks invalid commands.

import { encodeBase58Check } from '../../../../shared/mapping/base58check.ts'
import { type Command, neverExpires } from '../../../testnet/command.ts'
import { fieldBytes, zkappCommandHash } from '../../../testnet/hashes.ts'
import { integerBetween, type Random } from '../../../testnet/random.ts'

export interface HistoryCommand extends Command {
  /** Why every node refuses it, whatever its nonce. */
  readonly flaw: 'none' | 'signature' | 'memo'
  /** A zkApp command of its sender, which moves nothing; the service does not send such. */
  readonly isZkapp?: true
  /** The first block with it charges its fee alone. On another branch, where its receiver has an account, it pays. */
  readonly failsFirst?: true
  /** Its receiver has an account by it, with its amount. */
  readonly opensAccount?: true
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

const publicKey = (name: string): string => encodeBase58Check(Uint8Array.from([0xcb, 1, 1, ...fieldBytes(name), 0]))

/** The keys of senders, and of receivers and delegates. */
export const senders: readonly string[] = [1, 2, 3].map((number) => publicKey(`sender ${number}`))
export const receivers: readonly string[] = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => publicKey(`receiver ${number}`))

/** Both byte orders of each half are below the moduli. */
const halves = [`01${'5a'.repeat(30)}02`, `03${'a5'.repeat(30)}04`] as const
const big = halves.join('')
const little = halves.map((half) => half.match(/../g)?.reverse().join('')).join('')

/** The one signature that the simulated nodes take. */
export const signature = { field: String(BigInt(`0x${halves[0]}`)), scalar: String(BigInt(`0x${halves[1]}`)) }

/** A command with a new hash, of the form of a real one. */
export function signCommand(
  random: Random,
  payload: Pick<HistoryCommand, 'kind' | 'from' | 'to' | 'amount' | 'fee' | 'nonce'> & Partial<HistoryCommand>,
): HistoryCommand {
  const digits = Array.from({ length: 50 }, () => alphabet[integerBetween(random, 0, alphabet.length - 1)]).join('')
  return {
    memo: 'history',
    validUntil: neverExpires,
    flaw: 'none',
    hash: zkappCommandHash(digits),
    id: `id${digits}`,
    ...payload,
  }
}

/** The request that a wallet posts, in one of the shapes and byte orders that the service takes: by its hash. */
export function requestBody({ kind, from, to, amount, fee, nonce, memo, validUntil, hash }: HistoryCommand): object {
  const common = { fee: String(fee), nonce: String(nonce), memo }
  const paid = kind === 'PAYMENT' ? { amount: String(amount) } : {}
  const terms = { ...common, ...paid, from, to, validUntil: String(validUntil) }
  const valid_until = validUntil === neverExpires ? null : validUntil
  const rosetta =
    kind === 'PAYMENT'
      ? { payment: { ...common, ...paid, from, to, token: '1', valid_until }, stake_delegation: null }
      : { payment: null, stake_delegation: { ...common, delegator: from, new_delegate: to, valid_until } }
  const inShapes = [
    { publicKey: from, signature, payload: terms },
    { signature: { rawSignature: little }, data: terms },
    { signature: little, ...rosetta },
  ]
  const draw = alphabet.indexOf(hash.at(-1) ?? '')
  // It needs a second submission, as few do.
  if (draw === 0) return { publicKey: from, signature: big, payload: terms }
  return inShapes[draw % inShapes.length] ?? {}
}
