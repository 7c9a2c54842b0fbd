import { describe, expect, test } from '@jest/globals'
import { blockFromIndexer, indexerBlock, vrfOutputFromBase64 } from '../../../shared/indexer/indexer-block.ts'
import { decodeBase58Check } from '../../../shared/mapping/base58check.ts'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { blockWire, includedDelegationWire, includedPaymentWire } from '../mapping/node-wire.ts'
import { berkeleyGenesis, indexerBlockWire, indexerPayment, mainnetGenesis } from './indexer-wire.ts'

const emptyMemo = 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH'
const paymentTransferMemo = 'E4YtkEVgH96DuQEGtz2pJabq4hYRG3ocHrsGdJoAKZ2o8GH2gbmQL'
const read = (wire: object) => indexerBlock.read(wire, 'block')
const bytes = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

/** The node's word on the same block, less what the indexer does not know. */
function nodeTruth() {
  const wire = {
    ...blockWire,
    protocolState: {
      ...blockWire.protocolState,
      consensusState: {
        ...blockWire.protocolState.consensusState,
        lastVrfOutput: vrfOutputFromBase64(bytes, berkeleyGenesis),
      },
    },
    transactions: {
      ...blockWire.transactions,
      feeTransfer: blockWire.transactions.feeTransfer.slice(1),
      userCommands: [
        { ...includedDelegationWire, memo: paymentTransferMemo },
        { ...includedPaymentWire, memo: emptyMemo },
      ],
    },
  }
  const block = JSON.parse(
    JSON.stringify(
      blockFromNode(nodeBlock.read(wire, 'block'), true, Date.UTC(2021, 2, 17, 0, 3, 40, 591)),
      (key, value) => (['id', 'workIds'].includes(key) ? undefined : typeof value === 'bigint' ? `${value}` : value),
    ),
  )
  return block
}

describe('a block from the indexer', () => {
  test('is what the node would say of it, less work ids and command ids, plus the time it was received', () => {
    const block = blockFromIndexer(read(indexerBlockWire))
    expect(
      JSON.parse(JSON.stringify(block, (_key, value) => (typeof value === 'bigint' ? `${value}` : value))),
    ).toEqual(nodeTruth())
    expect(nodeTruth().receivedTime).toBe('2021-03-17T00:03:40.591Z')
  })

  test('keeps its own canonical, and its epoch is the epoch count', () => {
    const consensusState = { ...indexerBlockWire.protocolState.consensusState, epoch: 9 }
    const protocolState = { ...indexerBlockWire.protocolState, consensusState }
    expect(blockFromIndexer(read({ ...indexerBlockWire, canonical: false, protocolState }))).toMatchObject({
      canonical: false,
      protocolState: { consensusState: { epoch: 9, epochCount: 9 } },
    })
  })

  test.each([
    ['a hash that is none', { stateHash: '3N' }],
    ['a time that is none', { receivedTime: 'yesterday' }],
    [
      'a memo that is none',
      {
        transactions: {
          ...indexerBlockWire.transactions,
          userCommands: [{ ...indexerBlockWire.transactions.userCommands[0], memo: 'x'.repeat(33) }],
        },
      },
    ],
    [
      'a payment to nobody',
      {
        transactions: {
          ...indexerBlockWire.transactions,
          userCommands: [{ ...indexerBlockWire.transactions.userCommands[0], to: null, receiver_account: null }],
        },
      },
    ],
  ])('with %s is nonsense', (_what, changes) => {
    expect(() => blockFromIndexer(read({ ...indexerBlockWire, ...changes }))).toThrow(WireError)
  })
})

describe('a command from the indexer', () => {
  const listed = (changes: object) => {
    const userCommands = [{ ...indexerPayment, ...changes }]
    return read({ ...indexerBlockWire, transactions: { ...indexerBlockWire.transactions, userCommands } })
  }
  const shown = (changes: object) => blockFromIndexer(listed(changes)).transactions.userCommands[0]

  test('that failed says why, and one that was applied has no such key', () => {
    expect(shown({})).toHaveProperty('failureReason', 'Source_insufficient_balance')
    expect(shown({ isApplied: true, failureReason: null })).not.toHaveProperty('failureReason')
  })

  test.each([
    { isApplied: true, failureReason: 'Source_insufficient_balance' },
    { isApplied: false, failureReason: null },
  ])('that contradicts itself by %j is a mismatch', (contradiction) => {
    expect(() => listed(contradiction)).toThrow(expect.objectContaining({ name: 'WireError', fault: 'mismatched' }))
  })

  test.each([{ isApplied: null }, { isApplied: 'false' }, { failureReason: '' }, { failureReason: undefined }])(
    'with %j cannot be read',
    (wrong) => {
      expect(() => listed(wrong)).toThrow(expect.objectContaining({ name: 'WireError', fault: 'unreadable' }))
    },
  )
})

describe('zkApp commands from the indexer', () => {
  test('are counted and not listed, whatever else they say', () => {
    const zkapps = [
      { kind: 'ZKAPP' },
      {
        ...indexerPayment,
        kind: 'ZKAPP',
        amount: null,
        fee: -1,
        hash: '',
        memo: null,
        nonce: 2.5,
        sender: '',
        to: 'B62',
      },
      { ...indexerPayment, kind: 'ZKAPP', isApplied: true },
    ]
    const userCommands = [zkapps[0], indexerPayment, ...zkapps.slice(1)]
    const { transactions } = indexerBlockWire
    const block = blockFromIndexer(read({ ...indexerBlockWire, transactions: { ...transactions, userCommands } }))
    expect(block.transactions.userCommands.map(({ hash }) => hash)).toEqual([indexerPayment.hash])
    expect(block.transactions.zkappCommandCount).toBe(3)
  })
})

describe('the VRF output', () => {
  test.each([
    [mainnetGenesis, 'EiRsEXD7TgrSKW6tzQhpyn8YMLbDaaXtE9nV31nkszSF3WZN8qQ8j'],
    [berkeleyGenesis, '48GhAWUbUiiqHs2gGvGvHf3nwr5A61a1ZXgFXWgTzSsBeirxA8JL'],
  ])('of a block of chain %s comes out as its nodes write it', (genesis, output) => {
    const base64 = Buffer.from((decodeBase58Check(output) ?? []).slice(-32)).toString('base64')
    expect(vrfOutputFromBase64(base64, genesis)).toBe(output)
  })

  test('may come unpadded or in the URL alphabet', () => {
    const padded = vrfOutputFromBase64(`${'+/'.repeat(21)}8=`, berkeleyGenesis)
    expect(vrfOutputFromBase64(`${'-_'.repeat(21)}8`, berkeleyGenesis)).toBe(padded)
  })

  test.each(['', 'AAEC', 'not base64!', `${bytes}AAAA`])('%j is none', (text) => {
    expect(() => vrfOutputFromBase64(text, berkeleyGenesis)).toThrow(WireError)
  })
})
