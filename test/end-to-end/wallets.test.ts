// Commands as wallets hold them: results of four mina-signer versions, raw signatures, faulty commands, and the same
// command again.
import { describe, expect, test } from '@jest/globals'
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

const send = (kind: 'transaction' | 'delegation', body: object) => post(`${service.url}/broadcast/${kind}`, body)

const nextNonce = ({ publicKey }: Wallet): string => {
  const { chain } = service
  return String((chain.account(publicKey)?.nonce ?? 0) + chain.pool(publicKey).length)
}

/** 128 hexadecimal digits, field, then scalar: as a Ledger gives them, and as a daemon takes them. */
function rawsOf({ field, scalar }: Signed['signature']): { readonly big: string; readonly little: string } {
  const halves = [field, scalar].map((digits) => BigInt(digits).toString(16).padStart(64, '0'))
  return { big: halves.join(''), little: halves.map((half) => half.match(/../g)?.reverse().join('')).join('') }
}

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

  test('its signature is taken raw in both byte orders, and a repeat in the other one is the same command', async () => {
    const { signature, data } = payment('raw')
    const { big, little } = rawsOf(signature)
    const first = await post(`${service.url}/broadcast/transaction`, { signature: big, data })
    const again = { publicKey: alice.publicKey, signature: { rawSignature: little }, payload: data }
    expect(await post(`${service.url}/broadcast/transaction`, again)).toEqual(first)
    const { signature: ofDelegation, data: delegated } = delegation()
    const body = { signature: rawsOf(ofDelegation).little, data: delegated }
    const delegationAnswer = await post(`${service.url}/broadcast/delegation`, body)
    expect([first.status, delegationAnswer.status]).toEqual([201, 201])
  })
})

describe('a signed transaction of Rosetta, with a memo and an expiry that are null,', () => {
  const signer = new Signer4({ network: 'testnet' })
  /** What Rosetta gives to a signer of its own kind. */
  const unread = { randomOracleInput: '', signerInput: { prefix: [], suffix: [] } }
  const terms = (from: Wallet) => ({ fee: '10000000', nonce: nextNonce(from), memo: null, valid_until: null })

  test('is a payment in the pool, alone and as mina-signer wraps it', async () => {
    const part = { ...terms(alice), to: carol.publicKey, from: alice.publicKey, amount: '1500000000', token: '1' }
    const unsigned = { ...unread, payment: part, stakeDelegation: null }
    const signed = signer.signRosettaTransaction(unsigned, alice.privateKey)
    const alone = { signature: signed.signature, payment: part, stake_delegation: null, create_token: null }
    const answer = await post(`${service.url}/broadcast/transaction`, alone)
    expect(answer).toMatchObject({ status: 201, body: { result: { payment: { from: alice.publicKey } } } })
    expect(await post(`${service.url}/broadcast/transaction`, signed)).toEqual(answer)
  })

  test('is a delegation in the pool, alone and as mina-signer wraps it', async () => {
    const part = { ...terms(carol), delegator: carol.publicKey, new_delegate: alice.publicKey }
    const unsigned = { ...unread, payment: null, stakeDelegation: part }
    const signed = signer.signRosettaTransaction(unsigned, carol.privateKey)
    const alone = { signature: signed.signature, payment: null, stake_delegation: part }
    const answer = await post(`${service.url}/broadcast/delegation`, alone)
    expect(answer).toMatchObject({ status: 201, body: { result: { delegation: { from: carol.publicKey } } } })
    expect(await post(`${service.url}/broadcast/delegation`, signed)).toEqual(answer)
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
  const body = { publicKey, signature: rawsOf(signature).little, payload: { ...payload, amount: '1' } }
  expect(await post(`${service.url}/broadcast/transaction`, body)).toMatchObject({
    status: 400,
    body: { message: 'Error in sending transaction', error: expect.stringContaining('Invalid_signature') },
  })
  expect(service.chain.pool(judy.publicKey)).toEqual([])
})

test('the same signed command sent again, queued or included, is 201 with the same body', async () => {
  const { chain } = service
  const erin = wallet(chain, 'erin')
  const signed = signPayment(chain, erin, alice)
  const first = await send('transaction', signed)
  const queued = await send('transaction', signed)
  chain.produceBlock()
  const included = await send('transaction', signed)
  expect(first.status).toBe(201)
  expect([queued, included]).toEqual([first, first])
  expect(chain.pool(erin.publicKey)).toEqual([])
})

test('a node that cuts every connection gets two submissions and six look-ups, 10 requests with the repeats', async () => {
  const { chain } = service
  const before = service.received.length
  service.fault = (request) => void request.socket.destroy()
  const answer = await send('transaction', signPayment(chain, wallet(chain, 'frank'), alice))
  service.fault = undefined
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('The outcome is unknown') } })
  expect(service.received.length - before).toBe(10)
})
