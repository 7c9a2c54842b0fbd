// A signed command of a history, with well-formed keys. The signature is a placeholder; a flag marks invalid commands.
import type { Command } from '../../../local/chain/command.ts'
import { neverExpires } from '../../../local/chain/command.ts'
import { createRandom, integerBetween, type Random } from '../../../local/chain/random.ts'
import { encodeBase58Check } from '../../../shared/mapping/base58check.ts'

export interface HistoryCommand extends Command {
  /** Why every node refuses it, whatever its nonce. */
  readonly flaw: 'none' | 'signature' | 'memo'
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The highest byte is small, so that the key is an element of the field. */
function publicKeyFrom(random: Random): string {
  const element = Array.from({ length: 32 }, (_, index) => integerBetween(random, 0, index === 31 ? 0x3f : 0xff))
  return encodeBase58Check(Uint8Array.from([0xcb, 1, 1, ...element, 0]))
}

const keys = createRandom('keys of the histories')

/** The keys of senders, and of receivers and delegates. */
export const senders: readonly string[] = Array.from({ length: 3 }, () => publicKeyFrom(keys))
export const receivers: readonly string[] = Array.from({ length: 8 }, () => publicKeyFrom(keys))

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
