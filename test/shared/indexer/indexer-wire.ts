// What an indexer sends, for tests of everything that reads it.
import { alice, bob, parentHash, stateHash } from '../mapping/node-wire.ts'

export const mainnetGenesis = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
export const berkeleyGenesis = '3NK4BpDSekaqsG6tx8Nse2zJchRft2JpnbvMiog55WCr5xJZaKeP'

const epochData = (hash: string) => ({
  epochLength: 3,
  ledger: { hash, totalCurrency: 805385692840039233n },
  lockCheckpoint: parentHash,
  seed: '2va9BGv9JrLTtrzZttiEMDYw1Zj6a6EHzXjmP9evHDTG3oEquURA',
  startCheckpoint: parentHash,
})

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
}

export const indexerBlockWire = {
  canonical: true,
  coinbaseReceiver: alice,
  creator: alice,
  genesisStateHash: berkeleyGenesis,
  protocolState: {
    blockchainState: {
      date: '1615939380000',
      snarkedLedgerHash: 'jx7buQVWFLsXTtzRgSxbYcT8EYLS8KCZbLrfDcJxMtyy4thw2Ee',
      stagedLedgerHash: 'jwCtBkoHByTR65wDXSWXFJBQQ59trDsH3NfCh4czw7ur8ZtjkiV',
      utcDate: '1615939380000',
    },
    consensusState: {
      blockHeight: 2,
      blockchainLength: 2,
      epoch: 0,
      hasAncestorInSameCheckpointWindow: true,
      lastVrfOutput: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
      minWindowDensity: 77,
      nextEpochData: epochData('jx-next'),
      slot: 1,
      slotSinceGenesis: 1,
      stakingEpochData: epochData('jx-staking'),
      totalCurrency: 1166062074840039233n,
    },
    previousStateHash: parentHash,
  },
  receivedTime: '2021-03-17T00:03:40.591Z',
  snarkJobs: [{ fee: 250000000, prover: bob }],
  stateHash,
  transactions: {
    coinbase: '720000000000',
    feeTransfer: [{ fee: '120000000', recipient: bob }],
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
      { ...indexerPayment, kind: 'ZKAPP', to: null, receiver_account: null },
    ],
  },
  winner: bob,
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

/** A ledger in which alice and bob delegate to alice. */
export const stakesWire = (ledgerHash: string) => ({
  any: [{ ledgerHash }],
  own: [
    {
      ...stakesRow(alice, 5, alice, ledgerHash),
      delegationTotals: { totalDelegatedNanomina: 83482371134848365n },
    },
  ],
  delegators: [stakesRow(alice, 5, alice, ledgerHash), stakesRow(bob, 83482371134848360n, alice, ledgerHash)],
})
