import { describe, expect, test } from '@jest/globals'
import type { Submission } from '../../packages/testnet/pool/pool.ts'
import type { SignatureInput } from '../../packages/testnet/pool/submission.ts'
import { createSigner } from '../../packages/testnet/signer.ts'
import { startSession } from './session.ts'

type Session = ReturnType<typeof startSession>

const mina = 1_000_000_000n
const fee = 10_000_000n
const toBob = { from: 'alice', to: 'bob' }
const fromIvan = { from: 'ivan', to: 'bob', amount: mina }

describe('the pool queues a command', () => {
  test('and returns it with every signed field', () => {
    const { pay, wallet, chain } = startSession()
    expect(pay({ ...toBob, amount: 5n, memo: 'grüße' })).toEqual({
      command: {
        ...{ kind: 'PAYMENT', from: wallet('alice').publicKey, to: wallet('bob').publicKey, amount: 5n, fee },
        ...{ nonce: 0, memo: 'grüße', validUntil: 4_294_967_295 },
        ...{ hash: expect.stringMatching(/^5J/), id: expect.stringMatching(/^[\w+/]+=*$/) },
      },
    })
    expect([chain.pool().length, chain.pool(wallet('bob').publicKey).length]).toEqual([1, 0])
  })

  test('after the queued ones of its sender, and counts it in the inferred nonce', () => {
    const { pay, chain, account } = startSession()
    for (const nonce of [0, 1, 2]) expect(pay({ ...toBob, nonce })).toHaveProperty('command')
    expect(chain.inferredNonce(account('alice'))).toBe(3)
  })

  test('in the place of one with the same nonce and a lower fee, whose amount it can spend again', () => {
    const { pay, chain } = startSession()
    pay({ ...fromIvan, amount: 1_900_000_000n })
    const better = pay({ ...fromIvan, amount: 1_900_000_000n, fee: fee + 1n })
    expect(chain.pool().map((command) => ({ command }))).toEqual([better])
    expect(chain.pool()).toMatchObject([{ fee: fee + 1n }])
  })
})

test('a raw signature has the least significant byte of each half first', () => {
  const { sign, complete, chain } = startSession()
  const { field, scalar } = sign(toBob)
  const halves = [field, scalar].map((digits) =>
    BigInt(digits ?? '')
      .toString(16)
      .padStart(64, '0'),
  )
  const little = halves.map((half) => half.match(/../g)?.reverse().join('')).join('')
  expect(chain.sendPayment(complete(toBob), { rawSignature: halves.join('') })).toHaveProperty('refused')
  expect(chain.sendPayment(complete(toBob), { rawSignature: little })).toHaveProperty('command')
})

describe('a block', () => {
  test('holds the queued command, moves its amount, charges its fee and takes it out of the pool', () => {
    const { pay, chain, account } = startSession()
    const before = { alice: account('alice'), bob: account('bob') }
    pay({ ...toBob, amount: 3n * mina, fee: mina / 10n })
    const [queued] = chain.pool()
    expect(chain.produceBlock().userCommands).toContainEqual({ command: queued, failureReason: null })
    expect(account('alice')).toEqual({
      ...before.alice,
      balance: before.alice.balance - 3n * mina - mina / 10n,
      nonce: 1,
      receiptChainHash: expect.not.stringMatching(before.alice.receiptChainHash),
    })
    expect(account('bob')).toEqual({ ...before.bob, balance: before.bob.balance + 3n * mina })
    expect(chain.pool()).toEqual([])
  })

  test('has the commands with the highest fees first, but those of one account by nonce', () => {
    const { pay, chain, wallet } = startSession()
    pay({ ...toBob, nonce: 0 })
    pay({ ...toBob, nonce: 1, fee: 900_000_000n })
    pay({ from: 'bob', to: 'alice', fee: 2n * fee })
    const [alice, bob] = [wallet('alice').publicKey, wallet('bob').publicKey]
    const order = chain.produceBlock().userCommands.map(({ command: { from, nonce } }) => `${from} ${nonce}`)
    expect(order.slice(0, 3)).toEqual([`${bob} 0`, `${alice} 0`, `${alice} 1`])
  })

  test('drops a command that has expired, with those after it', () => {
    const { pay, chain, advance, account } = startSession()
    pay({ ...toBob, nonce: 0, validUntil: chain.currentSlot() })
    pay({ ...toBob, nonce: 1 })
    advance(10_000)
    chain.produceBlock()
    expect({ pool: chain.pool(), nonce: account('alice').nonce }).toEqual({ pool: [], nonce: 0 })
  })
})

describe('the pool refuses a command', () => {
  /** The daemon's message without the quoted command. */
  const refusalOf = (submission: Submission): unknown =>
    'refused' in submission ? submission.refused.replace(/\{.*\}/, '{…}') : submission
  const inPool = (why: string) => `Couldn't send user command: ["${why}"]`
  const uncreated = (why: string) => `Couldn't send user command: Error creating user command: {…} Error: ${why}`
  const nonceRefusal = (nonce: number, inferred: number, minimum: number) =>
    uncreated(`Input nonce ${nonce} either different from inferred nonce ${inferred} or below minimum_nonce ${minimum}`)
  const invalid = uncreated('Invalid_signature')
  const locked =
    "Couldn't find an unlocked key for specified `sender`. Did you unlock the account you're making a transaction from?"

  /** Submits a payment with this signature; by default the one that is made for `toBob`. */
  const submitted =
    (change: object = {}, signature?: SignatureInput | null) =>
    ({ chain, complete, sign }: Session) =>
      chain.sendPayment(complete({ ...toBob, ...change }), signature === undefined ? sign(toBob) : signature)
  const wrong = { field: '1', scalar: '1' }

  /** Submits payments one after the other; the last one is judged. */
  const oneAfterTheOther =
    (...drafts: readonly Parameters<Session['pay']>[0][]) =>
    ({ pay }: Session) =>
      drafts.map((draft) => pay(draft)).at(-1) as Submission
  const inABlock = (session: Session) => {
    session.pay(toBob)
    session.chain.produceBlock()
    return session.pay(toBob)
  }
  const queued = (session: Session) => {
    session.pay(toBob)
    return submitted({}, wrong)(session)
  }

  test.each<[string, (session: Session) => Submission, string]>([
    ['with a nonce above the inferred one', oneAfterTheOther(toBob, { ...toBob, nonce: 2 }), nonceRefusal(2, 1, 0)],
    ['that is in a block already, by its nonce', inABlock, nonceRefusal(0, 1, 1)],
    ['signed with another amount', submitted({ amount: 1_001n }), invalid],
    ['signed with another memo', submitted({ memo: 'x' }), invalid],
    ['whose signature is not a number', submitted({}, { field: 'x', scalar: '1' }), invalid],
    ['that is queued already, with another signature', queued, invalid],
    ['without a signature', submitted({}, null), locked],
    ['with half a signature', submitted({}, { field: '1' }), 'Either field+scalar or rawSignature must by non-null'],
    ['with a malformed raw signature', submitted({}, { rawSignature: '0'.repeat(127) }), 'rawSignature decoding error'],
    ['with a memo of more than 32 bytes', submitted({ memo: 'ü'.repeat(17) }, wrong), 'Invalid `memo` provided.'],
    [
      'after others that spend the money',
      oneAfterTheOther(fromIvan, { ...fromIvan, nonce: 1 }),
      inPool('Insufficient_funds'),
    ],
    [
      'that replaces another without a higher fee',
      oneAfterTheOther(toBob, { ...toBob, amount: 2n }),
      inPool('Insufficient_replace_fee'),
    ],
    ['whose fee and amount exceed 64 bits', oneAfterTheOther({ ...toBob, amount: 2n ** 64n - 1n }), inPool('Overflow')],
  ])('%s', (_, submit, refusal) => {
    expect(refusalOf(submit(startSession()))).toBe(refusal)
  })

  test('of a sender without account', () => {
    const { chain, complete } = startSession()
    const stranger = createSigner('testnet').keyPair('test', 'stranger').publicKey
    expect(refusalOf(chain.sendPayment({ ...complete(toBob), from: stranger }, wrong))).toBe(
      "Couldn't infer nonce for transaction from specified `sender` since `sender` is not in the ledger or sent a transaction in transaction pool.",
    )
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
    [0n, '0'],
  ])('with a fee of %s nanomina', (tooLow, text) => {
    const refusal = `Invalid user command. Fee ${text} is less than the minimum fee, 0.001.`
    expect(refusalOf(startSession().pay({ ...toBob, fee: tooLow }))).toBe(refusal)
    expect(startSession().pay({ ...toBob, fee: 1_000_000n })).toHaveProperty('command')
  })

  test('with a message that quotes it: the fee in MINA, the amount in nanomina, the memo encoded', () => {
    const { pay, wallet } = startSession()
    const submission = pay({ ...toBob, nonce: 9, fee: 10_100_000n, amount: 7n })
    const [quoted = ''] = /\{.*\}/.exec('refused' in submission ? submission.refused : '') ?? []
    const { publicKey: alice } = wallet('alice')
    const memo = 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH'
    expect(JSON.parse(quoted)).toEqual({
      payload: {
        common: { fee: '0.0101', fee_payer_pk: alice, nonce: '9', valid_until: '4294967295', memo },
        body: ['Payment', { receiver_pk: wallet('bob').publicKey, amount: '7' }],
      },
      signer: alice,
      signature: ['Signature', expect.stringMatching(/^\d+$/)],
    })
  })
})
