// A signed command of a history, with well-formed keys. The signature is a placeholder; a flag marks invalid commands.
import { type Command, neverExpires } from '../../../local/chain/command.ts'
import { fieldBytes } from '../../../local/chain/hashes.ts'
import { integerBetween, type Random } from '../../../local/chain/random.ts'
import { encodeBase58Check } from '../../../shared/mapping/base58check.ts'

export interface HistoryCommand extends Command {
  /** Why every node refuses it, whatever its nonce. */
  readonly flaw: 'none' | 'signature' | 'memo'
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

const publicKey = (name: string): string => encodeBase58Check(Uint8Array.from([0xcb, 1, 1, ...fieldBytes(name), 0]))

/** The keys of senders, and of receivers and delegates. */
export const senders: readonly string[] = [1, 2, 3].map((number) => publicKey(`sender ${number}`))
export const receivers: readonly string[] = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => publicKey(`receiver ${number}`))

/** Digits of a signature; the simulated nodes do not check them. */
export const signature = { field: '1'.repeat(76), scalar: '2'.repeat(76) } as const

/** A command with a hash of its own. */
export function signCommand(
  random: Random,
  payload: Pick<HistoryCommand, 'kind' | 'from' | 'to' | 'amount' | 'fee' | 'nonce'> & Partial<HistoryCommand>,
): HistoryCommand {
  const digits = Array.from({ length: 50 }, () => alphabet[integerBetween(random, 0, alphabet.length - 1)]).join('')
  return { memo: 'history', validUntil: neverExpires, flaw: 'none', hash: `5J${digits}`, id: `id${digits}`, ...payload }
}

/** The request that a wallet posts, in the contract's shape. */
export function requestBody({ kind, from, to, amount, fee, nonce, memo, validUntil }: HistoryCommand) {
  return {
    publicKey: from,
    signature,
    payload: {
      from,
      to,
      ...(kind === 'PAYMENT' && { amount: String(amount) }),
      fee: String(fee),
      nonce: String(nonce),
      memo,
      validUntil: String(validUntil),
    },
  }
}
