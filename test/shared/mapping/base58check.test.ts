import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  decodeBase58Check,
  encodeBase58Check,
  isPublicKey,
  isStateHash,
  isTransactionHash,
  stateHashField,
} from '../../../shared/mapping/base58check.ts'

const mainnetGenesis = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
const publicKey = 'B62qpge4uMq4Vv5Rvc8Gw9qSquUYd6xoW1pz7HQkMSHm6h1o7pvLPAN'
const transactionHash = '5JvJ6fA7cL6SoVjKYg6T1W5f6PKWbt9tevpeuVbWBBuKktaL8aJM'
const oldTransactionHash = 'CkpZME52rRdLoVDUkEx1vK3QUu86WxUQTV5347cUj1vnJaZSovN9s'
const ledgerHash = 'jx7buQVWFLsXTtzRgSxbYcT8EYLS8KCZbLrfDcJxMtyy4thw2Ee'
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

test.each([
  [mainnetGenesis, '9884505309989150310604636992054488263310056292998048242928359357807664465744'],
  [
    '3NKfgwKwq3qWFFMNcr6BcAzv1BkZip3m6ADtr9htfjD6WftD3TrS',
    '21538604359563529269247680765381984336006730725137316435164719777253393337427',
  ],
])('state hash %s has the field element that mainnet nodes report', (stateHash, field) => {
  expect(stateHashField(stateHash)).toBe(field)
})

/** Of Pallas. */
const fieldOrder = 0x40000000000000000000000000000000224698fc094cf91b992d30ed00000001n

const kindOf = (text: string) => {
  const kinds = [
    isStateHash(text) && 'state hash',
    isPublicKey(text) && 'public key',
    isTransactionHash(text) && 'transaction hash',
  ].filter(Boolean)
  return kinds.join(' and ') || 'none'
}

describe('the checks of hashes and public keys', () => {
  test.each([
    ['a state hash', mainnetGenesis, 'state hash'],
    ['a public key', publicKey, 'public key'],
    ['a transaction hash', transactionHash, 'transaction hash'],
    ['one from before the Berkeley fork', oldTransactionHash, 'transaction hash'],
    ['a transaction hash with a character more', `${transactionHash}1`, 'none'],
    ['a ledger hash', ledgerHash, 'none'],
    ['empty text', '', 'none'],
    ['a state hash with a space behind it', `${mainnetGenesis} `, 'none'],
    ['ten thousand characters', '1'.repeat(10_000), 'none'],
    ['a character outside the alphabet', `${mainnetGenesis.slice(0, -1)}0`, 'none'],
    ['a NUL', `${publicKey.slice(0, -1)}\0`, 'none'],
  ])('recognise %s', (_what, text, kind) => {
    expect(kindOf(text)).toBe(kind)
  })

  test.each([
    ['the largest state hash', [0x10, 0x01], fieldOrder - 1n, [], 'state hash'],
    ['a state hash beyond the field', [0x10, 0x01], fieldOrder, [], 'none'],
    ['the largest key of odd parity', [0xcb, 0x01, 0x01], fieldOrder - 1n, [1], 'public key'],
    ['a key of another parity', [0xcb, 0x01, 0x01], fieldOrder - 1n, [2], 'none'],
    ['a key of another version', [0xcb, 0x01, 0x02], fieldOrder - 1n, [1], 'none'],
    ['a key beyond the field', [0xcb, 0x01, 0x01], fieldOrder, [0], 'none'],
  ])('recognise %s by more than its checksum', (_what, version, element, parity, expected) => {
    const bytes = Array.from({ length: 32 }, (_, index) => Number((element >> BigInt(8 * index)) & 0xffn))
    const text = encodeBase58Check(Uint8Array.from([...version, ...bytes, ...parity]))
    expect(kindOf(text)).toBe(expected)
  })

  test('detect every single changed character', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(mainnetGenesis, publicKey, transactionHash, oldTransactionHash),
        fc.nat(51),
        fc.constantFrom(...alphabet),
        (text, at, character) => {
          const changed = text.slice(0, at) + character + text.slice(at + 1)
          expect(kindOf(changed) !== 'none').toBe(changed === text)
        },
      ),
      { seed: 4, numRuns: 500 },
    )
  })
})

test('any payload, leading zeros included, survives encoding and decoding', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), (payload) => {
      expect(decodeBase58Check(encodeBase58Check(payload))).toEqual(payload)
    }),
    { seed: 5, numRuns: 300 },
  )
})
