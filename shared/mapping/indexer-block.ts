// A block as the indexer reports it, brought to the form that the contract and a node give it.
import type { Block } from '../contract/block.ts'
import { firstMainnetGenesis } from '../contract/genesis-blocks.ts'
import { WireError } from '../upstream/errors.ts'
import { count, flag, isoInstant, listOf, nanomina, shape, shortText, type Wire } from '../upstream/wire.ts'
import { jsonInteger } from './amounts.ts'
import { encodeBase58Check, payloadOfChecked, stateHashField } from './base58check.ts'
import { blockchainState, consensusFields, protocolStateBody } from './block.ts'
import type { Exact } from './exact-json.ts'
import { eachOnce, type IndexerCommand, listedCommand, userCommandFromIndexer } from './indexer-command.ts'
import { isIndexerZkapp, zkappCommandFromIndexer } from './indexer-zkapp.ts'
import { isoTime } from './times.ts'

export const indexerBlock = shape({
  block_num_zkapp_commands: count,
  canonical: flag,
  coinbaseReceiver: shortText,
  creator: shortText,
  genesisStateHash: shortText,
  protocolState: shape({
    blockchainState,
    // The indexer's epoch is the node's epoch count.
    consensusState: shape(consensusFields),
    previousStateHash: shortText,
  }),
  receivedTime: isoInstant,
  snarkJobs: listOf(shape({ fee: nanomina, prover: shortText })),
  stateHash: shortText,
  transactions: shape({
    coinbase: nanomina,
    feeTransfer: listOf(shape({ fee: nanomina, recipient: shortText, type: shortText })),
    userCommands: listOf(listedCommand),
  }),
  winner: shortText,
})

export type IndexerBlock = Wire<typeof indexerBlock>

/** True for mainnet's chain before the Berkeley fork, whose block files the indexer reads by other rules. */
const isBeforeBerkeley = (genesisStateHash: string): boolean => genesisStateHash === firstMainnetGenesis

const vrfOutputVersion = 0x15
const vrfOutputLength = 32

function bytesFromBase64(base64: string): Uint8Array {
  // Padding and the two alphabets differ between versions.
  const [, given = ''] = /^([\w+/-]{43,51})={0,2}$/.exec(base64) ?? []
  const digits = given.replaceAll('-', '+').replaceAll('_', '/')
  return digits.length % 4 === 1
    ? new Uint8Array()
    : Uint8Array.from(atob(digits), (character) => character.charCodeAt(0))
}

/** The 32 bytes. In the hard fork's genesis block a version and a length precede them, and a checksum follows. */
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
 * @param base64 the indexer's form: the 32 bytes, or 38 with version and length before them and a checksum after
 * @throws WireError for other text
 */
export function vrfOutputFromBase64(base64: string, genesisStateHash: string): string {
  const output = vrfOutputBytes(bytesFromBase64(base64))
  if (output === undefined) throw new WireError('unreadable', 'lastVrfOutput: not 32 or 38 bytes in base64')
  const header = isBeforeBerkeley(genesisStateHash) ? [vrfOutputVersion, 0x01] : [vrfOutputVersion]
  return encodeBase58Check(Uint8Array.from([...header, vrfOutputLength, ...output]))
}

/**
 * Fee transfers as a node has them. Before Berkeley the indexer's entry of the coinbase receiver is gross: it includes
 * the fees of all other receivers.
 *
 * @throws WireError if the others get more than the receiver's entry holds
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

/** The commands of a block by their kind. One dialect counts zkApp commands and does not list them with the others. */
function commandsOf({ block_num_zkapp_commands, transactions }: IndexerBlock) {
  const commands = eachOnce(transactions.userCommands)
  const zkapps = commands.filter(isIndexerZkapp)
  const areListed = transactions.userCommands.filter(isIndexerZkapp).length === block_num_zkapp_commands
  return {
    zkapps,
    areListed,
    zkappCount: areListed ? zkapps.length : block_num_zkapp_commands,
    userCommands: commands.filter((command): command is IndexerCommand => !isIndexerZkapp(command)),
  }
}

/** True if the block lists as many zkApp commands as it counts. */
export const listsZkapps = (block: IndexerBlock): boolean => commandsOf(block).areListed

const zkappCommands = 'transactions.zkappCommands'

/** A block of an indexer in the form of the contract. */
interface ShownBlock {
  readonly block: Exact<Block>
  /** Fields that the indexer has wrong or not at all and that cannot be corrected, as paths below the block. */
  readonly unknownFields: readonly string[]
}

/**
 * A block of the contract from the indexer alone. It differs from the node's:
 * - SNARK jobs have no work ids, commands no id
 * - since Berkeley `snarkedLedgerHash` is left out: the indexer has another ledger's
 * - fee transfers are merged by recipient and sorted; of a block in two parts the SNARK jobs of the second come first
 *
 * @param stakingEpochLength undefined if not known; the indexer's own is that of the next epoch
 * @returns amounts in nanomina, times in ISO-8601 and milliseconds
 * @throws WireError for an impossible hash, date, memo or VRF output, and for commands that contradict each other
 */
export function blockFromIndexer(block: IndexerBlock, stakingEpochLength: number | undefined): ShownBlock {
  const { genesisStateHash, protocolState, stateHash, transactions } = block
  const { blockchainState, consensusState } = protocolState
  const field = stateHashField(stateHash)
  if (field === undefined) throw new WireError('unreadable', 'stateHash: not a state hash')
  const dateTime = isoTime(blockchainState.date)
  const { zkapps, areListed, zkappCount, userCommands } = commandsOf(block)
  const enclosing = { blockHeight: consensusState.blockHeight, blockStateHash: stateHash, dateTime }
  const shownZkapps = areListed ? zkapps.map((command) => zkappCommandFromIndexer(command, enclosing)) : undefined
  const hasLedgerHash = isBeforeBerkeley(genesisStateHash)
  const shown: Exact<Block> = {
    blockHeight: consensusState.blockHeight,
    canonical: block.canonical,
    creator: block.creator,
    creatorAccount: { publicKey: block.creator },
    dateTime,
    protocolState: protocolStateBody({
      ...protocolState,
      blockchainState: {
        ...blockchainState,
        snarkedLedgerHash: hasLedgerHash ? blockchainState.snarkedLedgerHash : undefined,
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
      zkappCommandCount: zkappCount,
      ...(shownZkapps !== undefined && { zkappCommands: shownZkapps.map(({ command }) => command) }),
    },
    winnerAccount: { publicKey: block.winner },
  }
  const unknownOfZkapps = shownZkapps?.flatMap(({ unknownFields }) => unknownFields)
  return {
    block: shown,
    unknownFields: [
      ...(hasLedgerHash ? [] : ['protocolState.blockchainState.snarkedLedgerHash']),
      ...(stakingEpochLength === undefined ? ['protocolState.consensusState.stakingEpochData.epochLength'] : []),
      ...(unknownOfZkapps
        ? [...new Set(unknownOfZkapps)].map((field) => `${zkappCommands}.${field}`)
        : [zkappCommands]),
    ],
  }
}
