import { describe, expect, test } from '@jest/globals'
import { createSigner } from '../../../../local/chain/signer.ts'
import { startSession } from '../session.ts'

const mina = 1_000_000_000n
const stranger = createSigner('testnet').keyPair('test', 'stranger').publicKey

/** The daemon's message without the quoted command. */
const withoutQuote = (submission: object): unknown =>
  'refused' in submission && typeof submission.refused === 'string'
    ? submission.refused.replace(/\{.*\}/, '{…}')
    : submission

const poolRefusal = (why: string) => ({ refused: `Couldn't send user command: ["${why}"]` })

describe('a command is refused', () => {
  test.each([
    ['above the inferred one', 2, 1, 0],
    ['below the account', 0, 1, 1],
  ])('with a nonce %s', (_, nonce, inferred, least) => {
    const { pay, chain } = startSession()
    pay({ from: 'alice', to: 'bob', nonce: 0 })
    if (least === 1) chain.produceBlock()
    expect(withoutQuote(pay({ from: 'alice', to: 'bob', nonce }))).toBe(
      `Couldn't send user command: Error creating user command: {…} Error: Input nonce ${nonce} either different ` +
        `from inferred nonce ${inferred} or below minimum_nonce ${least}`,
    )
  })

  test('with a message that quotes it: the fee in MINA, the amount in nanomina, the memo encoded', () => {
    const { pay, wallet } = startSession()
    const submission = pay({ from: 'alice', to: 'bob', nonce: 9, fee: 10_100_000n, amount: 7n })
    const [quoted = ''] = /\{.*\}/.exec('refused' in submission ? submission.refused : '') ?? []
    expect(JSON.parse(quoted)).toEqual({
      payload: {
        common: {
          fee: '0.0101',
          fee_payer_pk: wallet('alice').publicKey,
          nonce: '9',
          valid_until: '4294967295',
          memo: 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH',
        },
        body: ['Payment', { receiver_pk: wallet('bob').publicKey, amount: '7' }],
      },
      signer: wallet('alice').publicKey,
      signature: ['Signature', expect.stringMatching(/^\d+$/)],
    })
  })

  const invalidSignature = "Couldn't send user command: Error creating user command: {…} Error: Invalid_signature"

  test.each([
    ['another amount', { amount: 1_001n }],
    ['another memo', { memo: 'x' }],
    ['another validUntil', { validUntil: 4_294_967_294 }],
    ['another fee', { fee: 10_000_001n }],
  ])('when its signature is for %s', (_, change) => {
    const { signPayment, complete, chain } = startSession()
    const { signature } = signPayment({ from: 'alice', to: 'bob' })
    const submission = chain.sendPayment(complete({ from: 'alice', to: 'bob', ...change }), signature)
    expect(withoutQuote(submission)).toBe(invalidSignature)
  })

  test('when it is signed for the other network', () => {
    const { signPayment, complete, chain } = startSession()
    const draft = { from: 'alice', to: 'bob' }
    const submission = chain.sendPayment(complete(draft), signPayment(draft, 'mainnet').signature)
    expect(withoutQuote(submission)).toBe(invalidSignature)
  })

  test('when its signature is not a number', () => {
    const { complete, chain } = startSession()
    const submission = chain.sendPayment(complete({ from: 'alice', to: 'bob' }), { field: 'x', scalar: '1' })
    expect(withoutQuote(submission)).toBe(invalidSignature)
  })

  test('without a signature', () => {
    const { complete, chain } = startSession()
    const command = complete({ from: 'alice', to: 'bob' })
    expect([chain.sendPayment(command, null), chain.sendPayment(command, { field: '1' })]).toEqual([
      {
        refused:
          "Couldn't find an unlocked key for specified `sender`. Did you unlock the account you're making a transaction from?",
      },
      { refused: 'Either field+scalar or rawSignature must by non-null' },
    ])
  })

  test('when the sender has no account', () => {
    const { complete, chain } = startSession()
    const command = { ...complete({ from: 'alice', to: 'bob' }), from: stranger }
    expect(chain.sendPayment(command, { field: '1', scalar: '1' })).toEqual({
      refused:
        "Couldn't infer nonce for transaction from specified `sender` since `sender` is not in the ledger or sent a " +
        'transaction in transaction pool.',
    })
  })

  test('when it costs one nanomina more than the balance', () => {
    const { pay } = startSession()
    const fee = 10_000_000n
    expect(pay({ from: 'ivan', to: 'bob', amount: 2n * mina - fee + 1n, fee })).toEqual(
      poolRefusal('Insufficient_funds'),
    )
    expect(pay({ from: 'ivan', to: 'bob', amount: 2n * mina - fee, fee })).toHaveProperty('command')
  })

  test('when it would spend what is time-locked', () => {
    const { pay } = startSession()
    const fee = 10_000_000n
    expect(pay({ from: 'frank', to: 'bob', amount: 50n * mina, fee })).toEqual(poolRefusal('Insufficient_funds'))
    expect(pay({ from: 'frank', to: 'bob', amount: 50n * mina - fee, fee })).toHaveProperty('command')
  })

  test('when queued commands already spend the money', () => {
    const { pay } = startSession()
    pay({ from: 'ivan', to: 'bob', amount: mina, nonce: 0 })
    expect(pay({ from: 'ivan', to: 'bob', amount: mina, nonce: 1 })).toEqual(poolRefusal('Insufficient_funds'))
    expect(pay({ from: 'ivan', to: 'bob', amount: mina + 1n, nonce: 0, fee: 20_000_000n })).toHaveProperty('command')
  })

  test.each([
    [999_999n, '0.000999999'],
    [100_000n, '0.0001'],
    [0n, '0'],
  ])('with a fee of %s nanomina', (fee, text) => {
    const { pay } = startSession()
    expect(pay({ from: 'alice', to: 'bob', fee })).toEqual({
      refused: `Invalid user command. Fee ${text} is less than the minimum fee, 0.001.`,
    })
  })

  test('with a memo of at most 32 characters but more than 32 bytes', () => {
    const { chain, complete } = startSession()
    const command = complete({ from: 'alice', to: 'bob', memo: 'ü'.repeat(17) })
    expect(chain.sendPayment(command, { field: '1', scalar: '1' })).toEqual({ refused: 'Invalid `memo` provided.' })
  })

  test('from the slot after its last valid one', () => {
    const { pay, chain, advance } = startSession()
    const validUntil = chain.currentSlot()
    expect(pay({ from: 'alice', to: 'bob', validUntil })).toHaveProperty('command')
    advance(10_000)
    expect(pay({ from: 'bob', to: 'alice', validUntil })).toEqual(poolRefusal('Expired'))
  })

  test('as a replacement without a higher fee', () => {
    const { pay } = startSession()
    pay({ from: 'alice', to: 'bob' })
    expect(pay({ from: 'alice', to: 'carol' })).toEqual(poolRefusal('Insufficient_replace_fee'))
  })

  test('when fee and amount together exceed 64 bits', () => {
    const { pay } = startSession()
    expect(pay({ from: 'alice', to: 'bob', amount: 2n ** 64n - 1n })).toEqual(poolRefusal('Overflow'))
  })

  test('by its nonce once the same command is in a block', () => {
    const { pay, chain } = startSession()
    pay({ from: 'alice', to: 'bob' })
    chain.produceBlock()
    expect(withoutQuote(pay({ from: 'alice', to: 'bob' }))).toMatch(/Input nonce 0 .* below minimum_nonce 1$/)
  })
})
