// Each body that wallets post, as the deployed function answers it: what it submits, or the text of its 400.
import { describe, expect, test } from '@jest/globals'
import { readingBody } from '../../../functions/runtime/request-body.ts'
import { serve } from '../../../functions/runtime/serve.ts'
import validateDelegation from '../../../functions/runtime/validators/broadcast-delegation.js'
import validateTransaction from '../../../functions/runtime/validators/broadcast-transaction.js'
import { defaultSettings } from '../../../shared/deployment/stage-settings.ts'
import { broadcastDelegation } from '../../../shared/endpoints/broadcast-delegation.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import { memoFromText } from '../../../shared/mapping/command.ts'
import { chainOf, contextOf, whole } from '../../shared/endpoints/asking.ts'
import { alice, bob, delegationWire, paymentWire, token } from '../../shared/mapping/node-wire.ts'
import { lambdaContext } from '../event.ts'
import { post } from './signed-payment.ts'

const invalidSignature = "Couldn't send user command: Error creating user command: {} Error: Invalid_signature"

/** A node that finds every signature wrong but those with this `field`; all are right without one. */
const nodeWith = (rightField: string | undefined, submitted: object[]) =>
  contextOf(async ({ name }, variables) => {
    if (name === 'networkName') return whole({ data: { networkID: 'mina:testnet' } })
    if (name === 'signatureKind') return whole({ data: { bestChain: null, signatureKind: 'testnet' } })
    submitted.push(variables)
    const { field, from, to, fee, nonce, memo, amount } = variables as Readonly<Record<string, string>>
    if (rightField !== undefined && field !== rightField) return whole({ data: null, errors: [invalidSignature] })
    const [sender, receiver] = [from, to].map((publicKey) => ({ publicKey, token }))
    const accounts = { feePayer: sender, source: sender, fromAccount: sender, receiver, toAccount: receiver }
    const terms = { ...accounts, from, to, fee, nonce: Number(nonce), memo: memoFromText(memo ?? '') }
    return whole({
      data:
        name === 'sendPayment'
          ? { sendPayment: { payment: { ...paymentWire, ...terms, amount } } }
          : { sendDelegation: { delegation: { ...delegationWire, ...terms } } },
    })
  })

type Path = '/broadcast/transaction' | '/broadcast/delegation'

/** The status, the text of a refusal without the echoed mutation, and what was submitted. */
async function answerTo(body: unknown, path: Path, { lenientPayload = false, rightField }: Options = {}) {
  const submitted: object[] = []
  const chain = chainOf(nodeWith(rightField, submitted))
  const settings = { ...defaultSettings, lenientPayload }
  const ports = { chain, log: () => undefined, readBody: readingBody(), settings }
  const handler =
    path === '/broadcast/transaction'
      ? serve(broadcastTransaction, { schema: validateTransaction, ...ports })
      : serve(broadcastDelegation, { schema: validateDelegation, ...ports })
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  const { statusCode, body: answer = '' } = await handler(post(text), lambdaContext())
  const { error }: { error?: string } = JSON.parse(answer)
  return { status: statusCode, error: error?.replace(/^Query failed .*? \| /, ''), submitted }
}

interface Options {
  readonly lenientPayload?: boolean
  /** The only `field` that the node finds right. */
  readonly rightField?: string
}

const refusal = (error: string) => ({ status: 400, error, submitted: [] })
const sent = (...submitted: readonly object[]) => ({ status: 201, error: undefined, submitted })

const signature = { field: '11', scalar: '22' }
const terms = { to: bob, from: alice, fee: '1000000', nonce: '7', memo: 'ä', validUntil: '17' }
const payment = { ...terms, amount: '5' }
const contract = { publicKey: alice, signature, payload: payment }
const signers = { publicKey: alice, signature, data: payment }
const withPayload = (changes: object) => ({ ...contract, payload: { ...payment, ...changes } })
const withSignature = (given: unknown) => ({ ...contract, signature: given })
const withData = (changes: object) => ({ ...signers, data: { ...payment, ...changes } })

const zeros = (bytes: number) => '00'.repeat(bytes)
/** Field 255 and scalar 2: in the other order the field would be too large. */
const little = `ff${zeros(31)}02${zeros(31)}`
const big = `${zeros(31)}ff${zeros(31)}02`
/** Field 0x01…02 and scalar 3 with the most significant byte first; both orders are below the moduli. */
const both = `01${zeros(30)}02${zeros(31)}03`
const neither = `ff${zeros(30)}ff${zeros(32)}`
const bothLittle = { field: String((2n << 248n) + 1n), scalar: String(3n << 248n) }
const bothBig = { field: String((1n << 248n) + 2n), scalar: '3' }

const rosetta = {
  signature: little,
  payment: { ...terms, validUntil: undefined, token: '1', memo: null, amount: '5', valid_until: null },
  stake_delegation: null,
  create_token: null,
}
const { to: new_delegate, from: delegator, fee, memo } = terms
const rosettaDelegation = {
  signature: little,
  payment: null,
  stake_delegation: { delegator, new_delegate, fee, nonce: 7, memo, valid_until: 17 },
}

const uint64 = 'must be a whole number from 0 to 18446744073709551615 without sign or leading zeros'
const uint32 = 'must be a whole number from 0 to 4294967295 without sign or leading zeros'
const key = 'must be a public key (B62…, 55 characters, with a right checksum)'
const under = 'put the command under data in place of payload, which takes'
const quoted = `must be a string: quote the digits, or ${under} numbers`
const shape =
  'body must be {"publicKey":"B62…","signature":{"field":"…","scalar":"…"},"payload":{"to":"B62…","from":"B62…",' +
  '"fee":"…","amount":"…","nonce":"…","memo":"…","validUntil":"…"}}, or the {"signature":…,"publicKey":…,"data":…} ' +
  'that mina-signer gives, or the {"signature":…,"payment":…} of Rosetta'

test.each<[string, unknown, string]>([
  // Not JSON, or too much of it.
  ['no body', undefined, 'body is empty'],
  ['an empty body', '', 'body is empty'],
  ['a blank body', ' \n', 'body is empty'],
  ['arrays 8,000 deep', '['.repeat(8000) + ']'.repeat(8000), 'body must be nested a few levels deep at most'],
  [
    'a __proto__ key',
    '{"payload":{"__proto__":{"fee":"1"}}}',
    'body must not have the key __proto__, or a constructor with a prototype',
  ],
  ['17 KB', { padding: 'x'.repeat(17 * 1024) }, 'body must have at most 16384 bytes'],

  // No shape, or two.
  ['null', 'null', shape],
  ['a list', '[]', shape],
  ['an empty object', {}, `/publicKey is missing; /signature is missing; /payload is missing; ${shape}`],
  ['payload and data', { ...contract, data: payment }, '/data must not stand beside /payload'],
  ['payload and payment', { ...contract, payment }, '/payment must not stand beside /payload'],
  [
    'Rosetta with both parts',
    { ...rosetta, stake_delegation: rosettaDelegation.stake_delegation },
    '/stake_delegation must not stand beside /payment',
  ],
  ['Rosetta with neither part', { ...rosetta, payment: null }, 'body has neither a payment nor a stake_delegation'],

  // The contract's shape.
  ['an empty memo', withPayload({ memo: '' }), `/payload/memo must not be empty: ${under} an empty memo`],
  [
    'no validUntil and a nonce as a number',
    withPayload({ validUntil: undefined, nonce: 7 }),
    `/payload/nonce ${quoted}; /payload/validUntil is missing: give the value that was signed, or ${under} "4294967295" for it`,
  ],
  [
    'no memo',
    withPayload({ memo: null }),
    `/payload/memo is missing: give the value that was signed, or ${under} "" for it`,
  ],
  ['a fraction', withPayload({ fee: 0.5 }), `/payload/fee ${quoted}`],
  ['an empty fee', withPayload({ fee: '' }), '/payload/fee must not be empty'],
  ['no public key', { ...contract, publicKey: null }, '/publicKey is missing'],
  ['the key of another', { ...contract, publicKey: bob }, '/publicKey must be the same as /payload/from'],
  [
    'faults at every depth',
    {
      publicKey: bob,
      signature: { field: 5, extra: true },
      payload: { ...payment, fee: '', amount: '-1', to: `${bob}1` },
    },
    '/signature/scalar is missing; /signature/field must be a string; /payload/fee must not be empty; ' +
      `/payload/to ${key}; /payload/amount ${uint64}; /publicKey must be the same as /payload/from`,
  ],

  // mina-signer's shape.
  ['an inexact number', withData({ fee: 2 ** 53 }), '/data/fee must be at most 9007199254740991'],
  ['a number above 32 bits', withData({ nonce: 4294967296 }), `/data/nonce ${uint32}`],
  ['a negative number', withData({ amount: -1 }), `/data/amount ${uint64}`],
  ['a memo that is a number', withData({ memo: 5 }), '/data/memo must be a string'],
  [
    'another signer',
    { data: payment, signature: { ...signature, signer: bob } },
    '/signature/signer must be the same as /data/from',
  ],

  // Rosetta's shape, by its own names.
  [
    'other tokens than MINA',
    { ...rosetta, payment: { ...payment, token: '2' } },
    '/payment/token must be 1, the MINA token: commands cannot send another one',
  ],
  [
    'a token that cannot be printed',
    { ...rosetta, payment: { ...payment, token: { toString: 1 } } },
    '/payment/token must be 1, the MINA token: commands cannot send another one',
  ],
  [
    'wrong terms',
    { ...rosetta, publicKey: bob, payment: { ...payment, amount: null, fee: '01', valid_until: '-' } },
    `/payment/amount is missing; /payment/fee ${uint64}; /payment/valid_until ${uint32}; /publicKey must be the same as /payment/from`,
  ],
  ['no terms', { ...rosetta, payment: 'x' }, '/payment must be an object'],

  // Signatures.
  [
    'rx and s',
    withSignature({ rx: '1', s: '2' }),
    '/signature must name its two numbers field (rx) and scalar (s), in decimal digits',
  ],
  [
    'a hexadecimal field',
    withSignature({ field: `0x${little.slice(0, 64)}`, scalar: '2' }),
    '/signature/field must be decimal digits, at most 78: put both numbers into one text of 128 hexadecimal digits, "signature":"…"',
  ],
  [
    'too many digits',
    withSignature({ field: '1'.repeat(79), scalar: '-1' }),
    '/signature/field must be decimal digits, at most 78; /signature/scalar must be decimal digits, at most 78',
  ],
  ...Object.entries({
    '127 digits': little.slice(1),
    '129 digits': `${little}0`,
    '128 digits with 0x': `0x${little.slice(2)}`,
    'a g among its digits': `${little.slice(1)}g`,
    'an empty signature': '',
  }).flatMap(([what, text]): [string, unknown, string][] => [
    [what, withSignature(text), '/signature must be an object with field and scalar, or 128 hexadecimal digits'],
    [
      `${what} in an object`,
      { ...signers, signature: { rawSignature: text } },
      '/signature/rawSignature must be 128 hexadecimal digits',
    ],
  ]),
  [
    'a number too large in both byte orders',
    withSignature(neither),
    '/signature is not a signature: in either byte order one of its halves is not below its modulus',
  ],
  [
    'half a signature beside a raw one',
    withSignature({ field: '1', rawSignature: little }),
    '/signature/scalar is missing',
  ],

  // The wrong path.
  [
    'a delegation',
    { ...contract, payload: terms },
    '/payload/amount is missing: a stake delegation goes to /broadcast/delegation',
  ],
  [
    'a delegation of mina-signer',
    { ...signers, data: terms },
    '/data/amount is missing: a stake delegation goes to /broadcast/delegation',
  ],
  [
    'a delegation of Rosetta',
    rosettaDelegation,
    '/stake_delegation is a stake delegation: send it to /broadcast/delegation',
  ],
])('a payment with %s is refused, and nothing is submitted', async (_what, body, error) => {
  expect(await answerTo(body, '/broadcast/transaction')).toEqual(refusal(error))
})

describe.each([
  ['payload', withPayload],
  ['data', withData],
] as const)('a text under /%s', (part, withTexts) => {
  test.each([
    ...['-1', '01', '1e9', '1.0', ' 1', '1\n', '18446744073709551616', '9'.repeat(900)].map(
      (wrong) => ['amount', wrong, uint64] as const,
    ),
    ['fee', '18446744073709551616', uint64],
    ['nonce', '4294967296', uint32],
    ['memo', '€'.repeat(11), 'must be well-formed text of at most 32 bytes in UTF-8'],
    ['memo', '\ud800', 'must be well-formed text of at most 32 bytes in UTF-8'],
    ['to', `${bob}1`, key],
  ])('is refused as %s %j', async (name, wrong, problem) => {
    expect(await answerTo(withTexts({ [name]: wrong }), '/broadcast/transaction')).toEqual(
      refusal(`/${part}/${name} ${problem}`),
    )
  })
})

test('a payment of Rosetta is refused on the path of delegations', async () => {
  expect(await answerTo(rosetta, '/broadcast/delegation')).toEqual(
    refusal('/payment is a payment: send it to /broadcast/transaction'),
  )
})

const variables = { ...payment, ...signature, rawSignature: null }
const defaults = { memo: '', validUntil: '4294967295' }
const raw = { field: '255', scalar: '2' }

test.each<[string, unknown, object, Options?]>([
  ['the contract', contract, {}],
  ['the contract, with a long memo', withPayload({ memo: 'ä'.repeat(16) }), { memo: 'ä'.repeat(16) }],
  ['the contract, with unknown keys', { ...withPayload({ constructor: 'x', token: '1' }), extra: 1, data: null }, {}],
  ['mina-signer', signers, {}],
  ['mina-signer 1.1', { signature, data: payment, publicKey: null }, {}],
  ['mina-signer 1.7', { signature: { ...signature, signer: alice }, data: payment, payload: null }, {}],
  ['mina-signer with defaults left out', withData({ memo: undefined, validUntil: undefined }), defaults],
  [
    'mina-signer with numbers',
    withData({ fee: 9007199254740991, amount: -0, nonce: 7 }),
    { fee: '9007199254740991', amount: '0' },
  ],
  ['a wallet that adds a raw signature', withSignature({ ...signature, rawSignature: 5 }), {}],
  ['a daemon’s byte order', withSignature(little), raw],
  ['a daemon’s byte order in an object', { ...signers, signature: { rawSignature: little, signer: alice } }, raw],
  ['a Ledger’s byte order', withSignature(big), raw],
  [
    'a Ledger’s byte order, by its scalar alone',
    withSignature(`${both.slice(0, 64)}03${zeros(30)}ff`),
    { field: bothBig.field, scalar: String((3n << 248n) + 255n) },
  ],
  ['a Ledger’s byte order in capitals', { ...signers, signature: { rawSignature: big.toUpperCase() } }, raw],
  ['Rosetta', rosetta, { ...raw, ...defaults }],
  [
    'Rosetta with all its terms',
    { ...rosetta, payment: { ...payment, token, nonce: 7, valid_until: 17 } },
    { ...raw, validUntil: '17' },
  ],
  [
    'mina-signer’s signRosettaTransaction',
    { signature: little, publicKey: alice, data: { payment: rosetta.payment, stakeDelegation: null } },
    { ...raw, ...defaults },
  ],
  ['an old wallet, leniently', withPayload({ memo: '', nonce: 7 }), { memo: '' }, { lenientPayload: true }],
  [
    'an older one, leniently',
    { ...withPayload({ memo: null, validUntil: undefined }), publicKey: null },
    defaults,
    { lenientPayload: true },
  ],
])('a payment of %s is submitted as it was signed', async (_what, body, changes, options = {}) => {
  expect(await answerTo(body, '/broadcast/transaction', options)).toEqual(sent({ ...variables, ...changes }))
})

test('leniently read terms are still named as the sender has them', async () => {
  const body = withPayload({ memo: '', fee: -1 })
  expect(await answerTo(body, '/broadcast/transaction', { lenientPayload: true })).toEqual(
    refusal(`/payload/fee ${uint64}`),
  )
})

test.each<[string, unknown, object]>([
  ['the contract', { ...contract, payload: terms }, {}],
  [
    'the contract, with an amount that cannot be printed',
    { ...contract, payload: { ...terms, amount: { toString: 1 } } },
    {},
  ],
  ['the contract, with an amount to ignore', { ...contract, payload: { ...terms, amount: '-1' } }, {}],
  ['mina-signer', { ...signers, data: terms }, {}],
  ['Rosetta', rosettaDelegation, raw],
  [
    'mina-signer’s signRosettaTransaction',
    { signature: little, data: { payment: null, stakeDelegation: rosettaDelegation.stake_delegation } },
    raw,
  ],
])('a delegation of %s is submitted as it was signed', async (_what, body, changes) => {
  const { amount: _amount, ...variablesOfDelegation } = variables
  expect(await answerTo(body, '/broadcast/delegation')).toEqual(sent({ ...variablesOfDelegation, ...changes }))
})

describe('a raw signature that fits both byte orders', () => {
  const submitted = [bothLittle, bothBig].map((each) => ({ ...variables, ...each }))

  test('is sent in the second after the node refused the first', async () => {
    const answer = await answerTo(withSignature(both), '/broadcast/transaction', { rightField: bothBig.field })
    expect(answer).toEqual(sent(...submitted))
  })

  test('is sent in the first only where that is right', async () => {
    const answer = await answerTo(withSignature(both), '/broadcast/transaction', { rightField: bothLittle.field })
    expect(answer).toEqual(sent(...submitted.slice(0, 1)))
  })
})

const network = `[${JSON.stringify({ message: invalidSignature })}] The network of this node is mina:testnet. Commands for it are signed for testnet.`
const ofNothing = { ...signers, data: { ...terms, amount: 0 } }
const toPayments = 'If a payment was signed, send it to /broadcast/transaction.'
const toDelegations = 'If a stake delegation was signed, send it to /broadcast/delegation.'

test.each<[string, unknown, Path, string, number]>([
  ['in two numbers', contract, '/broadcast/transaction', network, 1],
  [
    'in one byte order',
    withSignature(little),
    '/broadcast/transaction',
    `${network} The raw signature was tried in both byte orders; in one of them it has a half that is not below its modulus.`,
    1,
  ],
  [
    'in both byte orders',
    withSignature(both),
    '/broadcast/transaction',
    `${network} The raw signature was tried in both byte orders.`,
    2,
  ],
  ['of no amount', withPayload({ amount: '0' }), '/broadcast/transaction', `${network} ${toDelegations}`, 1],
  ['of an ignored amount', contract, '/broadcast/delegation', `${network} ${toPayments}`, 1],
  ['of an ignored amount of 0', ofNothing, '/broadcast/delegation', `${network} ${toPayments}`, 1],
])('a wrong signature %s is refused with what may be wrong', async (_what, body, path, error, submissions) => {
  const answer = await answerTo(body, path, { rightField: 'another' })
  expect({ ...answer, submitted: answer.submitted.length }).toEqual({ status: 400, error, submitted: submissions })
})
