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

const read = (changes: object = {}) => indexerBlock.read({ ...indexerBlockWire, ...changes }, 'block')
const shown = (changes: object = {}) => blockFromIndexer(read(changes), 9)
const holding = (changes: object) => ({ transactions: { ...indexerBlockWire.transactions, ...changes } })
const listing = (...userCommands: readonly object[]) => holding({ userCommands })
const wrong = (fault: string) => expect.objectContaining({ name: 'WireError', fault })
const vrfBytes = indexerBlockWire.protocolState.consensusState.lastVrfOutput

/** The node's block, with what the indexer knows of it. */
function nodeTruth() {
  const { protocolState, transactions } = blockWire
  const wire = {
    ...blockWire,
    creatorAccount: { publicKey: blockWire.creator },
    protocolState: {
      ...protocolState,
      consensusState: {
        ...protocolState.consensusState,
        epoch: '0',
        epochCount: '0',
        lastVrfOutput: vrfOutputFromBase64(vrfBytes, berkeleyGenesis),
      },
    },
    transactions: {
      ...transactions,
      feeTransfer: transactions.feeTransfer.slice(1),
      userCommands: [
        { ...includedDelegationWire, memo: 'E4YtkEVgH96DuQEGtz2pJabq4hYRG3ocHrsGdJoAKZ2o8GH2gbmQL' },
        { ...includedPaymentWire, memo: 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH' },
      ],
    },
  }
  return blockFromNode(nodeBlock.read(wire, 'block'), true, Date.UTC(2021, 2, 17, 0, 3, 40, 591))
}

/** A body's JSON without the fields that an indexer does not know. */
const known = (body: object) => {
  const unknown = ['id', 'workIds', 'snarkedLedgerHash']
  return JSON.parse(
    JSON.stringify(body, (key, value) => {
      if (unknown.includes(key)) return undefined
      return typeof value === 'bigint' ? `${value}` : value
    }),
  )
}

describe('a block from the indexer', () => {
  test('equals the node’s, less work ids, command ids and the snarked ledger, plus the time it was received', () => {
    expect(known(shown())).toEqual(known(nodeTruth()))
    expect(shown().receivedTime).toBe('2021-03-17T00:03:40.591Z')
  })

  test('keeps its own canonical, and its epoch is the epoch count', () => {
    const consensusState = { ...indexerBlockWire.protocolState.consensusState, epoch: 9 }
    const protocolState = { ...indexerBlockWire.protocolState, consensusState }
    expect(shown({ canonical: false, protocolState })).toMatchObject({
      canonical: false,
      protocolState: { consensusState: { epoch: 9, epochCount: 9 } },
    })
  })

  test.each([
    ['a malformed hash', { stateHash: '3N' }],
    ['a malformed time', { receivedTime: 'yesterday' }],
    ['an undecodable memo', listing({ ...indexerPayment, memo: 'x'.repeat(33) })],
    ['a payment to nobody', listing({ ...indexerPayment, to: null, receiver_account: null })],
  ])('with %s is unreadable', (_what, changes) => {
    expect(() => shown(changes)).toThrow(wrong('unreadable'))
  })
})

describe('the fields of a block that the indexer has wrong', () => {
  const before = { genesisStateHash: mainnetGenesis }
  const snarkedLedgerHash = 'protocolState.blockchainState.snarkedLedgerHash'
  const epochLength = 'protocolState.consensusState.stakingEpochData.epochLength'

  test('are left out and named: the snarked ledger since Berkeley, and an unknown length of the staking epoch', () => {
    const { blockchainState, consensusState } = blockFromIndexer(read(), undefined).protocolState
    expect(blockchainState).not.toHaveProperty('snarkedLedgerHash')
    expect(consensusState.stakingEpochData).not.toHaveProperty('epochLength')
    expect(unknownFieldsOf(read(), undefined)).toEqual([snarkedLedgerHash, epochLength])
    expect(unknownFieldsOf(read(), 3)).toEqual([snarkedLedgerHash])
  })

  test('do not include the snarked ledger before Berkeley', () => {
    const { snarkedLedgerHash } = indexerBlockWire.protocolState.blockchainState
    expect(shown(before).protocolState.blockchainState).toMatchObject({ snarkedLedgerHash })
    expect(unknownFieldsOf(read(before), 3)).toEqual([])
  })

  type Fees = readonly (readonly [string, number])[]
  const own = indexerBlockWire.coinbaseReceiver
  const paid = (fees: Fees, changes: object = before) => {
    const feeTransfer = fees.map(([receiver, fee]) => ({
      fee: String(fee),
      recipient: receiver,
      type: receiver === 'B62via' ? 'Fee_transfer_via_coinbase' : 'Fee_transfer',
    }))
    return shown({ ...changes, ...holding({ feeTransfer }) }).transactions.feeTransfer.map((entry) =>
      Object.values(entry).toReversed(),
    )
  }

  test.each<[string, Fees, Fees]>([
    [
      'go out less those of all other receivers',
      [
        [own, 100],
        ['B62a', 30],
        ['B62via', 500],
      ],
      [
        [own, 70],
        ['B62a', 30],
        ['B62via', 500],
      ],
    ],
    [
      'are left out where they come to nothing',
      [
        [own, 30],
        ['B62a', 30],
      ],
      [['B62a', 30]],
    ],
    ['may be absent', [['B62a', 0]], [['B62a', 0]]],
  ])('include the fees of the coinbase receiver before Berkeley, which %s', (_what, fees, expected) => {
    expect(paid(fees)).toEqual(expected)
  })

  test('make a block of before Berkeley unreadable where more fees are paid out than came in', () => {
    expect(() =>
      paid([
        [own, 29],
        ['B62a', 30],
      ]),
    ).toThrow(wrong('unreadable'))
  })

  test('do not include fees since Berkeley', () => {
    expect(
      paid(
        [
          [own, 100],
          ['B62a', 30],
        ],
        {},
      ),
    ).toEqual([
      [own, 100],
      ['B62a', 30],
    ])
  })
})

describe('a command from the indexer', () => {
  const command = (changes: object) => shown(listing({ ...indexerPayment, ...changes })).transactions.userCommands[0]

  test('that failed says why, and one that was applied has no such key', () => {
    expect(command({})).toHaveProperty('failureReason', 'Source_insufficient_balance')
    expect(command({ isApplied: true, failureReason: null })).not.toHaveProperty('failureReason')
  })

  test.each([
    [{ isApplied: true }, 'mismatched'],
    [{ failureReason: null }, 'mismatched'],
    [{ to: 'B62other' }, 'mismatched'],
    [{ isApplied: 'false' }, 'unreadable'],
    [{ failureReason: '' }, 'unreadable'],
  ])('with %j is %s', (changes, fault) => {
    expect(() => command(changes)).toThrow(wrong(fault))
  })

  test('that is a zkApp’s is counted and not listed, whatever else it says', () => {
    const unreadable = { amount: null, fee: -1, hash: '', memo: null, nonce: 2.5, sender: '', to: 'B62' }
    const odd = { ...indexerPayment, ...unreadable, kind: 'ZKAPP' }
    expect(shown(listing({ kind: 'ZKAPP' }, indexerPayment, odd)).transactions).toMatchObject({
      userCommands: [{ hash: indexerPayment.hash }],
      zkappCommandCount: 2,
    })
  })
})

describe('the VRF output', () => {
  const output = '48GhAWUbUiiqHs2gGvGvHf3nwr5A61a1ZXgFXWgTzSsBeirxA8JL'

  test.each([
    [mainnetGenesis, 'EiRsEXD7TgrSKW6tzQhpyn8YMLbDaaXtE9nV31nkszSF3WZN8qQ8j'],
    [berkeleyGenesis, output],
  ])('of a block of chain %s comes out as its nodes write it', (genesis, written) => {
    const base64 = Buffer.from((decodeBase58Check(written) ?? []).slice(-32)).toString('base64')
    expect(vrfOutputFromBase64(base64, genesis)).toBe(written)
  })

  test('may come unpadded or in the URL alphabet', () => {
    const padded = vrfOutputFromBase64(`${'+/'.repeat(21)}8=`, berkeleyGenesis)
    expect(vrfOutputFromBase64(`${'-_'.repeat(21)}8`, berkeleyGenesis)).toBe(padded)
  })

  test('of the hard fork’s genesis block comes with version, length and checksum around its 32 bytes', () => {
    const payload = decodeBase58Check(output) ?? new Uint8Array()
    const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
    const framed = Buffer.concat([payload, digest(digest(payload)).subarray(0, 4)])
    expect(framed).toHaveLength(38)
    expect(vrfOutputFromBase64(framed.toString('base64'), berkeleyGenesis)).toBe(output)
    framed.writeUInt8(framed.readUInt8(37) ^ 1, 37)
    expect(() => vrfOutputFromBase64(framed.toString('base64'), berkeleyGenesis)).toThrow(WireError)
  })

  test.each(['', 'AAEC', 'not base64!', `${vrfBytes}AAAA`])('%j is unreadable', (text) => {
    expect(() => vrfOutputFromBase64(text, berkeleyGenesis)).toThrow(WireError)
  })
})
