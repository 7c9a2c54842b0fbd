import { describe, expect, test } from '@jest/globals'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import { includedCommand, userCommandFromNode } from '../../../shared/mapping/command.ts'
import { parseExactJson } from '../../../shared/mapping/exact-json.ts'
import { nodeZkappCommand, zkappCommandFromNode } from '../../../shared/mapping/zkapp-command.ts'
import { alice, blockWire, bob, includedDelegationWire, includedPaymentWire, stateHash } from './node-wire.ts'

const enclosing = { blockHeight: 2, blockStateHash: stateHash, dateTime: '2021-03-17T00:03:00.000Z' }

/** A node's digits as the numbers of the contract. */
const numbered = <Value>(value: Value): Value =>
  parseExactJson(JSON.stringify(value).replace(/"(\d+)"/g, '$1')) as Value

const protocolState = numbered(blockWire.protocolState)
const { coinbaseReceiever: _, ...consensusState } = protocolState.consensusState

const whole = {
  blockHeight: 2,
  canonical: true,
  creator: alice,
  creatorAccount: { publicKey: 'B62creatorAccount' },
  dateTime: '2021-03-17T00:03:00.000Z',
  protocolState: { ...protocolState, consensusState },
  snarkJobs: [{ ...enclosing, fee: 250000000, prover: 'B62prover', workIds: [{ workId: 11 }, { workId: 12 }] }],
  stateHash,
  stateHashField: '9884505309989150310604636992054488263310056292998048242928359357807664465744',
  transactions: {
    coinbase: 720000000000,
    coinbaseReceiverAccount: { publicKey: 'B62coinbase' },
    feeTransfer: [
      { fee: 120000001, recipient: alice },
      { fee: 120000000, recipient: bob },
    ],
    userCommands: [includedPaymentWire, includedDelegationWire].map((wire) =>
      userCommandFromNode(includedCommand.read(wire, 'command'), enclosing),
    ),
    zkappCommandCount: 2,
    zkappCommands: blockWire.transactions.zkappCommands
      .map((wire) => zkappCommandFromNode(nodeZkappCommand.read(wire, 'zkapp'), enclosing).command)
      .toReversed(),
  },
  winnerAccount: { publicKey: 'B62winner' },
}

describe('a block from the node', () => {
  test('has every field that a node knows, and its commands in the order of their application', () => {
    expect(blockFromNode(nodeBlock.read(blockWire, 'block'), true).block).toEqual(whole)
  })

  test('without a coinbase receiver account, as a genesis block is, names the receiver of the consensus state', () => {
    const genesis = {
      ...blockWire,
      snarkJobs: [],
      transactions: {
        coinbase: '0',
        coinbaseReceiverAccount: null,
        feeTransfer: [],
        userCommands: [],
        zkappCommands: [],
      },
    }
    expect(blockFromNode(nodeBlock.read(genesis, 'block'), true).block).toEqual({
      ...whole,
      snarkJobs: [],
      transactions: {
        coinbase: 0,
        coinbaseReceiverAccount: { publicKey: bob },
        feeTransfer: [],
        userCommands: [],
        zkappCommandCount: 0,
        zkappCommands: [],
      },
    })
  })
})
