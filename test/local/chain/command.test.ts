import { describe, expect, test } from '@jest/globals'
import Client from 'mina-signer'
import type { CommandPayload } from '../../../local/chain/command.ts'
import { createCommand, encodeMemo, hashOfId, neverExpires } from '../../../local/chain/command.ts'
import { createSigner } from '../../../local/chain/signer.ts'

const signer = createSigner('testnet')
const { publicKey: from, privateKey } = signer.keyPair('test', 'sender')
const { publicKey: to } = signer.keyPair('test', 'receiver')
const client = new Client({ network: 'testnet' })

const payment: CommandPayload = {
  kind: 'PAYMENT',
  from,
  to,
  amount: 1n,
  fee: 1_000_000n,
  nonce: 0,
  memo: '',
  validUntil: neverExpires,
}

describe('the hash of a command', () => {
  // Each value is at a boundary of the variable-length integers of the serialised form.
  test.each([
    {},
    { amount: 127n, fee: 128n, nonce: 127 },
    { amount: 32_767n, fee: 32_768n, nonce: 128 },
    { amount: 2n ** 31n - 1n, fee: 2n ** 31n, nonce: 32_768, validUntil: 100_000 },
    { amount: 2n ** 63n - 1n, fee: 2n ** 63n, nonce: 2 ** 31, validUntil: 0 },
    { amount: 2n ** 64n - 1n, fee: 2n ** 64n - 1n, nonce: 2 ** 32 - 1, memo: 'ein Gruß an alle' },
  ])('of a payment equals the one of mina-signer: %o', (change) => {
    const payload = { ...payment, ...change }
    const data = { ...payload, amount: String(payload.amount), fee: String(payload.fee) }
    const signature = { field: '1', scalar: '1' }
    const expected = client.hashPayment({ data, publicKey: from, signature }, { berkeley: true })
    expect(createCommand(payload, () => signature).hash).toBe(expected)
  })

  test('of a delegation equals the one of mina-signer', () => {
    const payload: CommandPayload = { ...payment, kind: 'STAKE_DELEGATION', amount: 0n, nonce: 7, memo: 'stake' }
    const data = { from, to, fee: '1000000', nonce: '7', memo: 'stake' }
    const signed = client.signStakeDelegation(data, privateKey)
    const command = createCommand(payload, () => signed.signature)
    expect(command.hash).toBe(client.hashStakeDelegation(signed, { berkeley: true }))
  })

  test('can be computed from the id, which also holds the signature', () => {
    const command = createCommand(payment, () => signer.sign(payment, privateKey))
    const other = createCommand(payment, () => ({ field: '5', scalar: '6' }))
    expect(hashOfId(command.id)).toBe(command.hash)
    expect(other.hash).toBe(command.hash)
    expect(other.id).not.toBe(command.id)
  })
})

test('a command is signed once, when its id is first read', () => {
  let signed = 0
  const command = createCommand(payment, () => {
    signed += 1
    return { field: '1', scalar: '2' }
  })
  const before = signed
  const ids = [command.id, command.id]
  expect({ before, ids: new Set(ids).size, signed }).toEqual({ before: 0, ids: 1, signed: 1 })
})

test('a memo is printed as a node prints it', () => {
  expect([encodeMemo(''), encodeMemo('Payment Transfer')]).toEqual([
    'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH',
    'E4YtkEVgH96DuQEGtz2pJabq4hYRG3ocHrsGdJoAKZ2o8GH2gbmQL',
  ])
})

test('the limit of a memo is 32 bytes, not 32 characters', () => {
  expect(encodeMemo('ü'.repeat(16))).toHaveLength(53)
  expect(() => encodeMemo('ü'.repeat(17))).toThrow(RangeError)
})
