import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { decodeBase58Check } from '../../../shared/mapping/base58check.ts'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import { blockFromIndexer, indexerBlock, vrfOutputFromBase64 } from '../../../shared/mapping/indexer-block.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import {
  berkeleyGenesis,
  indexerBlockWire,
  indexerPayment,
  indexerZkapps,
  mainnetGenesis,
} from '../indexer/indexer-wire.ts'
import { blockWire, includedDelegationWire, includedPaymentWire } from './node-wire.ts'

const read = (changes: object = {}) => indexerBlock.read({ ...indexerBlockWire, ...changes }, 'block')
const unknownFieldsOf = (block: ReturnType<typeof read>, epochLength: number | undefined) =>
  blockFromIndexer(block, epochLength).unknownFields
const shown = (changes: object = {}) => blockFromIndexer(read(changes), 9).block
const holding = (changes: object) => ({ transactions: { ...indexerBlockWire.transactions, ...changes } })
const listing = (...userCommands: readonly Readonly<Record<string, unknown>>[]) => ({
  ...holding({ userCommands }),
  block_num_zkapp_commands: userCommands.filter(({ kind }) => kind === 'ZKAPP').length,
})
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
  return blockFromNode(nodeBlock.read(wire, 'block'), true, Date.UTC(2021, 2, 17, 0, 3, 40, 591)).block
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

  test('has the same commands from the dialect with memos in base58check and amounts as text', () => {
    const { userCommands } = indexerBlockWire.transactions
    const memos: Readonly<Record<string, string>> = {
      '': 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH',
      'Payment Transfer': 'E4YtkEVgH96DuQEGtz2pJabq4hYRG3ocHrsGdJoAKZ2o8GH2gbmQL',
      'Test ZKApp to Receiver': 'E4Z6SU8DEmNRnD5vn9WFTVx8fjUtQAKxX8XFZaDg9prFcG8FZs1EG',
    }
    const inText = userCommands.map((command) => ({
      ...command,
      amount: String(command.amount),
      fee: String(command.fee),
      memo: memos[command.memo],
    }))
    expect(shown(listing(...inText))).toEqual(shown())
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
    const { blockchainState, consensusState } = blockFromIndexer(read(), undefined).block.protocolState
    expect(blockchainState).not.toHaveProperty('snarkedLedgerHash')
    expect(consensusState.stakingEpochData).not.toHaveProperty('epochLength')
    expect(unknownFieldsOf(read(listing()), undefined)).toEqual([snarkedLedgerHash, epochLength])
    expect(unknownFieldsOf(read(listing()), 3)).toEqual([snarkedLedgerHash])
  })

  test('do not include the snarked ledger before Berkeley', () => {
    const { snarkedLedgerHash } = indexerBlockWire.protocolState.blockchainState
    expect(shown(before).protocolState.blockchainState).toMatchObject({ snarkedLedgerHash })
    expect(unknownFieldsOf(read({ ...before, ...listing() }), 3)).toEqual([])
  })

  /** The fee transfers of a block whose indexer lists these: `coinbase 100` is one to the coinbase receiver. */
  const paid = (fees: string, changes: object = before) => {
    const { coinbaseReceiver } = indexerBlockWire
    const feeTransfer = fees.split(', ').map((entry) => {
      const [recipient = '', fee] = entry.replace('coinbase', coinbaseReceiver).split(' ')
      return { fee, recipient, type: recipient === 'via' ? 'Fee_transfer_via_coinbase' : 'Fee_transfer' }
    })
    const { transactions } = shown({ ...changes, ...holding({ feeTransfer }) })
    const listed = transactions.feeTransfer.map(({ fee, recipient }) => `${recipient} ${fee}`)
    return listed.join(', ').replace(coinbaseReceiver, 'coinbase')
  }

  test('before Berkeley include the fees of the coinbase receiver, which go out less those of all others', () => {
    expect(paid('coinbase 100, prover 30, via 500')).toBe('coinbase 70, prover 30, via 500')
    expect(paid('coinbase 30, prover 30')).toBe('prover 30')
    expect(paid('prover 0')).toBe('prover 0')
    expect(() => paid('coinbase 29, prover 30')).toThrow(wrong('unreadable'))
  })

  test('since Berkeley do not include fees', () => {
    expect(paid('coinbase 100, prover 30', {})).toBe('coinbase 100, prover 30')
  })
})

describe('a command from the indexer', () => {
  const command = (changes: object) => shown(listing({ ...indexerPayment, ...changes })).transactions.userCommands[0]

  test('that failed says so, and why; one that was applied has no reason', () => {
    expect(command({})).toMatchObject({ status: 'failed', failureReason: 'Source_insufficient_balance' })
    const applied = command({ isApplied: true, failureReason: null })
    expect([applied?.status, Object.hasOwn(Object(applied), 'failureReason')]).toEqual(['applied', false])
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
})

describe('the zkApp commands of an indexer’s block', () => {
  const creationFee = 'transactions.zkappCommands.balanceChanges.implicitAccountCreationFee'
  const missing = (changes: object) => unknownFieldsOf(read({ ...changes, ...before }), 3)
  const before = { genesisStateHash: mainnetGenesis }

  test('are those that a node has, in the same order', () => {
    const { zkappCommandCount, zkappCommands } = nodeTruth().transactions
    expect(zkappCommands).toHaveLength(2)
    expect(shown().transactions).toMatchObject({ zkappCommandCount, zkappCommands })
  })

  test('show neither which change pays for a new account, nor a sum beyond 64 bits, and the answer says so', () => {
    expect(missing({})).toEqual([creationFee])
    const huge = indexerZkapps.map((zkapp) => ({
      ...zkapp,
      zkapp: { accounts_updated: [{ balance_change: 2n ** 63n, public_key: 'B62', token: '1' }] },
    }))
    expect(missing(listing(...huge))).toEqual(['transactions.zkappCommands.balanceChanges', creationFee])
    const failed = indexerZkapps.map((zkapp) => ({ ...zkapp, isApplied: false, failureReason: 'Cancelled' }))
    expect(missing(listing(...failed))).toEqual([])
  })

  test('are counted, and named as missing, if the indexer does not list them', () => {
    const unlisted = { ...listing(indexerPayment), block_num_zkapp_commands: 2 }
    expect(shown(unlisted).transactions).toMatchObject({ userCommands: [{}], zkappCommandCount: 2 })
    expect(shown(unlisted).transactions).not.toHaveProperty('zkappCommands')
    expect(missing(unlisted)).toEqual(['transactions.zkappCommands'])
    expect(missing(listing())).toEqual([])
  })
})

describe('a command that the indexer lists twice in a block', () => {
  const commands = [indexerPayment, ...indexerZkapps]
  const twins = commands.map((command) => ({ ...command, hash: '5JuAnother' }))

  test('is shown and counted once under two hashes', () => {
    expect(shown(listing(...commands, ...twins))).toEqual(shown(listing(...commands)))
  })

  test('is a fault of the indexer if the two differ in more', () => {
    for (const twin of twins) {
      expect(() => shown(listing(...commands, { ...twin, memo: 'another' }))).toThrow(wrong('busy'))
    }
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
