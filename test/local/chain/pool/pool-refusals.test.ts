import { describe, expect, test } from '@jest/globals'
import type { Submission } from '../../../../local/chain/pool/pool.ts'
import type { SignatureInput } from '../../../../local/chain/pool/submission.ts'
import { createSigner } from '../../../../local/chain/signer.ts'
import { startSession } from '../session.ts'

type Session = ReturnType<typeof startSession>

const mina = 1_000_000_000n
const fee = 10_000_000n
const stranger = createSigner('testnet').keyPair('test', 'stranger').publicKey
const toBob = { from: 'alice', to: 'bob' }
const fromIvan = { from: 'ivan', to: 'bob', amount: mina }

/** The daemon's message without the quoted command. */
const refusalOf = (submission: Submission): unknown =>
  'refused' in submission ? submission.refused.replace(/\{.*\}/, '{…}') : submission

const inPool = (why: string) => `Couldn't send user command: ["${why}"]`
const uncreated = (why: string) => `Couldn't send user command: Error creating user command: {…} Error: ${why}`
const nonceRefusal = (nonce: number, inferred: number, minimum: number) =>
  uncreated(`Input nonce ${nonce} either different from inferred nonce ${inferred} or below minimum_nonce ${minimum}`)

/** Submits a payment with this signature; by default the one that is made for `toBob`. */
const submitted =
  (change: object = {}, signature?: SignatureInput | null) =>
  ({ chain, complete, signPayment }: Session) =>
    chain.sendPayment(
      complete({ ...toBob, ...change }),
      signature === undefined ? signPayment(toBob).signature : signature,
    )

/** Submits payments one after the other; the last one is judged. */
const oneAfterTheOther =
  (...drafts: readonly Parameters<Session['pay']>[0][]) =>
  ({ pay }: Session) =>
    drafts.map((draft) => pay(draft)).at(-1) as Submission

const invalid = uncreated('Invalid_signature')

describe('the pool refuses a command', () => {
  test.each<[string, (session: Session) => Submission, string]>([
    ['with a nonce above the inferred one', oneAfterTheOther(toBob, { ...toBob, nonce: 2 }), nonceRefusal(2, 1, 0)],
    [
      'that is in a block already, by its nonce',
      ({ pay, chain }) => {
        pay(toBob)
        chain.produceBlock()
        return pay(toBob)
      },
      nonceRefusal(0, 1, 1),
    ],
    ['signed with another amount', submitted({ amount: 1_001n }), invalid],
    ['signed with another memo', submitted({ memo: 'x' }), invalid],
    ['signed with another expiry', submitted({ validUntil: 4_294_967_294 }), invalid],
    ['signed with another fee', submitted({ fee: fee + 1n }), invalid],
    [
      'signed for the other network',
      (session) => submitted({}, session.signPayment(toBob, 'mainnet').signature)(session),
      invalid,
    ],
    ['whose signature is not a number', submitted({}, { field: 'x', scalar: '1' }), invalid],
    [
      'that is queued already, with another signature',
      (session) => {
        session.pay(toBob)
        return submitted({}, { field: '1', scalar: '1' })(session)
      },
      invalid,
    ],
    [
      'without a signature',
      submitted({}, null),
      "Couldn't find an unlocked key for specified `sender`. Did you unlock the account you're making a transaction from?",
    ],
    ['with half a signature', submitted({}, { field: '1' }), 'Either field+scalar or rawSignature must by non-null'],
    ['with a malformed raw signature', submitted({}, { rawSignature: '0'.repeat(127) }), 'rawSignature decoding error'],
    [
      'of a sender without account',
      ({ chain, complete }) => chain.sendPayment({ ...complete(toBob), from: stranger }, { field: '1', scalar: '1' }),
      "Couldn't infer nonce for transaction from specified `sender` since `sender` is not in the ledger or sent a " +
        'transaction in transaction pool.',
    ],
    [
      'with a memo of at most 32 characters but more than 32 bytes',
      submitted({ memo: 'ü'.repeat(17) }, { field: '1', scalar: '1' }),
      'Invalid `memo` provided.',
    ],
    [
      'whose queued predecessors already spend the money',
      oneAfterTheOther(fromIvan, { ...fromIvan, nonce: 1 }),
      inPool('Insufficient_funds'),
    ],
    [
      'that replaces another without a higher fee',
      oneAfterTheOther(toBob, { from: 'alice', to: 'carol' }),
      inPool('Insufficient_replace_fee'),
    ],
    ['whose fee and amount exceed 64 bits', oneAfterTheOther({ ...toBob, amount: 2n ** 64n - 1n }), inPool('Overflow')],
  ])('%s', (_, submit, refusal) => {
    expect(refusalOf(submit(startSession()))).toBe(refusal)
  })

  test.each([
    ['the balance', 'ivan', 2n * mina - fee],
    ['the part of the balance that is not locked', 'frank', 50n * mina - fee],
  ])('that costs one nanomina more than %s', (_, from, amount) => {
    const { pay } = startSession()
    expect(refusalOf(pay({ from, to: 'bob', amount: amount + 1n, fee }))).toBe(inPool('Insufficient_funds'))
    expect(pay({ from, to: 'bob', amount, fee })).toHaveProperty('command')
  })

  test('from the slot after its last valid one', () => {
    const { pay, chain, advance } = startSession()
    const validUntil = chain.currentSlot()
    expect(pay({ ...toBob, validUntil })).toHaveProperty('command')
    advance(10_000)
    expect(refusalOf(pay({ from: 'bob', to: 'alice', validUntil }))).toBe(inPool('Expired'))
  })

  test.each([
    [999_999n, '0.000999999'],
    [100_000n, '0.0001'],
    [0n, '0'],
  ])('with a fee of %s nanomina', (tooLow, text) => {
    expect(refusalOf(startSession().pay({ ...toBob, fee: tooLow }))).toBe(
      `Invalid user command. Fee ${text} is less than the minimum fee, 0.001.`,
    )
    expect(startSession().pay({ ...toBob, fee: 1_000_000n })).toHaveProperty('command')
  })

  test('with a message that quotes it: the fee in MINA, the amount in nanomina, the memo encoded', () => {
    const { pay, wallet } = startSession()
    const submission = pay({ ...toBob, nonce: 9, fee: 10_100_000n, amount: 7n })
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
})
