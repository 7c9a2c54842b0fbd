import { describe, expect, test } from '@jest/globals'
import { nodeWords } from '../../../shared/mapping/node-words.ts'

const sent = "Couldn't send user command: "
const shown = `${sent}Error creating user command: {"payload":{"common":{"fee":"0.0101"}},"signer":"B62"} Error: `

describe("the node's words", () => {
  test.each([
    ['Could not obtain best chain from transition frontier', 'bootstrapping'],
    ['Could not obtain transition frontier', 'bootstrapping'],
    ['Daemon is bootstrapping', 'bootstrapping'],
    ['Block with state hash 3NKeMon not found in transition frontier', 'block-not-found'],
    ['Could not find block with hash: `3NKeMon` in transition frontier', 'block-not-found'],
    [`${shown}Input nonce 9 either different from inferred nonce 918 or below minimum_nonce 918`, 'refused'],
    [`${shown}Invalid_signature`, 'refused'],
    [
      "Couldn't infer nonce for transaction from specified `sender` since `sender` is not in the ledger or sent a transaction in transaction pool.",
      'refused',
    ],
    [
      `${shown}Couldn't infer nonce for transaction from specified \`sender\` since \`sender\` is not in the ledger or sent a transaction in transaction pool.`,
      'refused',
    ],
    [`${sent}["Insufficient_funds"]`, 'refused'],
    [`${sent}["Insufficient_replace_fee"]`, 'refused'],
    [`${sent}["Expired"]`, 'refused'],
    [`${sent}["Overloaded"]`, 'refused'],
    [`${sent}["Duplicate"]`, 'refused'],
    [`${sent}["After_slot_tx_end"]`, 'refused'],
    ['Invalid user command. Fee 0.0001 is less than the minimum fee, 0.001.', 'refused'],
    ['Invalid `memo` provided.', 'refused'],
    ['Argument `input` of type `SendPaymentInput!` expected on field `sendPayment`, found {from: "B62"}.', 'refused'],
  ])('%s', (message, meaning) => {
    expect(nodeWords(message)).toBe(meaning)
  })

  test.each([
    '',
    'Insufficient_funds',
    `${sent}["Something_new"]`,
    `${sent}["Insufficient_funds"] at http://10.0.0.1:3085`,
    'Internal error: Raised at file src/lib/mina_lib/mina_lib.ml, line 42',
    'Internal error near: Invalid_signature',
    'Could not obtain transition frontier from http://10.0.0.1',
    "Field 'x' is not defined on type 'Y'",
  ])('nobody foresaw %j', (message) => {
    expect(nodeWords(message)).toBeUndefined()
  })
})
