// A block as the indexer reports it, brought to the form that the contract and a node give it.
import type { Block } from '../contract/block.ts'
import type { UserCommand } from '../contract/user-command.ts'
import { encodeBase58Check, stateHashField } from '../mapping/base58check.ts'
import type { EnclosingBlock } from '../mapping/command.ts'
import { type Exact, memberOf } from '../mapping/json.ts'
import { memoFromText } from '../mapping/memo.ts'
import { blockchainState, consensusFields, protocolStateBody } from '../mapping/protocol-state.ts'
import { isoTime, jsonInteger } from '../mapping/units.ts'
import { WireError } from '../upstream/errors.ts'
import {
  anyText,
  consistent,
  count,
  flag,
  hash,
  isoInstant,
  listOf,
  nanomina,
  nullable,
  shape,
  text,
  type Wire,
  type WireType,
} from '../upstream/wire.ts'

/** Its receiver comes under two names, and whether it failed in two fields. */
const indexerCommand = consistent(
  shape({
    amount: nanomina,
    failureReason: nullable(text),
    fee: nanomina,
    hash,
    isApplied: flag,
    kind: text,
    memo: anyText,
    nonce: count,
    receiver_account: nullable(shape({ publicKey: text })),
    sender: text,
    to: nullable(text),
  }),
  ({ failureReason, isApplied, receiver_account, to }) =>
    isApplied === (failureReason === null) &&
    (receiver_account === null || to === null || receiver_account.publicKey === to),
)

type IndexerCommand = Wire<typeof indexerCommand>

/** The indexer lists zkApp commands among the others. They are only counted, so nothing else of them is read. */
const listedCommand: WireType<IndexerCommand | 'zkApp'> = {
  selection: indexerCommand.selection,
  read: (value, path, asked) =>
    memberOf(value, 'kind') === 'ZKAPP' ? 'zkApp' : indexerCommand.read(value, path, asked),
}

export const indexerBlock = shape({
  canonical: flag,
  coinbaseReceiver: text,
  creator: text,
  genesisStateHash: text,
  protocolState: shape({
    blockchainState,
    // The indexer has no epoch count: what it calls the epoch is the count.
    consensusState: shape(consensusFields),
    previousStateHash: text,
  }),
  receivedTime: isoInstant,
  snarkJobs: listOf(shape({ fee: nanomina, prover: text })),
  stateHash: text,
  transactions: shape({
    coinbase: nanomina,
    feeTransfer: listOf(shape({ fee: nanomina, recipient: text })),
    userCommands: listOf(listedCommand),
  }),
  winner: text,
})

export type IndexerBlock = Wire<typeof indexerBlock>

/** Chains before the Berkeley fork. Their VRF outputs carry one byte more. */
const chainsBeforeBerkeley: ReadonlySet<string> = new Set(['3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'])

const vrfOutputLength = 32

/**
 * The VRF output in a node's form: base58check, version 0x15, then 0x20 and the 32 bytes, before Berkeley 0x01 first.
 *
 * @param base64 the indexer's form of the 32 bytes
 * @throws WireError for other text
 */
export function vrfOutputFromBase64(base64: string, genesisStateHash: string): string {
  // Padding and the two alphabets differ between versions.
  const digits = base64.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  const isBase64 = /^[A-Za-z0-9+/]{43}$/.test(digits)
  const bytes = isBase64 ? Array.from(atob(digits), (character) => character.charCodeAt(0)) : []
  if (bytes.length !== vrfOutputLength) throw new WireError('unreadable', 'lastVrfOutput: not 32 bytes in base64')
  const header = chainsBeforeBerkeley.has(genesisStateHash) ? [0x15, 0x01] : [0x15]
  return encodeBase58Check(Uint8Array.from([...header, vrfOutputLength, ...bytes]))
}

/** A command has no token but MINA's and, from the indexer, no id: its key is absent. */
function userCommandFromIndexer(command: IndexerCommand, block: EnclosingBlock): Exact<UserCommand> {
  const receiver = command.receiver_account?.publicKey ?? command.to
  if (receiver === null) throw new WireError('unreadable', `command ${command.hash}: no receiver`)
  return {
    ...block,
    amount: jsonInteger(command.amount),
    fee: jsonInteger(command.fee),
    feePayer: { publicKey: command.sender, token: 1 },
    feeToken: 1,
    from: command.sender,
    fromAccount: { publicKey: command.sender, token: 1 },
    hash: command.hash,
    isDelegation: command.kind === 'STAKE_DELEGATION',
    kind: command.kind,
    memo: memoFromText(command.memo),
    nonce: command.nonce,
    receiver: { publicKey: receiver },
    source: { publicKey: command.sender },
    to: receiver,
    toAccount: { publicKey: receiver, token: 1 },
    token: 1,
    ...(command.failureReason !== null && { failureReason: command.failureReason }),
  }
}

/**
 * A block of the contract from the indexer alone. SNARK jobs carry no work ids, commands no id; zkApp commands are
 * counted and left out, as a node's list of user commands leaves them out.
 *
 * @returns amounts in nanomina, times in ISO-8601 and milliseconds
 * @throws WireError for a hash, date, memo or VRF output that cannot be
 */
export function blockFromIndexer(block: IndexerBlock): Exact<Block> {
  const { genesisStateHash, protocolState, stateHash, transactions } = block
  const { consensusState } = protocolState
  const field = stateHashField(stateHash)
  if (field === undefined) throw new WireError('unreadable', 'stateHash: no state hash')
  const dateTime = isoTime(protocolState.blockchainState.date)
  const userCommands = transactions.userCommands.filter((command) => command !== 'zkApp')
  const enclosing = { blockHeight: consensusState.blockHeight, blockStateHash: stateHash, dateTime }
  return {
    blockHeight: consensusState.blockHeight,
    canonical: block.canonical,
    creator: block.creator,
    creatorAccount: { publicKey: block.creator },
    dateTime,
    protocolState: protocolStateBody({
      ...protocolState,
      consensusState: {
        ...consensusState,
        epochCount: consensusState.epoch,
        lastVrfOutput: vrfOutputFromBase64(consensusState.lastVrfOutput, genesisStateHash),
      },
    }),
    receivedTime: isoTime(block.receivedTime),
    snarkJobs: block.snarkJobs.map(({ fee, prover }) => ({ ...enclosing, fee: jsonInteger(fee), prover })),
    stateHash,
    stateHashField: field,
    transactions: {
      coinbase: jsonInteger(transactions.coinbase),
      coinbaseReceiverAccount: { publicKey: block.coinbaseReceiver },
      feeTransfer: transactions.feeTransfer.map(({ fee, recipient }) => ({ fee: jsonInteger(fee), recipient })),
      userCommands: userCommands.map((command) => userCommandFromIndexer(command, enclosing)),
      zkappCommandCount: transactions.userCommands.length - userCommands.length,
    },
    winnerAccount: { publicKey: block.winner },
  }
}
