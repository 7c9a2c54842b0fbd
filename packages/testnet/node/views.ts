// The chain's accounts, commands and blocks in the daemon's GraphQL shapes: integers as text, amounts in nanomina.
import { stateHashField } from '../../../shared/mapping/base58check.ts'
import type { ChainBlock, EpochData } from '../block.ts'
import type { Chain } from '../chain.ts'
import type { Command } from '../command.ts'
import { encodeMemo, neverExpires } from '../command.ts'
import { receiptChainHash, zeroStateHash } from '../hashes.ts'
import { liquidBalance, minimumBalance } from '../ledger/ledger.ts'
import { type AccountUpdate, type IncludedZkappCommand, minaToken, type ZkappCommand } from '../zkapp-command.ts'

/** Text of an optional integer. */
const digits = (value: bigint | number | undefined): string | null => (value === undefined ? null : String(value))

/** The hash of no actions at all, with which each of a zkApp's last five action states begins. */
const noActions = '25079927036070901246064867767436987657692091363973573142121686150614948079097'

/** The permissions of a new account, or those that o1js gives a zkApp: then a proof changes its state and spends from it. */
const permissionsView = (isZkapp: boolean) => {
  const byCode = isZkapp ? 'Proof' : 'Signature'
  return {
    ...{ editState: byCode, send: byCode, editActionState: byCode, receive: 'None', access: 'None' },
    ...{ setDelegate: 'Signature', setPermissions: 'Signature', setZkappUri: 'Signature', setTokenSymbol: 'Signature' },
    ...{ incrementNonce: 'Signature', setVotingFor: 'Signature', setTiming: 'Signature' },
    setVerificationKey: { auth: 'Signature', txnVersion: '3' },
  }
}

/**
 * An account in the best tip's ledger. An account that does not exist yet, such as the receiver of a queued payment,
 * has its key and empty values.
 *
 * @param isRoot true if the query asks for the account itself; only then does the balance name the block it was read at
 */
export function accountView(chain: Chain, publicKey: string, isRoot = false) {
  const account = chain.bootstrapping ? undefined : chain.account(publicKey)
  const tip = chain.tip()
  const timing = account?.timing ?? undefined
  const nested = (key: string | undefined) => () => (key === undefined ? null : accountView(chain, key))
  return {
    publicKey,
    tokenId: minaToken,
    token: minaToken,
    timing: {
      initialMinimumBalance: digits(timing?.initialMinimumBalance),
      cliffTime: digits(timing?.cliffTime),
      cliffAmount: digits(timing?.cliffAmount),
      vestingPeriod: digits(timing?.vestingPeriod),
      vestingIncrement: digits(timing?.vestingIncrement),
    },
    balance: {
      total: String(account?.balance ?? 0n),
      unknown: String(account?.balance ?? 0n),
      liquid: account && String(liquidBalance(account, tip.slot)),
      locked: account && String(minimumBalance(account, tip.slot)),
      blockHeight: isRoot ? String(tip.height) : '0',
      stateHash: isRoot ? tip.stateHash : null,
    },
    nonce: digits(account?.nonce),
    inferredNonce: account && String(chain.inferredNonce(account)),
    // A real daemon returns the account itself here, not its delegate.
    epochDelegateAccount: nested(account?.publicKey),
    receiptChainHash: account?.receiptChainHash,
    delegate: account?.delegate,
    delegateAccount: nested(account?.delegate),
    // A daemon fills these for its own block production keys only; this one has none.
    delegators: [],
    lastEpochDelegators: [],
    votingFor: account?.votingFor,
    stakingActive: false,
    privateKeyPath: '',
    locked: null,
    index: () => (account ? [...chain.ledger().keys()].indexOf(publicKey) : null),
    tokenSymbol: account && '',
    zkappUri: account?.zkapp?.uri,
    zkappState: account?.zkapp?.elements.map(String),
    provedState: account?.zkapp?.isProved,
    permissions: account && permissionsView(account.zkapp !== null),
    actionState: account?.zkapp && Array.from({ length: 5 }, () => noActions),
    verificationKey: account?.zkapp && {
      verificationKey: account.zkapp.verificationKey,
      hash: String(account.zkapp.verificationKeyHash),
    },
  }
}

/** The accounts of a key: that of MINA first, then those of other tokens, which have a balance and nothing else. */
export function accountViews(chain: Chain, publicKey: string) {
  const account = chain.bootstrapping ? undefined : chain.account(publicKey)
  if (account === undefined) return []
  const mina = accountView(chain, publicKey, true)
  const others = [...account.tokens].map(([tokenId, balance]) => ({
    ...mina,
    ...{ tokenId, token: tokenId, nonce: '0', inferredNonce: '0', delegate: null, delegateAccount: null },
    balance: {
      ...mina.balance,
      total: String(balance),
      unknown: String(balance),
      liquid: String(balance),
      locked: '0',
    },
    timing: {
      initialMinimumBalance: null,
      cliffTime: null,
      cliffAmount: null,
      vestingPeriod: null,
      vestingIncrement: null,
    },
    ...{ receiptChainHash: receiptChainHash(''), votingFor: zeroStateHash, index: null },
  }))
  return [mina, ...others]
}

/** The fields of a command that need neither the ledger nor an encoding. */
export const commandTexts = ({ hash, kind, nonce, validUntil, amount, fee, from, to }: Command) => ({
  hash,
  kind,
  nonce,
  validUntil: String(validUntil),
  token: minaToken,
  amount: String(amount),
  feeToken: minaToken,
  fee: String(fee),
  isDelegation: kind === 'STAKE_DELEGATION',
  from,
  to,
})

/** Nodes print it in every answer that lists the command. */
const shownMemos = new WeakMap<object, string>()

function shownMemo(command: Pick<Command, 'memo'>): string {
  const shown = shownMemos.get(command) ?? encodeMemo(command.memo)
  shownMemos.set(command, shown)
  return shown
}

/** @param failureReason null for a command that is queued or was applied */
export function commandView(chain: Chain, command: Command, failureReason: string | null = null) {
  const texts = commandTexts(command)
  const sender = () => accountView(chain, command.from)
  const receiver = () => accountView(chain, command.to)
  return {
    ...texts,
    __typename: texts.isDelegation ? 'UserCommandDelegation' : 'UserCommandPayment',
    id: () => command.id,
    source: sender,
    receiver,
    feePayer: sender,
    memo: () => shownMemo(command),
    fromAccount: sender,
    toAccount: receiver,
    failureReason,
    delegator: sender,
    delegatee: receiver,
  }
}

const accountUpdateView = ({ publicKey, tokenId, balanceChange, implicitAccountCreationFee }: AccountUpdate) => ({
  body: {
    publicKey,
    tokenId,
    balanceChange: {
      magnitude: String(balanceChange < 0n ? -balanceChange : balanceChange),
      sgn: balanceChange < 0n ? 'Negative' : 'Positive',
    },
    incrementNonce: false,
    implicitAccountCreationFee,
  },
})

/** @param failures null for a command that is queued or was applied */
export function zkappView(command: ZkappCommand, failures: IncludedZkappCommand['failures'] = null) {
  const { hash, from, fee, nonce, validUntil, updates } = command
  return {
    // A daemon's id is the serialised command, in base64.
    id: () => Buffer.from(JSON.stringify([hash, from, String(fee), nonce, validUntil])).toString('base64'),
    hash,
    zkappCommand: {
      feePayer: {
        body: {
          publicKey: from,
          fee: String(fee),
          validUntil: validUntil === neverExpires ? null : String(validUntil),
          nonce: String(nonce),
        },
      },
      accountUpdates: () => updates.map(accountUpdateView),
      memo: () => shownMemo(command),
    },
    failureReason: failures,
  }
}

const epochView = ({ ledgerHash, totalCurrency, seed, startCheckpoint, lockCheckpoint, epochLength }: EpochData) => ({
  ledger: { hash: ledgerHash, totalCurrency: String(totalCurrency) },
  seed,
  startCheckpoint,
  lockCheckpoint,
  epochLength: String(epochLength),
})

const consensusStateView = (block: ChainBlock, slotInEpoch: number) => ({
  blockchainLength: String(block.height),
  blockHeight: String(block.height),
  epochCount: String(block.epochCount),
  minWindowDensity: String(block.minWindowDensity),
  lastVrfOutput: block.vrfOutput,
  totalCurrency: String(block.totalCurrency),
  stakingEpochData: epochView(block.stakingEpoch),
  nextEpochData: epochView(block.nextEpoch),
  hasAncestorInSameCheckpointWindow: block.hasAncestorInSameCheckpointWindow,
  slot: String(slotInEpoch),
  slotSinceGenesis: String(block.slot),
  epoch: String(block.epoch),
  superchargedCoinbase: false,
  blockStakeWinner: block.winner,
  blockCreator: block.creator,
  coinbaseReceiever: block.coinbaseReceiver,
})

export function blockView(chain: Chain, block: ChainBlock) {
  const account = (publicKey: string) => () => accountView(chain, publicKey)
  const { coinbaseReceiverAccount } = block
  return {
    creator: block.creator,
    creatorAccount: account(block.creator),
    winnerAccount: account(block.winner),
    stateHash: block.stateHash,
    stateHashField: () => stateHashField(block.stateHash),
    protocolState: {
      previousStateHash: block.previousStateHash,
      blockchainState: {
        date: String(block.date),
        utcDate: String(block.date),
        snarkedLedgerHash: block.snarkedLedgerHash,
        stagedLedgerHash: block.stagedLedgerHash,
        stagedLedgerProofEmitted: null,
      },
      consensusState: consensusStateView(block, (block.slot - chain.genesisBlock().slot) % chain.slotsPerEpoch),
    },
    transactions: {
      // A daemon's list is built from the front, so the command that was applied last comes first.
      userCommands: block.userCommands
        .toReversed()
        .map(({ command, failureReason }) => commandView(chain, command, failureReason)),
      zkappCommands: block.zkappCommands.toReversed().map((command) => zkappView(command, command.failures)),
      feeTransfer: block.feeTransfers.map(({ recipient, fee, type }) => ({ recipient, fee: String(fee), type })),
      coinbase: String(block.coinbase),
      coinbaseReceiverAccount: coinbaseReceiverAccount === null ? null : account(coinbaseReceiverAccount),
    },
    commandTransactionCount: block.userCommands.length + block.zkappCommands.length,
    snarkJobs: block.snarkJobs.map(({ prover, fee, workIds }) => ({ prover, fee: String(fee), workIds })),
  }
}
