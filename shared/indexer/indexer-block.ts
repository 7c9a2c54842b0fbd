// A block as the indexer reports it, brought to the form that the contract and a node give it.
import type { Block } from '../contract/block.ts'
import type { UserCommand } from '../contract/user-command.ts'
import { encodeBase58Check, payloadOfChecked, stateHashField } from '../mapping/base58check.ts'
import { blockchainState, consensusFields, protocolStateBody } from '../mapping/block.ts'
import type { EnclosingBlock } from '../mapping/command.ts'
import { memoFromText } from '../mapping/command.ts'
import { type Exact, memberOf } from '../mapping/json.ts'
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
    feeTransfer: listOf(shape({ fee: nanomina, recipient: text, type: text })),
    userCommands: listOf(listedCommand),
  }),
  winner: text,
})

export type IndexerBlock = Wire<typeof indexerBlock>

/** Mainnet's chain before the Berkeley fork. The indexer reads its block files by other rules. */
const isBeforeBerkeley = (genesisStateHash: string): boolean =>
  genesisStateHash === '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'

const vrfOutputVersion = 0x15
const vrfOutputLength = 32

function bytesFromBase64(base64: string): Uint8Array {
  // Padding and the two alphabets differ between versions.
  const digits = base64.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  const isBase64 = /^[A-Za-z0-9+/]{43,51}$/.test(digits) && digits.length % 4 !== 1
  return isBase64 ? Uint8Array.from(atob(digits), (character) => character.charCodeAt(0)) : new Uint8Array()
}

/** The 32 bytes, which the hard fork's genesis block has with version, length and checksum round them. */
function vrfOutputBytes(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length === vrfOutputLength) return bytes
  const payload = payloadOfChecked(bytes)
  const isFramed =
    payload?.length === 2 + vrfOutputLength && payload[0] === vrfOutputVersion && payload[1] === vrfOutputLength
  return isFramed ? payload.subarray(2) : undefined
}

/**
 * The VRF output in a node's form: base58check, version 0x15, then 0x20 and the 32 bytes, before Berkeley 0x01 first.
 *
 * @param base64 the indexer's form: the 32 bytes, or 38 with version and length before and a checksum behind
 * @throws WireError for other text
 */
export function vrfOutputFromBase64(base64: string, genesisStateHash: string): string {
  const output = vrfOutputBytes(bytesFromBase64(base64))
  if (output === undefined) throw new WireError('unreadable', 'lastVrfOutput: not 32 or 38 bytes in base64')
  const header = isBeforeBerkeley(genesisStateHash) ? [vrfOutputVersion, 0x01] : [vrfOutputVersion]
  return encodeBase58Check(Uint8Array.from([...header, vrfOutputLength, ...output]))
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
 * Fee transfers as a node has them. Before Berkeley the indexer's entry of the coinbase receiver is gross: the fees of all
 * other receivers are still in it.
 *
 * @throws WireError where they cannot be
 */
function feeTransfersOf({ coinbaseReceiver, genesisStateHash, transactions: { feeTransfer } }: IndexerBlock) {
  if (!isBeforeBerkeley(genesisStateHash)) return feeTransfer
  const isGross = ({ recipient, type }: (typeof feeTransfer)[number]) =>
    type === 'Fee_transfer' && recipient === coinbaseReceiver
  const others = feeTransfer
    .filter((entry) => entry.type === 'Fee_transfer' && !isGross(entry))
    .reduce((sum, { fee }) => sum + fee, 0n)
  const net = feeTransfer.map((entry) => (isGross(entry) ? { ...entry, fee: entry.fee - others } : entry))
  if (net.some(({ fee }) => fee < 0n)) throw new WireError('unreadable', 'feeTransfer: more is paid out than came in')
  return net.filter((entry) => !isGross(entry) || entry.fee > 0n)
}

/** Fields that the indexer has wrong and nothing can put right, as paths below the block. */
export function unknownFieldsOf(block: IndexerBlock, stakingEpochLength: number | undefined): readonly string[] {
  return [
    ...(isBeforeBerkeley(block.genesisStateHash) ? [] : ['protocolState.blockchainState.snarkedLedgerHash']),
    ...(stakingEpochLength === undefined ? ['protocolState.consensusState.stakingEpochData.epochLength'] : []),
  ]
}

/**
 * A block of the contract from the indexer alone. SNARK jobs carry no work ids, commands no id; zkApp commands are
 * counted and left out, as a node's list of user commands leaves them out. Fee transfers are merged by recipient and
 * sorted, and SNARK jobs of a block in two parts list the second part first, since the indexer keeps no other order. Since
 * Berkeley its `snarkedLedgerHash` is another ledger's, and left out.
 *
 * @param stakingEpochLength undefined where it is not known; the indexer's own is that of the next epoch
 * @returns amounts in nanomina, times in ISO-8601 and milliseconds
 * @throws WireError for a hash, date, memo or VRF output that cannot be
 */
export function blockFromIndexer(block: IndexerBlock, stakingEpochLength: number | undefined): Exact<Block> {
  const { genesisStateHash, protocolState, stateHash, transactions } = block
  const { blockchainState, consensusState } = protocolState
  const field = stateHashField(stateHash)
  if (field === undefined) throw new WireError('unreadable', 'stateHash: not a state hash')
  const dateTime = isoTime(blockchainState.date)
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
      blockchainState: {
        ...blockchainState,
        snarkedLedgerHash: isBeforeBerkeley(genesisStateHash) ? blockchainState.snarkedLedgerHash : undefined,
      },
      consensusState: {
        ...consensusState,
        stakingEpochData: { ...consensusState.stakingEpochData, epochLength: stakingEpochLength },
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
      feeTransfer: feeTransfersOf(block).map(({ fee, recipient }) => ({ fee: jsonInteger(fee), recipient })),
      userCommands: userCommands.map((command) => userCommandFromIndexer(command, enclosing)),
      zkappCommandCount: transactions.userCommands.length - userCommands.length,
    },
    winnerAccount: { publicKey: block.winner },
  }
}
