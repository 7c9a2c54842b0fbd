// Substitutes for hashes that only a real Mina node can compute (Poseidon hashes of its own structures, or proofs): the
// right form, prefix and checksum around the SHA-256 of the content. Equal content gives an equal hash.
// Hashes and ids of payments and delegations are real ones and live in command.ts.
import { hash } from 'node:crypto'
import { encodeBase58Check } from '../../shared/mapping/base58check.ts'

/** A real node's placeholder for a missing block, and the default of `votingFor`. */
export const zeroStateHash = encodeBase58Check(Uint8Array.from([0x10, 0x01, ...new Uint8Array(32)]))

/** 32 bytes, little-endian, below 2^254 and so below the field's and the scalar's modulus. */
export function fieldBytes(content: string): Uint8Array {
  const bytes = hash('sha256', content, 'buffer')
  bytes.set([(bytes[31] ?? 0) & 0x3f], 31)
  return bytes
}

const substitute =
  (...version: readonly number[]) =>
  (content: string): string =>
    encodeBase58Check(Uint8Array.from([...version, ...fieldBytes(content)]))

/** `3N…`, 52 characters. */
export const stateHash = substitute(0x10, 0x01)

/** `jw…`, `jx…` or `jy…`, 51 characters. */
export const ledgerHash = substitute(0x05, 0x01)

/** `2v…`, 52 characters. */
export const epochSeed = substitute(0x0d, 0x01)

/** `2m…` or `2n…`, 52 characters. */
export const receiptChainHash = substitute(0x0c, 0x01)

/** The truncated VRF output, 32 bytes after a length byte. */
export const vrfOutput = substitute(0x15, 0x20)

/** `5J…`, the hash of a zkApp command. */
export const zkappCommandHash = substitute(0x1d, 0x20)

/** `w…`, `x…` or `y…`, the id of a token. */
export const tokenId = substitute(0x1c)

/** 64 hexadecimal digits. */
export const chainId = (content: string): string => hash('sha256', content)
