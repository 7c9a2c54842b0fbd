// A user command with its id, hash and memo as a real node of the Berkeley protocol prints them.
import { blake2b } from '@noble/hashes/blake2.js'
import { decodeBase58Check, encodeBase58Check } from '../../shared/mapping/base58check.ts'

/** The fields that a wallet signs. Amounts in nanomina; the amount of a delegation is 0. */
export interface CommandPayload {
  readonly kind: 'PAYMENT' | 'STAKE_DELEGATION'
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly fee: bigint
  readonly nonce: number
  /** Readable text, at most 32 bytes of UTF-8. */
  readonly memo: string
  /** Last global slot since genesis at which it may be included. */
  readonly validUntil: number
}

/** Decimal digits of a field element and a scalar. */
export interface Signature {
  readonly field: string
  readonly scalar: string
}

export interface Command extends CommandPayload {
  /** `5J…`; the signature is not part of it. */
  readonly hash: string
  /** base64 of the serialised command, the signature included. */
  readonly id: string
}

/** A command in a block. */
export interface IncludedCommand {
  readonly command: Command
  /** Why only the fee was charged; null for an applied command. */
  readonly failureReason: string | null
}

/** `validUntil` of a command that never expires. */
export const neverExpires = 4_294_967_295
export const memoLimitBytes = 32

const littleEndian = (value: bigint, length: number): number[] =>
  Array.from({ length }, (_, index) => Number((value >> BigInt(8 * index)) & 255n))

/** bin_prot's integer of variable length; unsigned values of `bits` bits are written as signed ones. */
function binProtInteger(unsigned: bigint, bits: number): number[] {
  const value = BigInt.asIntN(bits, unsigned)
  const bytes = (length: number) => littleEndian(BigInt.asUintN(8 * length, value), length)
  if (value >= 0n && value < 1n << 7n) return bytes(1)
  if (value < 0n && value >= -(1n << 7n)) return [0xff, ...bytes(1)]
  if (value >= -(1n << 15n) && value < 1n << 15n) return [0xfe, ...bytes(2)]
  return value >= -(1n << 31n) && value < 1n << 31n ? [0xfd, ...bytes(4)] : [0xfc, ...bytes(8)]
}

function publicKeyBytes(publicKey: string): Uint8Array {
  const payload = decodeBase58Check(publicKey)
  if (payload === undefined) throw new RangeError(`${publicKey} is not a public key`)
  return payload.subarray(3)
}

/** Tag 1 for text, its length, then 32 bytes. */
function memoBytes(memo: string): number[] {
  const text = new TextEncoder().encode(memo)
  if (text.length > memoLimitBytes) throw new RangeError(`A memo holds at most ${memoLimitBytes} bytes`)
  return [1, text.length, ...text, ...new Array<number>(memoLimitBytes - text.length).fill(0)]
}

/**
 * A memo in the form in which a node prints it: base58check, 53 characters, never empty.
 *
 * @throws RangeError past 32 bytes of UTF-8
 */
export const encodeMemo = (memo: string): string => encodeBase58Check(Uint8Array.from([0x14, ...memoBytes(memo)]))

function serialise(payload: CommandPayload, signature: Signature): Uint8Array {
  const { kind, from, to, amount, fee, nonce, memo, validUntil } = payload
  const sender = publicKeyBytes(from)
  const body =
    kind === 'PAYMENT' ? [0, ...publicKeyBytes(to), ...binProtInteger(amount, 64)] : [1, 0, ...publicKeyBytes(to)]
  return Uint8Array.from([
    ...binProtInteger(fee, 64),
    ...sender,
    ...binProtInteger(BigInt(nonce), 32),
    0,
    ...binProtInteger(BigInt(validUntil), 32),
    memoBytes(memo).length,
    ...memoBytes(memo),
    ...body,
    ...sender,
    ...littleEndian(BigInt(signature.field), 32),
    ...littleEndian(BigInt(signature.scalar), 32),
  ])
}

/** A node hashes a command with this in place of its signature, so that signing it again does not change the hash. */
export const hashedSignature: Signature = { field: '1', scalar: '1' }

function hashBytes(serialised: Uint8Array): string {
  const digest = blake2b(serialised, { dkLen: 32 })
  return encodeBase58Check(Uint8Array.from([0x1d, digest.length, ...digest]))
}

/** The hash of the command with this id. */
export function hashOfId(id: string): string {
  const dummySignature = [...littleEndian(1n, 32), ...littleEndian(1n, 32)]
  return hashBytes(
    Uint8Array.from([...Buffer.from(id, 'base64').subarray(0, -dummySignature.length), ...dummySignature]),
  )
}

/**
 * @param sign called at most once, when the id is first read, because signing is the slowest step of making a block
 * @throws RangeError for a malformed key or a memo past 32 bytes
 */
export function createCommand(payload: CommandPayload, sign: () => Signature): Command {
  let id: string | undefined
  return {
    ...payload,
    hash: hashBytes(serialise(payload, hashedSignature)),
    get id() {
      id ??= Buffer.from(serialise(payload, sign())).toString('base64')
      return id
    },
  }
}
