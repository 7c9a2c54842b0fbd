import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  base58Alphabet,
  hasForm,
  oldTransactionHashForm,
  publicKeyForm,
  stateHashForm,
  transactionHashForm,
} from '../../../shared/contract/forms.ts'
import { encodeBase58Check } from '../../../shared/mapping/base58check.ts'

describe('the form of base58check text', () => {
  test.each([
    ['a state hash', [0x10, 0x01], 32, stateHashForm],
    ['a public key', [0xcb, 0x01, 0x01], 33, publicKeyForm],
    ['a transaction hash', [0x1d, 0x20], 32, transactionHashForm],
    ['an old transaction hash', [0x12, 0x01, 0x20], 32, oldTransactionHashForm],
  ])('of %s fits, whatever bytes follow its version', (_what, version, length, form) => {
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: length, maxLength: length }),
      fc.constantFrom(0, 0xff).map((byte) => new Uint8Array(length).fill(byte)),
    )
    fc.assert(
      fc.property(bytes, (rest) => {
        expect(hasForm(encodeBase58Check(Uint8Array.from([...version, ...rest])), form)).toBe(true)
      }),
      { seed: 58 },
    )
  })

  test('has the characters of the alphabet and no other', () => {
    const characters = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
    const form = { length: 3, prefix: 'B' }
    expect(characters.filter((character) => hasForm(`B${character}1`, form)).sort()).toEqual([...base58Alphabet].sort())
  })
})
