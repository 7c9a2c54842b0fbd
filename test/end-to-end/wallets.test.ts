// What wallets really hold, posted as it is: results of four mina-signer versions, raw signatures, and what must not pass.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import Signer4 from 'mina-signer'
import Signer1 from 'mina-signer-1'
import Signer2 from 'mina-signer-2'
import Signer3 from 'mina-signer-3'
import type { Wallet } from '../../local/chain/chain.ts'
import { post, type RunningService, runService, signDelegation, signPayment, wallet } from './running-service.ts'

interface Signed {
  readonly signature: { readonly field: string; readonly scalar: string }
  readonly publicKey?: string
  readonly data: { readonly memo?: string }
}

interface Draft {
  readonly to: string
  readonly from: string
  readonly fee: string
  readonly nonce: string
  readonly memo?: string
}

/** What every version has; their own types differ. */
interface Signer {
  signPayment(payment: Draft & { readonly amount: string }, privateKey: string): Signed
  signStakeDelegation(delegation: Draft, privateKey: string): Signed
}

const signers: Readonly<Record<string, Signer>> = {
  '1.7': new Signer1({ network: 'testnet' }),
  '2.1': new Signer2({ network: 'testnet' }),
  '3.1': new Signer3({ network: 'testnet' }),
  '4.0': new Signer4({ network: 'testnet' }),
}

let service: RunningService
let alice: Wallet
let carol: Wallet
beforeAll(async () => {
  service = await runService()
  alice = wallet(service.chain, 'alice')
  carol = wallet(service.chain, 'carol')
})
afterAll(() => service.close())

const nextNonce = ({ publicKey }: Wallet): string => {
  const { chain } = service
  return String((chain.account(publicKey)?.nonce ?? 0) + chain.pool(publicKey).length)
}

/** 128 hexadecimal digits: field, then scalar. */
const rawOf = ({ field, scalar }: Signed['signature']): string =>
  [field, scalar].map((digits) => BigInt(digits).toString(16).padStart(64, '0')).join('')

const common = (from: Wallet, nonce: string) => ({ from: from.publicKey, fee: '10000000', nonce })

describe.each(Object.entries(signers))('mina-signer %s', (version, signer) => {
  const payment = (text?: string): Signed => {
    const draft = { ...common(alice, nextNonce(alice)), to: carol.publicKey, amount: '1500000000' }
    return signer.signPayment(text === undefined ? draft : { ...draft, memo: text }, alice.privateKey)
  }
  // 1.x does not sign the UTF-8 of other characters, so no node takes such a command.
  const memo = version === '1.7' ? ' memo a' : ' memo ä'
  const delegation = (): Signed => {
    const draft = { ...common(carol, nextNonce(carol)), to: alice.publicKey, memo }
    return signer.signStakeDelegation(draft, carol.privateKey)
  }

  test('its payment, with the empty memo that it fills in, is in the pool as it was signed', async () => {
    const signed = payment()
    expect(signed.data.memo).toBe('')
    expect(await post(`${service.url}/broadcast/transaction`, JSON.stringify(signed))).toMatchObject({
      status: 201,
      body: { result: { payment: { from: alice.publicKey, amount: '1500000000', kind: 'PAYMENT' } } },
    })
  })

  test('its delegation is in the pool as it was signed', async () => {
    expect(await post(`${service.url}/broadcast/delegation`, JSON.stringify(delegation()))).toMatchObject({
      status: 201,
      body: { result: { delegation: { from: carol.publicKey, to: alice.publicKey, kind: 'STAKE_DELEGATION' } } },
    })
  })

  test('its signature is taken raw, with the names of the contract and with those of mina-signer', async () => {
    const [first, publicKey] = [payment('raw'), alice.publicKey]
    const inContract = { publicKey, signature: { rawSignature: rawOf(first.signature) }, payload: first.data }
    expect(await post(`${service.url}/broadcast/transaction`, inContract)).toMatchObject({ status: 201 })
    const { signature, data } = payment('raw')
    const answer = await post(`${service.url}/broadcast/transaction`, { signature: rawOf(signature), data })
    expect(answer).toMatchObject({ status: 201 })
    const { signature: ofDelegation, data: delegated } = delegation()
    const answered = await post(`${service.url}/broadcast/delegation`, {
      signature: rawOf(ofDelegation),
      data: delegated,
    })
    expect(answered).toMatchObject({ status: 201 })
  })
})

test('the four versions print two shapes', () => {
  const { publicKey: to, privateKey } = alice
  const shapes = Object.entries(signers).map(([version, signer]) => {
    const signed: object = signer.signPayment({ from: to, to, fee: '1', amount: '1', nonce: '0' }, privateKey)
    return [version, Object.keys(signed).sort(), Object.keys(Reflect.get(signed, 'signature'))]
  })
  const sinceTwo = [
    ['data', 'publicKey', 'signature'],
    ['field', 'scalar'],
  ]
  expect(shapes).toEqual([
    ['1.7', ['data', 'signature'], ['field', 'scalar', 'signer']],
    ['2.1', ...sinceTwo],
    ['3.1', ...sinceTwo],
    ['4.0', ...sinceTwo],
  ])
})

test('a raw signature of another command is refused by the node, and nothing is in the pool', async () => {
  const judy = wallet(service.chain, 'judy')
  const { publicKey, signature, payload } = signPayment(service.chain, judy, alice)
  const body = { publicKey, signature: rawOf(signature), payload: { ...payload, amount: '1' } }
  expect(await post(`${service.url}/broadcast/transaction`, body)).toMatchObject({
    status: 400,
    body: { message: 'Error in sending transaction', error: expect.stringContaining('Invalid_signature') },
  })
  expect(service.chain.pool(judy.publicKey)).toEqual([])
})

describe('bad input is named by its place and nothing reaches the node:', () => {
  const good = () => signPayment(service.chain, alice, carol)
  const withPayload = (changes: object) => ({ ...good(), payload: { ...good().payload, ...changes } })
  const withData = (changes: object) => {
    const { payload, ...rest } = withPayload(changes)
    return { ...rest, data: payload }
  }

  test.each<[string, () => object, readonly string[]]>([
    ['both shapes at once', () => ({ ...good(), data: good().payload }), ['/data']],
    [
      'numbers in the contract’s shape',
      () => withPayload({ fee: 10000000, amount: 1, nonce: 0, validUntil: 4294967295 }),
      ['/payload/fee', '/payload/amount', '/payload/nonce', '/payload/validUntil'],
    ],
    ['inexact numbers', () => withData({ fee: 0.5, amount: 2 ** 53 }), ['/data/fee', '/data/amount']],
    [
      'a signature of 15,000 digits',
      () => ({ ...good(), signature: { field: '1'.repeat(7500), scalar: '1'.repeat(7500) } }),
      ['/signature/field', '/signature/scalar'],
    ],
    ['a negative amount', () => withPayload({ amount: '-1' }), ['/payload/amount']],
    ['leading zeros', () => withData({ amount: '01', fee: '010000000' }), ['/data/fee', '/data/amount']],
    ['an exponent', () => withData({ amount: '1e9' }), ['/data/amount']],
    ['2^64', () => withPayload({ amount: '18446744073709551616' }), ['/payload/amount']],
    [
      'a memo of 33 bytes in 20 characters',
      () => withData({ memo: `${'a'.repeat(7)}${'ä'.repeat(13)}` }),
      ['/data/memo'],
    ],
    ['an empty memo in the contract’s shape', () => withPayload({ memo: '' }), ['/payload/memo']],
    ['another public key', () => ({ ...good(), publicKey: carol.publicKey }), ['/publicKey']],
    [
      'another signer',
      () => ({ ...withData({}), signature: { ...good().signature, signer: carol.publicKey } }),
      ['/signature/signer'],
    ],
    ['neither payload nor data', () => ({ signature: 'ab', payment: good().payload }), ['body', '/signature']],
  ])('%s', async (_what, body, places) => {
    const before = service.received.length
    const answer = await post(`${service.url}/broadcast/transaction`, body())
    expect(answer).toEqual({
      status: 400,
      body: { message: 'Error in sending transaction', error: expect.any(String) },
    })
    for (const place of places) expect(JSON.stringify(answer.body)).toMatch(new RegExp(`(?:"error":"|; )${place} `))
    expect(service.received.slice(before)).toEqual([])
  })

  test('a delegation with faults in the shape of mina-signer', async () => {
    const before = service.received.length
    const { payload, ...rest } = signDelegation(service.chain, carol, alice)
    const data = { ...payload, fee: '-1', validUntil: '4294967296' }
    expect(await post(`${service.url}/broadcast/delegation`, { ...rest, data })).toEqual({
      status: 400,
      body: {
        message: 'Error in sending delegation',
        error:
          '/data/fee must be a whole number from 0 to 18446744073709551615 without sign or leading zeros; ' +
          '/data/validUntil must be a whole number from 0 to 4294967295 without sign or leading zeros',
      },
    })
    expect(service.received.slice(before)).toEqual([])
  })
})
