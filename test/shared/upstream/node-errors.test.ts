import { describe, expect, test } from '@jest/globals'
import { classifyNodeError, missingHeight } from '../../../shared/upstream/node-errors.ts'

const sent = "Couldn't send user command: "
const shown = `${sent}Error creating user command: {"payload":{"common":{"fee":"0.0101"}},"signer":"B62"} Error: `
const senderUnknown =
  "Couldn't infer nonce for transaction from specified `sender` since `sender` is not in the ledger or sent a transaction in transaction pool."

test('the height at which the best chain has no block is read from the messages of both nodes, and from no other text', () => {
  expect(
    [
      'Could not find block in transition frontier with height 7',
      'Could not find block with height: `7` in transition frontier',
      'Could not find block in transition frontier with height 7 or so',
      'Could not find block in transition frontier with height -7',
      'Block with state hash 7 not found in transition frontier',
    ].map(missingHeight),
  ).toEqual([7, 7, undefined, undefined, undefined])
})

describe('a message of a node', () => {
  test.each([
    ['Could not obtain best chain from transition frontier', { kind: 'bootstrapping' }],
    ['Could not obtain transition frontier', { kind: 'bootstrapping' }],
    ['Daemon is bootstrapping', { kind: 'bootstrapping' }],
    ['Block with state hash 3NKeMon not found in transition frontier', { kind: 'block-not-found' }],
    ['Could not find block with hash: `3NKeMon` in transition frontier', { kind: 'block-not-found' }],
  ])('%s tells of its frontier', (message, meaning) => {
    expect(classifyNodeError(message)).toEqual(meaning)
  })

  test.each([
    [`${shown}Invalid_signature`, 'invalid-signature'],
    [senderUnknown, 'sender-unknown'],
    [shown + senderUnknown, 'sender-unknown'],
    [`${sent}["Insufficient_funds"]`, 'insufficient-funds'],
    [`${sent}["Insufficient_replace_fee"]`, 'replace-fee-too-low'],
    [`${sent}["Invalid_nonce"]`, 'bad-nonce'],
    [`${sent}["Expired"]`, 'expired'],
    [`${sent}["Overloaded"]`, 'pool-overloaded'],
    [`${sent}["Duplicate"]`, 'duplicate'],
    [`${sent}["Fee_payer_account_not_found"]`, 'sender-unknown'],
    [`${sent}["Fee_payer_not_permitted_to_send"]`, 'sender-not-permitted'],
    [`${sent}["Overflow"]`, 'overflow'],
    [`${sent}["Bad_token"]`, 'bad-token'],
    [`${sent}["Unwanted_fee_token"]`, 'unwanted-fee-token'],
    [`${sent}["After_slot_tx_end"]`, 'network-paused'],
    ['Invalid user command. Fee 0.0001 is less than the minimum fee, 0.001.', 'fee-too-low'],
    ['Invalid `memo` provided.', 'memo-too-long'],
    ['Either field+scalar or rawSignature must by non-null', 'invalid-request'],
    [
      'Argument `input` of type `SendPaymentInput!` expected on field `sendPayment`, found {from: "B62"}.',
      'invalid-request',
    ],
    ['Transaction rejected: InsufficientFunds', 'insufficient-funds'],
    ['Transaction rejected: FeePayerAccountNotFound', 'sender-unknown'],
    ['Transaction rejected: AfterSlotTxEnd', 'network-paused'],
    ['Transaction rejected: BadToken', 'bad-token'],
    ['Transaction rejected: InvalidCurrencyConsumed', 'overflow'],
  ])('%s is a refusal: %s', (message, code) => {
    expect(classifyNodeError(message)).toEqual({ kind: 'refused', code })
  })

  test('about a nonce says which ones the node takes', () => {
    const words = `${shown}Input nonce 9 either different from inferred nonce 918 or below minimum_nonce 915`
    expect(classifyNodeError(words)).toEqual({
      kind: 'refused',
      code: 'bad-nonce',
      nonces: { ledger: 915n, inferred: 918n },
    })
  })

  test.each([
    '',
    'Insufficient_funds',
    `${sent}["Something_new"]`,
    `${sent}["constructor"]`,
    `${sent}["Insufficient_funds"] at http://10.0.0.1:3085`,
    'Transaction rejected: SomethingNew',
    'Internal error: Raised at file src/lib/mina_lib/mina_lib.ml, line 42',
    'Internal error near: Invalid_signature',
    'Could not obtain transition frontier from http://10.0.0.1',
    "Field 'x' is not defined on type 'Y'",
  ])('%j has no known meaning', (message) => {
    expect(classifyNodeError(message)).toBeUndefined()
  })
})
