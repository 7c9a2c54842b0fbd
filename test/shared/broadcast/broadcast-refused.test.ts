import { describe, expect, test } from '@jest/globals'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import { memoFromText } from '../../../shared/mapping/command.ts'
import { misshaped } from '../endpoints/asking.ts'
import { alice } from '../mapping/node-wire.ts'
import {
  accepted,
  badNonce,
  found,
  held,
  late,
  notSent,
  nowhere,
  poolError,
  refusedBy,
  run,
  sent,
  usedNonceSentence,
} from './broadcast-run.ts'

const lowFee = refusedBy('Invalid user command. Fee 0.0001 is less than the minimum fee, 0.001.')
const noFunds = poolError('Insufficient_funds')
const unknownSender = refusedBy(
  "Couldn't infer nonce for transaction from specified `sender` since `sender` is not in the ledger or sent a transaction in transaction pool.",
)
const rustNonce = refusedBy('Transaction rejected: InvalidNonce')
const input = (text: string) =>
  `Argument \`input\` of type \`SendPaymentInput!\` expected on field \`sendPayment\`, found {${text}}.`
const rival = found([{ ...held, fee: '2000000' }])

/** Fields of blocks and commands that GET /transactions reads, and a broadcast does not need. */
const fieldsOfOthers = ['slotSinceGenesis', 'failureReason', 'creator']
const without = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner) => (fieldsOfOthers.includes(key) ? undefined : inner)))
const earlier = { ...held, hash: 'earlier', nonce: 6 }

const known = sent('already-known')
const refused = (...about: readonly [code: string, retriable: boolean, more?: object]) => notSent('refused', ...about)
const unknown = (...about: readonly [code: string, retriable: boolean, more?: object]) => notSent('unknown', ...about)
const expecting = (nonce: string) => ({ 'x-expected-nonce': nonce })

describe('a refusal', () => {
  const older = { data: null, errors: ["Field 'signatureKind' is not defined on type 'query'"] }
  const named = (networkID: string) => ({ data: { networkID } })
  const signedFor = (signatureKind: string) => ({ data: { bestChain: null, signatureKind } })
  const ofDevnet =
    'mina-signer takes the name devnet from version 3.1.0 on: older ones refuse it, and 3.0.5 and 3.0.7 sign for another network without a warning.'
  test.each([
    [named('mina:testnet'), older, '] The network of this node is mina:testnet.'],
    [
      named('mina:devnet'),
      signedFor('testnet'),
      `] The network of this node is mina:devnet. Commands for it are signed for testnet. ${ofDevnet}`,
    ],
    [named('mina:devnet'), older, `] The network of this node is mina:devnet. ${ofDevnet}`],
    [
      named('mina:rehearsal'),
      signedFor('mainnet'),
      '] The network of this node is mina:rehearsal. Commands for it are signed for mainnet.',
    ],
    [
      named('mina:rehearsal'),
      signedFor('other network: rehearsal'),
      '] The network of this node is mina:rehearsal. Commands for it are signed for rehearsal.',
    ],
    [late, signedFor('mainnet'), '] Commands for it are signed for mainnet.'],
    [misshaped(named('<b>')), late, ']'],
    [{ data: null, errors: ["Field 'networkID' is not defined on type 'query'"] }, older, ']'],
    [late, misshaped(signedFor('<b>')), ']'],
  ])('of a signature names network and signature as far as the node does: %j %j', async (networkName, kind, end) => {
    const words = "Couldn't send user command: Error creating user command: {} Error: Invalid_signature"
    const scripts = { sendPayment: [refusedBy(words)], networkName: [networkName], signatureKind: [kind] }
    const { answer, asked } = await run(scripts)
    expect(answer).toEqual(refused('invalid-signature', false))
    expect(String(Object(answer.body).error).split('"}').at(-1)).toBe(end)
    expect(asked).toEqual(['sendPayment', 'networkName', 'signatureKind'])
  })

  test.each([
    ['Invalid `memo` provided.', 'memo-too-long'],
    [input(''), 'invalid-request'],
  ])('that cannot change is told at once: %s', async (words, code) => {
    const { answer, asked } = await run({ sendPayment: [refusedBy(words)] })
    expect(answer).toEqual(refused(code, false))
    expect(asked).toEqual(['sendPayment'])
  })

  test('for too low a fee, which is the same everywhere, is reported after one look', async () => {
    const { answer, asked } = await run({ sendPayment: [lowFee], findCommand: [nowhere] })
    expect(answer).toEqual(refused('fee-too-low', false))
    expect(asked).toEqual(['sendPayment', 'findCommand'])
  })

  test('of great length is told with its beginning, and of thousands of messages the first ten', async () => {
    const long = input('x'.repeat(10_000))
    const { error } = (await run({ sendPayment: [refusedBy(long)] })).answer.body as { error: string }
    expect(error.length).toBeLessThan(5000)
    expect(error).toContain(long.slice(0, 4000))
    const many = { data: null, errors: Array(10_000).fill(poolError('Expired').errors[0]) }
    const { body } = (await run({ sendPayment: [many], findCommand: [nowhere] })).answer
    expect(JSON.stringify(body).match(/Expired/g)).toHaveLength(10)
  })

  test('has the contract’s text: code, mutation and the words of the node', async () => {
    const { answer } = await run({ sendPayment: [noFunds], findCommand: [nowhere] })
    const [mutation] = broadcastTransaction.operations
    const words = JSON.stringify([{ message: 'Couldn\'t send user command: ["Insufficient_funds"]' }])
    expect(answer.body).toEqual({
      message: 'Error in sending transaction',
      error: `Query failed to run by returning code of 200. ${mutation?.document} | ${words}`,
    })
    expect(mutation?.document).toMatch(/^mutation sendPayment\(\$from: PublicKey!, .*\) \{sendPayment\(input: \{from: /)
  })

  test.each([
    [poolError('Overloaded'), refused('pool-overloaded', true)],
    [noFunds, refused('insufficient-funds', true)],
    [poolError('Insufficient_replace_fee'), refused('replace-fee-too-low', false)],
    [poolError('Expired'), refused('expired', false)],
    [poolError('After_slot_tx_end'), refused('network-paused', true)],
    [badNonce(5, 5), refused('bad-nonce', true, expecting('5'))],
    [rustNonce, refused('bad-nonce', true)],
  ])('is told after other nodes had time to pass the command or its block on: %j', async (refusal, expected) => {
    expect(await run({ sendPayment: [refusal], findCommand: [nowhere] })).toEqual({
      answer: expected,
      asked: ['sendPayment', 'findCommand', 'findCommand', 'findCommand', 'findCommand'],
      pauses: [2500],
    })
    for (const holding of [found([held]), found([], [held])]) {
      const { answer } = await run({ sendPayment: [refusal], findCommand: [nowhere, nowhere, nowhere, holding] })
      expect(answer).toEqual(known)
    }
  })

  test.each([
    ['in the pool', [poolError('Duplicate')], found([held])],
    ['in the pool, its fee being too low', [lowFee], found([held])],
    ['in a recent block', [badNonce(8, 8)], found([], [held], '8')],
    [
      'beside an error',
      [noFunds],
      { ...found([held]), errors: ['Could not obtain best chain from transition frontier'] },
    ],
    ['without a chain', [noFunds], { data: { ...found([held]).data, bestChain: null } }],
    ['beside an unreadable command of somebody else', [noFunds], misshaped(found([{ ...held, id: '' }, held]))],
  ])('of a command that a look shows %s is a 201: the node holds it', async (_where, sendPayment, look) => {
    expect((await run({ sendPayment, findCommand: [look] })).answer).toEqual(known)
  })

  test.each([
    ['of a command that no look shows, as a duplicate', poolError('Duplicate'), [nowhere], unknown('duplicate', true)],
    [
      'of a nonce that the refusing node is past, while the one that is asked lags behind',
      badNonce(12, 9),
      [found([], [], '7')],
      unknown('bad-nonce', false, expecting('12')),
    ],
    [
      'of a nonce that one daemon is past, while the one that refuses and is asked last lags behind',
      poolError('Insufficient_replace_fee'),
      [found([], [], '9'), nowhere],
      unknown('replace-fee-too-low', false),
    ],
    [
      'of a nonce whose rival comes up during the looks, since other nodes may not know of the rival',
      badNonce(5, 5),
      [nowhere, nowhere, rival],
      unknown('bad-nonce', true, expecting('5')),
    ],
    [
      'of another reason, while a rival comes up during the looks',
      noFunds,
      [nowhere, nowhere, rival],
      unknown('insufficient-funds', true),
    ],
    [
      'while a rival waits, after a look that went unanswered',
      poolError('Overloaded'),
      [nowhere, late, rival],
      unknown('pool-overloaded', true),
    ],
    ['that nobody can check', noFunds, [late], unknown('insufficient-funds', true)],
  ])('is unknown: %s', async (_what, refusal, findCommand, expected) => {
    expect((await run({ sendPayment: [refusal], findCommand })).answer).toEqual(expected)
  })

  test.each([
    ['a rival was there from the first look', badNonce(5, 5), [rival], refused('bad-nonce', true, expecting('5'))],
    ['only the first look went unanswered', noFunds, [late, nowhere], refused('insufficient-funds', true)],
  ])('stands where %s', async (_what, refusal, findCommand, expected) => {
    expect((await run({ sendPayment: [refusal], findCommand })).answer).toEqual(expected)
  })

  test('of a nonce that the ledger is past, the command being nowhere, is unknown: it may be in an older block', async () => {
    const { answer } = await run({ sendPayment: [badNonce(12, 9)], findCommand: [found([], [], '9')] })
    expect(answer).toEqual(unknown('bad-nonce', false, expecting('12')))
    expect(answer.body).toMatchObject({ error: expect.stringContaining(usedNonceSentence) })
  })

  test('while another command with the nonce waits is reported once the nodes had time to agree', async () => {
    const other = found([{ ...held, amount: '1' }])
    expect(await run({ sendPayment: [noFunds], findCommand: [other] })).toEqual({
      answer: refused('insufficient-funds', true),
      asked: ['sendPayment', 'findCommand', 'findCommand', 'findCommand', 'findCommand'],
      pauses: [2500],
    })
    const settled = await run({ sendPayment: [noFunds], findCommand: [other, found([held])] })
    expect(settled.answer).toEqual(known)
  })

  test('for an unknown sender counts only if the ledger does not know the sender either', async () => {
    const resent = await run({ sendPayment: [unknownSender, accepted], findCommand: [nowhere] })
    expect(resent.answer).toEqual(sent('accepted'))
    const noAccount = { data: { ...nowhere.data, account: null } }
    const absent = await run({ sendPayment: [unknownSender], findCommand: [noAccount] })
    expect(absent.answer).toEqual(refused('sender-unknown', true))
  })

  test('stands if pool and blocks show commands that differ in one signed field: every field is compared', async () => {
    const others = [
      { ...held, amount: '1' },
      { ...held, fee: '1' },
      { ...held, to: alice, receiver: held.source, toAccount: held.source },
      { ...held, nonce: 8 },
      { ...held, memo: memoFromText('ä') },
      { ...held, kind: 'STAKE_DELEGATION', isDelegation: true },
      { ...held, validUntil: '999999' },
    ]
    const { answer } = await run({
      sendPayment: [poolError('Insufficient_replace_fee')],
      findCommand: [found(others, others)],
    })
    expect(answer).toEqual(refused('replace-fee-too-low', false))
  })
})

test('a refusal stands even if blocks and commands lack fields that only other endpoints read', async () => {
  const shown = without(found([earlier], [earlier])) as typeof nowhere
  const { answer } = await run({ sendPayment: [lowFee], findCommand: [shown] })
  expect(answer).toEqual(notSent('refused', 'fee-too-low', false))
})
