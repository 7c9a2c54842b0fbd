// Answers of an indexer, for tests of everything that reads them.
import { alice, blockWire, bob, stateHash } from '../mapping/node-wire.ts'

export const mainnetGenesis = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
export const berkeleyGenesis = '3NK4BpDSekaqsG6tx8Nse2zJchRft2JpnbvMiog55WCr5xJZaKeP'

export const indexerPayment = {
  amount: 10000000000000001n,
  failureReason: 'Source_insufficient_balance',
  fee: 1000000,
  hash: '5JuV1y4fvY9RUnhDgfhFKDLzFzSD2ZEZYzCvoY7D3Vp2SWkBqBWz',
  isApplied: false,
  kind: 'PAYMENT',
  memo: '',
  nonce: 7,
  receiver_account: { publicKey: bob },
  sender: alice,
  to: bob,
  zkapp: null,
}

/** The zkApp commands of `blockWire` as an indexer has them: its receiver is the first account that is updated. */
export const indexerZkapps = blockWire.transactions.zkappCommands.toReversed().map(({ hash, zkappCommand }) => ({
  amount: 0,
  failureReason: null,
  fee: Number(zkappCommand.feePayer.body.fee),
  hash,
  isApplied: true,
  kind: 'ZKAPP',
  memo: 'Test ZKApp to Receiver',
  nonce: Number(zkappCommand.feePayer.body.nonce),
  receiver_account: { publicKey: alice },
  sender: alice,
  to: alice,
  zkapp: {
    accounts_updated: zkappCommand.accountUpdates.map(({ body: { balanceChange, publicKey, tokenId } }) => ({
      balance_change: Number(`${balanceChange.sgn === 'Negative' ? '-' : ''}${balanceChange.magnitude}`),
      public_key: publicKey,
      token: tokenId,
    })),
  },
}))

const { consensusState } = blockWire.protocolState

/** The block of `blockWire` as an indexer has it. */
export const indexerBlockWire = {
  block_num_zkapp_commands: 2,
  canonical: true,
  coinbaseReceiver: 'B62coinbase',
  creator: alice,
  genesisStateHash: berkeleyGenesis,
  protocolState: {
    ...blockWire.protocolState,
    consensusState: {
      ...consensusState,
      epoch: 0,
      lastVrfOutput: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
      nextEpochData: { ...consensusState.nextEpochData, epochLength: 8 },
      stakingEpochData: { ...consensusState.stakingEpochData, epochLength: 3 },
      totalCurrency: 1166062074840039233n,
    },
  },
  receivedTime: '2021-03-17T00:03:40.591Z',
  snarkJobs: [{ fee: 250000000, prover: 'B62prover' }],
  stateHash,
  transactions: {
    coinbase: '720000000000',
    feeTransfer: [{ fee: '120000000', recipient: bob, type: 'Fee_transfer' }],
    userCommands: [
      indexerPayment,
      {
        ...indexerPayment,
        kind: 'STAKE_DELEGATION',
        amount: 0,
        failureReason: null,
        isApplied: true,
        memo: 'Payment Transfer',
        nonce: 8,
      },
      ...indexerZkapps,
    ],
  },
  winner: 'B62winner',
}

export const indexedAccountWire = {
  pk_total_num_blocks: 5,
  pk_total_num_snarks: 6,
  pk_total_num_user_commands: 7,
  publicKey: alice,
  username: 'Alice',
}

export const stakesRow = (
  publicKey: string,
  balanceNanomina: bigint | number,
  delegate: string,
  ledgerHash: string,
) => ({
  balanceNanomina,
  delegate,
  epoch: 4,
  ledgerHash,
  nonce: 3,
  public_key: publicKey,
  receipt_chain_hash: '2n2K1aziimdYu5QCf8mU4gducZCB5u5s78sGnp56zT2tig4ugVHD',
  token: 1,
  voting_for: '3NK2tkzqqK5spR2sZ7tujjqPksL45M3UUrcA4WhCkeiPtnugyE2x',
})

/** A ledger in which alice and bob delegate to alice, as the three questions about alice show it, rows unsorted. */
export const stakesWire = (ledgerHash: string) => {
  const known = [{ epoch: 4, ledgerHash }]
  const own = {
    ...stakesRow(alice, 5, alice, ledgerHash),
    delegationTotals: { countDelegates: 2, totalDelegatedNanomina: 83482371134848365n },
  }
  return {
    stakingLedger: { known, first: [{ epoch: 4, ledgerHash }] },
    stakeOfKey: { known, own: [own] },
    delegatorsOfKey: {
      known,
      delegators: [stakesRow(alice, 5, alice, ledgerHash), stakesRow(bob, 83482371134848360n, alice, ledgerHash)],
    },
  }
}

/** A mina-indexer's answers about a ledger that it does not have: the rows of epoch 0 under the asked hash. */
export const strangeStakesWire = (ledgerHash: string) => {
  const { stakeOfKey, delegatorsOfKey } = stakesWire(ledgerHash)
  const ofEpoch0 = <Row>(row: Row) => ({ ...row, epoch: 0 })
  return {
    stakingLedger: { known: [], first: [{ epoch: 0, ledgerHash }] },
    stakeOfKey: { known: [], own: stakeOfKey.own.map(ofEpoch0) },
    delegatorsOfKey: { known: [], delegators: delegatorsOfKey.delegators.map(ofEpoch0) },
  }
}

/** Alice's staking fields from that ledger, as the service shows them. */
/** @param epoch that was asked for; the indexer's own is another one's */
export const stakingRecords = (chainId: string, epoch: number) => {
  const record = (publicKey: string, balance: string) => ({
    pk: publicKey,
    balance,
    delegate: alice,
    token: 1,
    receipt_chain_hash: '2n2K1aziimdYu5QCf8mU4gducZCB5u5s78sGnp56zT2tig4ugVHD',
    voting_for: '3NK2tkzqqK5spR2sZ7tujjqPksL45M3UUrcA4WhCkeiPtnugyE2x',
    nonce: 3,
    epoch,
    chainId,
    public_key: publicKey,
  })
  return {
    account: [record(alice, '0.000000005')],
    delegators: [record(bob, '83482371.134848360'), record(alice, '0.000000005')],
    count: 2,
    total: '83482371.134848365',
  }
}
