import { describe, expect, test } from '@jest/globals'
import Client from 'mina-signer'
import type { CommandPayload } from '../../../local/chain/command.ts'
import { createCommand, encodeMemo, hashOfId, neverExpires } from '../../../local/chain/command.ts'
import { createSigner } from '../../../local/chain/signer.ts'

const signer = createSigner('testnet')
const { publicKey: from, privateKey } = signer.keyPair('test', 'sender')
const { publicKey: to } = signer.keyPair('test', 'receiver')
const client = new Client({ network: 'testnet' })
const dummy = { field: '1', scalar: '1' }
const limits = { fee: 1_000_000n, validUntil: neverExpires }
const payment: CommandPayload = { kind: 'PAYMENT', from, to, amount: 1n, nonce: 0, memo: '', ...limits }

describe('the hash of a command', () => {
  // Each value is at a boundary of the variable-length integers of the serialised form.
  test.each([
    {},
    { amount: 127n, fee: 128n, nonce: 127 },
    { amount: 32_767n, fee: 32_768n, nonce: 128 },
    { amount: 2n ** 31n - 1n, fee: 2n ** 31n, nonce: 32_768, validUntil: 100_000 },
    { amount: 2n ** 63n - 1n, fee: 2n ** 63n, nonce: 2 ** 31, validUntil: 0 },
    { amount: 2n ** 64n - 1n, fee: 2n ** 64n - 1n, nonce: 2 ** 32 - 1, memo: 'ein Gruß an alle' },
  ])('equals that of mina-signer for a payment with %o', (change) => {
    const payload = { ...payment, ...change }
    const data = { ...payload, amount: String(payload.amount), fee: String(payload.fee) }
    const expected = client.hashPayment({ data, publicKey: from, signature: dummy }, { berkeley: true })
    expect(createCommand(payload, () => dummy).hash).toBe(expected)
  })

  test('equals that of mina-signer for a delegation', () => {
    const payload: CommandPayload = { ...payment, kind: 'STAKE_DELEGATION', amount: 0n, nonce: 7, memo: 'stake' }
    const signed = client.signStakeDelegation({ from, to, fee: '1000000', nonce: '7', memo: 'stake' }, privateKey)
    const { hash } = createCommand(payload, () => signed.signature)
    expect(hash).toBe(client.hashStakeDelegation(signed, { berkeley: true }))
  })

  test('can be computed from the id, which also holds the signature', () => {
    const command = createCommand(payment, () => signer.sign(payment, privateKey))
    const other = createCommand(payment, () => ({ field: '5', scalar: '6' }))
    expect([hashOfId(command.id), other.hash]).toEqual([command.hash, command.hash])
    expect(other.id).not.toBe(command.id)
  })
})

test('a memo is printed as a node prints it, up to 32 bytes, not 32 characters', () => {
  expect([encodeMemo(''), encodeMemo('Payment Transfer')]).toEqual([
    'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH',
    'E4YtkEVgH96DuQEGtz2pJabq4hYRG3ocHrsGdJoAKZ2o8GH2gbmQL',
  ])
  expect(encodeMemo('ü'.repeat(16))).toHaveLength(53)
  expect(() => encodeMemo('ü'.repeat(17))).toThrow(RangeError)
})
