import { describe, expect, test } from '@jest/globals'
import { signedCommandFaults, signedCommandFrom, variablesOf } from '../../../shared/mapping/signed-command.ts'
import { alice, bob } from './node-wire.ts'

const good = {
  publicKey: alice,
  signature: { field: '1', scalar: '2'.repeat(78) },
  payload: { to: bob, from: alice, fee: '1000000', amount: '0', nonce: '0', memo: ' ', validUntil: '4294967295' },
}
const withPayload = (payload: object) => ({ ...good, payload: { ...good.payload, ...payload } })

const uint64 = 'must be a whole number from 0 to 18446744073709551615 without sign or leading zeros'
const uint32 = 'must be a whole number from 0 to 4294967295 without sign or leading zeros'
const memo = 'must be well-formed text of at most 32 bytes in UTF-8'
const digits = 'must be decimal digits, at most 78'
const key = 'must be a public key (B62…, 55 characters, with a right checksum)'

describe('a signed command', () => {
  test('with every text in order has no fault', () => {
    expect(signedCommandFaults(good, 'payment')).toEqual([])
    expect(signedCommandFaults(withPayload({ memo: 'ä'.repeat(16), fee: '18446744073709551615' }), 'payment')).toEqual(
      [],
    )
  })

  test.each([
    [withPayload({ amount: '-1' }), [{ at: '/payload/amount', problem: uint64 }]],
    [withPayload({ amount: '01' }), [{ at: '/payload/amount', problem: uint64 }]],
    [withPayload({ amount: '1e9' }), [{ at: '/payload/amount', problem: uint64 }]],
    [withPayload({ amount: '1.0' }), [{ at: '/payload/amount', problem: uint64 }]],
    [withPayload({ amount: ' 1' }), [{ at: '/payload/amount', problem: uint64 }]],
    [withPayload({ amount: '1\n' }), [{ at: '/payload/amount', problem: uint64 }]],
    [withPayload({ fee: '18446744073709551616' }), [{ at: '/payload/fee', problem: uint64 }]],
    [withPayload({ nonce: '4294967296' }), [{ at: '/payload/nonce', problem: uint32 }]],
    [withPayload({ validUntil: '9'.repeat(5000) }), [{ at: '/payload/validUntil', problem: uint32 }]],
    [withPayload({ memo: '€'.repeat(11) }), [{ at: '/payload/memo', problem: memo }]],
    [withPayload({ memo: '\ud800' }), [{ at: '/payload/memo', problem: memo }]],
    [withPayload({ to: `${bob}1` }), [{ at: '/payload/to', problem: key }]],
    [
      { ...good, signature: { field: '1'.repeat(79), scalar: '0x1' } },
      [
        { at: '/signature/field', problem: digits },
        { at: '/signature/scalar', problem: digits },
      ],
    ],
    [{ ...good, publicKey: bob }, [{ at: '/publicKey', problem: 'must be the same as /payload/from' }]],
  ])('%j', (body, faults) => {
    expect(signedCommandFaults(body, 'payment')).toEqual(faults)
  })

  test('with several faults has all of them named', () => {
    const body = { ...good, publicKey: 'B62', payload: { ...good.payload, fee: '-', amount: '-', nonce: '-' } }
    expect(signedCommandFaults(body, 'payment').map(({ at }) => at)).toEqual([
      '/publicKey',
      '/payload/fee',
      '/payload/nonce',
      '/payload/amount',
      '/publicKey',
    ])
  })

  test('of a delegation may carry an amount, as any other unknown key', () => {
    expect(signedCommandFaults(withPayload({ amount: '-1' }), 'delegation')).toEqual([])
  })

  test.each([null, 5, 'text', [], {}, { payload: null }, { payload: [], signature: 5 }, { publicKey: { a: 1 } }])(
    'of a shape that the schema refuses, %j, is left to the schema',
    (body) => {
      expect(signedCommandFaults(body, 'payment')).toEqual([])
    },
  )
})

const texts = { from: alice, to: bob, fee: '1000000', memo: ' \u0000ä ', nonce: '0', validUntil: '17' }
const body = { ...good, payload: { ...texts, amount: '5' } }

describe('the variables of a mutation', () => {
  test('are all that it declares, every value as it came', () => {
    expect(variablesOf(signedCommandFrom(body, 'payment'))).toEqual({
      ...texts,
      amount: '5',
      field: '1',
      scalar: '2'.repeat(78),
      rawSignature: null,
    })
  })

  test('of a delegation have no amount, even where the wallet sent one', () => {
    expect(variablesOf(signedCommandFrom(body, 'delegation'))).toEqual({
      ...texts,
      field: '1',
      scalar: '2'.repeat(78),
      rawSignature: null,
    })
  })
})
