// A raw signature as the two numbers that every daemon reads alike.
import type { Signature } from '../contract/broadcast.ts'
import { fieldOrder } from '../mapping/base58check.ts'

/** Order of the Pallas group: the second half of a signature is below it. */
const scalarOrder = 28948022309329048855892746252171976963363056481941647379679742748393362948097n

export const isRawSignature = (text: string): boolean => /^[0-9A-Fa-f]{128}$/.test(text)

const reversedBytes = (hexadecimal: string): string => hexadecimal.match(/../g)?.reverse().join('') ?? ''

/**
 * The signatures that 128 hexadecimal digits can be, in the order in which to try them. Daemons since 1.3.0alpha3, and the
 * wallets made for them, write the least significant byte of each half first (MinaProtocol/mina#9965). Older daemons and
 * Ledger devices write the most significant byte first. Each half is a number below its order, so mostly one reading fits;
 * of random signatures 6 % fit both.
 */
export function readingsOf(rawSignature: string): readonly Signature[] {
  const halves = [rawSignature.slice(0, 64), rawSignature.slice(64)]
  return [halves.map(reversedBytes), halves].flatMap((reading) => {
    const [field = fieldOrder, scalar = scalarOrder] = reading.map((hexadecimal) => BigInt(`0x${hexadecimal}`))
    return field < fieldOrder && scalar < scalarOrder ? [{ field: String(field), scalar: String(scalar) }] : []
  })
}
