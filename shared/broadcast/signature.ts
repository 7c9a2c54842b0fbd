// Reads every form of a signature as two numbers, which all daemons read alike.
import type { AnySignature, Signature } from '../contract/signature.ts'
import { fieldOrder } from '../mapping/base58check.ts'
import { memberOf } from '../mapping/exact-json.ts'
import type { RequestFault } from '../upstream/errors.ts'

/** Order of the Pallas group: the second half of a signature is below it. */
const scalarOrder = 28948022309329048855892746252171976963363056481941647379679742748393362948097n

const isRawSignature = (text: string): boolean => /^[0-9A-Fa-f]{128}$/.test(text)

const reversedBytes = (hexadecimal: string): string => hexadecimal.match(/../g)?.reverse().join('') ?? ''

/**
 * The signatures that 128 hexadecimal digits can mean, in the order to try them. Daemons since 1.3.0alpha3, and the
 * wallets made for them, write the least significant byte of each half first (MinaProtocol/mina#9965). Older daemons
 * and Ledger devices write the most significant byte first. Each half is a number below its order, so mostly one
 * reading fits; of random signatures 6 % fit both.
 */
export function readingsOf(rawSignature: string): readonly Signature[] {
  const halves = [rawSignature.slice(0, 64), rawSignature.slice(64)]
  return [halves.map(reversedBytes), halves].flatMap((reading) => {
    const [field = fieldOrder, scalar = scalarOrder] = reading.map((hexadecimal) => BigInt(`0x${hexadecimal}`))
    return field < fieldOrder && scalar < scalarOrder ? [{ field: String(field), scalar: String(scalar) }] : []
  })
}

/** True for the forms whose bytes may be in either order. */
export const isRaw = (signature: AnySignature): boolean => typeof signature === 'string' || !('field' in signature)

/** The same for a signature of any accepted form. */
export function readingsIn(signature: AnySignature): readonly Signature[] {
  if (typeof signature === 'string') return readingsOf(signature)
  if ('field' in signature) return [{ field: signature.field, scalar: signature.scalar }]
  return readingsOf(signature.rawSignature)
}

function rawFaults(text: string, at: string, wanted: string): readonly RequestFault[] {
  if (!isRawSignature(text)) return [{ at, problem: wanted }]
  if (readingsOf(text).length > 0) return []
  return [{ at, problem: 'is not a signature: in either byte order one of its halves is not below its modulus' }]
}

const hexadecimal = /^(?:0x)?[\dA-Fa-f]{40,64}$/

/** Some daemons crash on other text, or on more digits than a field element has. */
function numberFaults(signature: unknown, key: 'field' | 'scalar'): readonly RequestFault[] {
  const number = memberOf(signature, key)
  if (typeof number !== 'string' || number === '' || /^\d{1,78}$/.test(number)) return []
  const way = ': put both numbers into one text of 128 hexadecimal digits, "signature":"…"'
  return [
    { at: `/signature/${key}`, problem: `must be decimal digits, at most 78${hexadecimal.test(number) ? way : ''}` },
  ]
}

/** The faults of a signature that a schema cannot express. */
export function signatureFaults(signature: unknown): readonly RequestFault[] {
  if (typeof signature === 'string') {
    return rawFaults(signature, '/signature', 'must be an object with field and scalar, or 128 hexadecimal digits')
  }
  const has = (key: string) => memberOf(signature, key) !== undefined
  if (has('field') || has('scalar')) return [...numberFaults(signature, 'field'), ...numberFaults(signature, 'scalar')]
  const raw = memberOf(signature, 'rawSignature')
  if (typeof raw === 'string') return rawFaults(raw, '/signature/rawSignature', 'must be 128 hexadecimal digits')
  if (!has('rx') && !has('s')) return []
  return [{ at: '/signature', problem: 'must name its two numbers field (rx) and scalar (s), in decimal digits' }]
}
