import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import {
  blockFromIndexer,
  indexerBlock,
  unknownFieldsOf,
  vrfOutputFromBase64,
} from '../../../shared/indexer/indexer-block.ts'
import { decodeBase58Check } from '../../../shared/mapping/base58check.ts'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { blockWire, includedDelegationWire, includedPaymentWire } from '../mapping/node-wire.ts'
import { berkeleyGenesis, indexerBlockWire, indexerPayment, mainnetGenesis } from './indexer-wire.ts'

const emptyMemo = 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH'
const paymentTransferMemo = 'E4YtkEVgH96DuQEGtz2pJabq4hYRG3ocHrsGdJoAKZ2o8GH2gbmQL'
const read = (wire: object) => indexerBlock.read(wire, 'block')
const bytes = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

/** The bytes of base58check text, with the checksum behind the payload. */
function rawBase58(text: string): Buffer {
  const payload = decodeBase58Check(text) ?? new Uint8Array()
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
  return Buffer.concat([payload, digest(digest(payload)).subarray(0, 4)])
}

/** The node's answer for the same block, less what the indexer does not know. */
function nodeTruth() {
  const wire = {
    ...blockWire,
    creatorAccount: { publicKey: blockWire.creator },
    protocolState: {
      ...blockWire.protocolState,
      consensusState: {
        ...blockWire.protocolState.consensusState,
        epoch: '0',
        epochCount: '0',
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
      (key, value) =>
        ['id', 'workIds', 'snarkedLedgerHash'].includes(key)
          ? undefined
          : typeof value === 'bigint'
            ? `${value}`
            : value,
    ),
  )
  return block
}

describe('a block from the indexer', () => {
  test('equals the node’s, less work ids, command ids and the snarked ledger, plus the time it was received', () => {
    const block = blockFromIndexer(read(indexerBlockWire), 9)
    expect(
      JSON.parse(JSON.stringify(block, (_key, value) => (typeof value === 'bigint' ? `${value}` : value))),
    ).toEqual(nodeTruth())
    expect(nodeTruth().receivedTime).toBe('2021-03-17T00:03:40.591Z')
  })

  test('keeps its own canonical, and its epoch is the epoch count', () => {
    const consensusState = { ...indexerBlockWire.protocolState.consensusState, epoch: 9 }
    const protocolState = { ...indexerBlockWire.protocolState, consensusState }
    expect(blockFromIndexer(read({ ...indexerBlockWire, canonical: false, protocolState }), 3)).toMatchObject({
      canonical: false,
      protocolState: { consensusState: { epoch: 9, epochCount: 9 } },
    })
  })

  test.each([
    ['a malformed hash', { stateHash: '3N' }],
    ['a malformed time', { receivedTime: 'yesterday' }],
    [
      'an undecodable memo',
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
  ])('with %s is unreadable', (_what, changes) => {
    expect(() => blockFromIndexer(read({ ...indexerBlockWire, ...changes }), 3)).toThrow(WireError)
  })
})

describe('the fields of a block that the indexer has wrong', () => {
  const before = { ...indexerBlockWire, genesisStateHash: mainnetGenesis }
  const paid = (feeTransfer: readonly object[]) =>
    blockFromIndexer(read({ ...before, transactions: { ...before.transactions, feeTransfer } }), 3).transactions
      .feeTransfer
  const own = { recipient: before.coinbaseReceiver, type: 'Fee_transfer' }
  const prover = { recipient: 'B62prover', type: 'Fee_transfer' }
  const viaCoinbase = { recipient: 'B62other', type: 'Fee_transfer_via_coinbase' }

  test('are left out and named: the snarked ledger since Berkeley, and an unknown length of the staking epoch', () => {
    const shown = blockFromIndexer(read(indexerBlockWire), undefined).protocolState
    expect(shown.blockchainState).not.toHaveProperty('snarkedLedgerHash')
    expect(shown.consensusState.stakingEpochData).not.toHaveProperty('epochLength')
    expect(unknownFieldsOf(read(indexerBlockWire), undefined)).toEqual([
      'protocolState.blockchainState.snarkedLedgerHash',
      'protocolState.consensusState.stakingEpochData.epochLength',
    ])
    expect(unknownFieldsOf(read(indexerBlockWire), 3)).toEqual(['protocolState.blockchainState.snarkedLedgerHash'])
  })

  test('do not include the snarked ledger before Berkeley', () => {
    const { snarkedLedgerHash } = before.protocolState.blockchainState
    expect(blockFromIndexer(read(before), 3).protocolState.blockchainState).toMatchObject({ snarkedLedgerHash })
    expect(unknownFieldsOf(read(before), 3)).toEqual([])
  })

  test('before Berkeley include the coinbase receiver’s fees, which go out less those of all other receivers', () => {
    const entries = [
      { ...own, fee: '100' },
      { ...prover, fee: '30' },
      { ...viaCoinbase, fee: '500' },
    ]
    expect(paid(entries)).toEqual([
      { fee: 70, recipient: own.recipient },
      { fee: 30, recipient: 'B62prover' },
      { fee: 500, recipient: 'B62other' },
    ])
  })

  test('before Berkeley include an entry of the coinbase receiver that comes to nothing', () => {
    const provers = [
      { ...own, fee: '30' },
      { ...prover, fee: '30' },
    ]
    expect(paid(provers)).toEqual([{ fee: 30, recipient: 'B62prover' }])
    expect(paid([{ ...prover, fee: '0' }])).toEqual([{ fee: 0, recipient: 'B62prover' }])
    expect(() =>
      paid([
        { ...own, fee: '29' },
        { ...prover, fee: '30' },
      ]),
    ).toThrow(WireError)
  })

  test('since Berkeley do not include fee transfers', () => {
    const feeTransfer = [
      { ...own, fee: '100' },
      { ...prover, fee: '30' },
    ]
    const wire = { ...indexerBlockWire, transactions: { ...indexerBlockWire.transactions, feeTransfer } }
    expect(blockFromIndexer(read(wire), 3).transactions.feeTransfer.map(({ fee }) => fee)).toEqual([100, 30])
  })
})

describe('a command from the indexer', () => {
  const listed = (changes: object) => {
    const userCommands = [{ ...indexerPayment, ...changes }]
    return read({ ...indexerBlockWire, transactions: { ...indexerBlockWire.transactions, userCommands } })
  }
  const shown = (changes: object) => blockFromIndexer(listed(changes), 3).transactions.userCommands[0]

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
    const block = blockFromIndexer(read({ ...indexerBlockWire, transactions: { ...transactions, userCommands } }), 3)
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

  test('of the hard fork’s genesis block comes with version, length and checksum round its 32 bytes', () => {
    const output = '48GhAWUbUiiqHs2gGvGvHf3nwr5A61a1ZXgFXWgTzSsBeirxA8JL'
    const framed = Buffer.from(rawBase58(output))
    expect(framed).toHaveLength(38)
    expect(vrfOutputFromBase64(framed.toString('base64'), berkeleyGenesis)).toBe(output)
    framed.writeUInt8(framed.readUInt8(37) ^ 1, 37)
    expect(() => vrfOutputFromBase64(framed.toString('base64'), berkeleyGenesis)).toThrow(WireError)
  })

  test.each(['', 'AAEC', 'not base64!', `${bytes}AAAA`])('%j is unreadable', (text) => {
    expect(() => vrfOutputFromBase64(text, berkeleyGenesis)).toThrow(WireError)
  })
})
