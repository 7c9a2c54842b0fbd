// What wallets hold, posted as it is: results of four mina-signer versions, raw signatures, and faulty commands.
import { afterAll, describe, expect, test } from '@jest/globals'
import Signer4 from 'mina-signer'
import Signer1 from 'mina-signer-1'
import Signer2 from 'mina-signer-2'
import Signer3 from 'mina-signer-3'
import type { Wallet } from '../../local/chain/chain.ts'
import { post, runService, signPayment, wallet } from './running-service.ts'

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

/** The part that every version has; their types differ. */
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

const service = await runService()
const [alice, carol] = [wallet(service.chain, 'alice'), wallet(service.chain, 'carol')]
afterAll(() => service.close())

const send = (kind: 'transaction' | 'delegation', body: object) => post(`${service.url}/broadcast/${kind}`, body)

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

  test('signs a payment, with the empty memo that it fills in, and a delegation that are sent as they come', async () => {
    const signed = payment()
    expect(signed.data.memo).toBe('')
    expect(await send('transaction', signed)).toMatchObject({
      status: 201,
      body: { result: { payment: { from: alice.publicKey, amount: '1500000000', kind: 'PAYMENT' } } },
    })
    expect(await send('delegation', delegation())).toMatchObject({
      status: 201,
      body: { result: { delegation: { from: carol.publicKey, to: alice.publicKey, kind: 'STAKE_DELEGATION' } } },
    })
  })

  test('signs what may be sent with a raw signature, with the names of the contract and with its own', async () => {
    const [first, publicKey] = [payment('raw'), alice.publicKey]
    const inContract = { publicKey, signature: { rawSignature: rawOf(first.signature) }, payload: first.data }
    expect(await send('transaction', inContract)).toMatchObject({ status: 201 })
    const raw = ({ signature, data }: Signed) => ({ signature: rawOf(signature), data })
    expect(await send('transaction', raw(payment('raw')))).toMatchObject({ status: 201 })
    expect(await send('delegation', raw(delegation()))).toMatchObject({ status: 201 })
  })
})

test.each<['transaction' | 'delegation', string, object, string]>([
  [
    'transaction',
    'the contract’s shape',
    { payload: { amount: '-1', memo: '' } },
    '/payload/memo must not be empty; ' +
      '/payload/amount must be a whole number from 0 to 18446744073709551615 without sign or leading zeros',
  ],
  [
    'delegation',
    'the shape of mina-signer',
    { data: { fee: '-1', validUntil: '4294967296' } },
    '/data/fee must be a whole number from 0 to 18446744073709551615 without sign or leading zeros; ' +
      '/data/validUntil must be a whole number from 0 to 4294967295 without sign or leading zeros',
  ],
])(
  'a %s with faults in %s is refused with the place of each, and no node is asked',
  async (kind, _shape, faults, error) => {
    const { payload, ...signed } = signPayment(service.chain, carol, alice)
    const faulty = Object.entries(faults).map(([name, changes]) => [name, { ...payload, ...changes }])
    const before = service.received.length
    expect(await send(kind, { ...signed, ...Object.fromEntries(faulty) })).toEqual({
      status: 400,
      body: { message: `Error in sending ${kind}`, error },
    })
    expect(service.received.slice(before)).toEqual([])
  },
)
