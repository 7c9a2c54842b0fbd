// Recognises the sent command in a block.
import type { UserCommand } from './schema.ts'
import type { CommandFacts } from './signed-command.ts'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

const numberOf = (digits: readonly number[], base: bigint): bigint =>
  digits.reduce((number, digit) => number * base + BigInt(digit), 0n)

/** True if a memo as blocks have it holds this text: base58check of version 20, tag 1, length and 32 bytes of UTF-8. */
function holds(encoded: string, text: string): boolean {
  const bytes = new TextEncoder().encode(text)
  const decoded = numberOf(
    [...encoded].map((digit) => alphabet.indexOf(digit)),
    58n,
  )
  // After the text come the rest of the 32 bytes and the 4 of the checksum.
  return decoded >> BigInt(8 * (36 - bytes.length)) === numberOf([20, 1, bytes.length, ...bytes], 256n)
}

/**
 * @param shown has sender and nonce of the sent one
 * @param hash of the command; without it everything that a block shows of a command is compared: only one that differs in
 *   `validUntil` alone is then mistaken for it
 */
export const isOwnCommand = (shown: UserCommand, sent: CommandFacts, hash: string | undefined): boolean =>
  hash === undefined
    ? shown.to === sent.to &&
      shown.fee === sent.fee &&
      shown.isDelegation === (sent.amount === undefined) &&
      (shown.isDelegation || shown.amount === sent.amount) &&
      holds(shown.memo, sent.memo)
    : shown.hash === hash
