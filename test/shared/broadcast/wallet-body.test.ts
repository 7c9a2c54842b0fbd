import { describe, expect, test } from '@jest/globals'
import { signedCommandFrom, walletBodyFaults } from '../../../shared/broadcast/wallet-body.ts'
import type { WalletBody } from '../../../shared/contract/wallet-body.ts'
import { alice, bob } from '../mapping/node-wire.ts'

const good = {
  publicKey: alice,
  signature: { field: '1', scalar: '2'.repeat(78) },
  payload: { to: bob, from: alice, fee: '1000000', amount: '0', nonce: '0', memo: ' ', validUntil: '4294967295' },
}
const withPayload = (payload: object) => ({ ...good, payload: { ...good.payload, ...payload } })

const uint64 = 'must be a whole number from 0 to 18446744073709551615 without sign or leading zeros'
const uint32 = 'must be a whole number from 0 to 4294967295 without sign or leading zeros'
const memo = 'must be well-formed text of at most 32 bytes in UTF-8'
const sameAsFrom = 'must be the same as /data/from'
const digits = 'must be decimal digits, at most 78'
const key = 'must be a public key (B62…, 55 characters, with a right checksum)'

describe('a body in the shape of the contract', () => {
  test('with valid texts has no fault', () => {
    expect(walletBodyFaults(good, 'payment')).toEqual([])
    expect(walletBodyFaults(withPayload({ memo: 'ä'.repeat(16), fee: '18446744073709551615' }), 'payment')).toEqual([])
  })

  test.each([
    [withPayload({ validUntil: '9'.repeat(5000) }), [{ at: '/payload/validUntil', problem: uint32 }]],
    [
      { ...good, signature: { field: '1'.repeat(79), scalar: '0x1' } },
      [
        { at: '/signature/field', problem: digits },
        { at: '/signature/scalar', problem: digits },
      ],
    ],
    [{ ...good, publicKey: bob }, [{ at: '/publicKey', problem: 'must be the same as /payload/from' }]],
  ])('has these faults: %j', (body, faults) => {
    expect(walletBodyFaults(body, 'payment')).toEqual(faults)
  })

  test('with several faults has all of them named', () => {
    const body = { ...good, publicKey: 'B62', payload: { ...good.payload, fee: '-', amount: '-', nonce: '-' } }
    expect(walletBodyFaults(body, 'payment').map(({ at }) => at)).toEqual([
      '/publicKey',
      '/payload/fee',
      '/payload/amount',
      '/payload/nonce',
      '/publicKey',
    ])
  })

  test('of a delegation may carry an amount, as any other unknown key', () => {
    expect(walletBodyFaults(withPayload({ amount: '-1' }), 'delegation')).toEqual([])
  })

  test.each([
    { payload: null },
    { payload: [], signature: 5 },
    { publicKey: { a: 1 }, payload: 5 },
    { payload: { fee: -5 } },
  ])('of types that the schema refuses, %j, is left to the schema', (body) => {
    expect(walletBodyFaults(body, 'payment')).toEqual([])
  })
})

const shape = (amount: string) =>
  `must be {"publicKey":"B62…","signature":{"field":"…","scalar":"…"},"payload":{"to":"B62…","from":"B62…","fee":"…",` +
  `${amount}"nonce":"…","memo":"…","validUntil":"…"}}, or the {"signature":…,"publicKey":…,"data":…} that mina-signer gives`

describe('a body in an unknown shape', () => {
  test.each([null, 5, 'text', [], {}, { publicKey: alice, Payload: {} }, { signature: 'ab', payment: { to: bob } }])(
    'is refused with the shape wanted: %j',
    (body) => {
      expect(walletBodyFaults(body, 'payment')).toContainEqual({ at: 'body', problem: shape('"amount":"…",') })
      expect(walletBodyFaults(body, 'delegation')).toContainEqual({ at: 'body', problem: shape('') })
    },
  )

  test('may be one in both shapes at once, which is checked by the contract’s', () => {
    expect(walletBodyFaults({ ...good, data: good.payload }, 'payment')).toEqual([
      { at: '/data', problem: 'must not stand beside /payload' },
    ])
    expect(walletBodyFaults({ ...withPayload({ fee: '-' }), data: 5 }, 'payment')).toEqual([
      { at: '/payload/fee', problem: uint64 },
      { at: '/data', problem: 'must not stand beside /payload' },
    ])
  })
})

const { publicKey, signature, payload } = good
const signed = { signature, publicKey, data: { ...payload, memo: '' } }
const withData = (data: object) => ({ ...signed, data: { ...signed.data, ...data } })

describe('a result of mina-signer', () => {
  test.each<[string, object]>([
    ['with its public key', signed],
    ['of 1.1, without', { signature, data: signed.data }],
    ['of 1.7, with the signer in the signature', { signature: { ...signature, signer: alice }, data: signed.data }],
    ['with numbers', withData({ fee: 10000000, amount: 0, nonce: 0, validUntil: 4294967295 })],
  ])('%s has no fault', (_what, body) => {
    expect(walletBodyFaults(body, 'payment')).toEqual([])
  })

  test.each([
    [withData({ amount: -1 }), [{ at: '/data/amount', problem: uint64 }]],
    [withData({ amount: 1.5 }), [{ at: '/data/amount', problem: uint64 }]],
    [withData({ amount: 1e21 }), [{ at: '/data/amount', problem: uint64 }]],
    [withData({ nonce: 4294967296 }), [{ at: '/data/nonce', problem: uint32 }]],
    [withData({ to: 5 }), [{ at: '/data/to', problem: key }]],
    [{ ...signed, publicKey: bob }, [{ at: '/publicKey', problem: 'must be the same as /data/from' }]],
    [{ ...signed, signature: { ...signature, signer: bob } }, [{ at: '/signature/signer', problem: sameAsFrom }]],
    [{ ...signed, signature: { ...signature, signer: null } }, [{ at: '/signature/signer', problem: sameAsFrom }]],
    [
      { ...signed, signature: { field: '9'.repeat(15_000), scalar: '' } },
      [{ at: '/signature/field', problem: digits }],
    ],
  ])('has these faults: %j', (body, faults) => {
    expect(walletBodyFaults(body, 'payment')).toEqual(faults)
  })
})

describe.each([
  ['payload', withPayload],
  ['data', withData],
] as const)('a text under /%s', (part, withTexts) => {
  test.each([
    ...['-1', '01', '1e9', '1.0', ' 1', '1\n', '18446744073709551616'].map(
      (wrong) => ['amount', wrong, uint64] as const,
    ),
    ['fee', '18446744073709551616', uint64],
    ['nonce', '4294967296', uint32],
    ['memo', '€'.repeat(11), memo],
    ['memo', '\ud800', memo],
    ['to', `${bob}1`, key],
  ])('is at fault as %s %j', (name, wrong, problem) => {
    expect(walletBodyFaults(withTexts({ [name]: wrong }), 'payment')).toEqual([{ at: `/${part}/${name}`, problem }])
  })
})

const raw = 'aF'.repeat(64)

describe('a raw signature', () => {
  test.each<[object]>([
    [{ ...good, signature: raw }],
    [{ ...good, signature: { rawSignature: raw } }],
    [{ ...signed, signature: raw }],
    [{ ...signed, signature: { rawSignature: raw, signer: alice } }],
  ])('has no fault: %j', (body) => {
    expect(walletBodyFaults(body, 'payment')).toEqual([])
  })

  test.each([raw.slice(1), `${raw}0`, `0x${raw.slice(2)}`, `${raw.slice(1)}g`, `${raw}\n`])(
    'without exactly 128 hexadecimal digits is refused: %j',
    (wrong) => {
      const faults = [
        { ...good, signature: wrong },
        { ...signed, signature: { rawSignature: wrong } },
      ].map((body) => walletBodyFaults(body, 'payment'))
      expect(faults).toEqual([
        [{ at: '/signature', problem: 'must be an object with field and scalar, or 128 hexadecimal digits' }],
        [{ at: '/signature/rawSignature', problem: 'must be 128 hexadecimal digits' }],
      ])
    },
  )

  test('beside field and scalar is an unknown key', () => {
    const both = { ...signature, rawSignature: 'x' }
    expect(walletBodyFaults({ ...good, signature: both }, 'payment')).toEqual([])
    expect(walletBodyFaults({ ...good, signature: { field: 'x', rawSignature: 'x' } }, 'payment')).toEqual([
      { at: '/signature/field', problem: digits },
    ])
  })
})

describe('the one form of a command', () => {
  const command = {
    from: alice,
    to: bob,
    fee: '1000000',
    amount: '0',
    nonce: '0',
    memo: '',
    validUntil: '4294967295',
    signature: { field: '1', scalar: '2'.repeat(78) },
  }

  test.each<[string, WalletBody, object]>([
    ['the contract', withPayload({ memo: ' \u0000ä ', validUntil: '17' }), { memo: ' \u0000ä ', validUntil: '17' }],
    ['mina-signer', signed, {}],
    ['mina-signer 1.7', { signature: { ...signature, signer: alice }, data: signed.data }, {}],
    ['numbers', withData({ fee: 9007199254740991, amount: -0, nonce: 7 }), { fee: '9007199254740991', nonce: '7' }],
    ['a raw signature', { ...signed, signature: raw }, { signature: { rawSignature: raw } }],
    [
      'a raw signature in an object',
      { ...signed, signature: { rawSignature: raw } },
      { signature: { rawSignature: raw } },
    ],
    ['more than is signed', { ...signed, signature: { ...signature, rawSignature: raw } }, {}],
  ])('comes from %s', (_what, body, changes) => {
    expect(signedCommandFrom(body, 'payment')).toEqual({ ...command, ...changes })
  })

  test('of a delegation has no amount, even where the wallet sent one', () => {
    const { amount, ...delegation } = command
    expect(amount).toBe('0')
    expect(signedCommandFrom(signed, 'delegation')).toEqual(delegation)
  })
})
