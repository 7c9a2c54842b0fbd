// Makes one block on top of another. Its content depends only on the parent, the slot, the queued commands and a label.
import type { ChainBlock } from '../block.ts'
import type { Command, IncludedCommand } from '../command.ts'
import { stateHash, vrfOutput, zeroStateHash } from '../hashes.ts'
import type { Genesis } from '../ledger/genesis.ts'
import type { DraftLedger, Ledger } from '../ledger/ledger.ts'
import { applyCommand, applyZkapp, credit, hashLedger, nanominaPerMina, totalCurrency } from '../ledger/ledger.ts'
import { createRandom } from '../random.ts'
import type { Signer } from '../signer.ts'
import {
  type IncludedZkappCommand,
  isUserCommand,
  isZkapp,
  type QueuedCommand,
  type ZkappCommand,
} from '../zkapp-command.ts'
import { genesisEpochs, nextEpochs } from './epochs.ts'
import { feeTransfers, slotWinner, snarkJobs } from './rewards.ts'
import { ownCommands, ownZkappCommands } from './traffic.ts'

/** A block and the ledger after it. */
export interface BlockState {
  readonly block: ChainBlock
  readonly ledger: Ledger
  /** Slots of the blocks in the density window that ends here. */
  readonly windowSlots: readonly number[]
}

export interface BlockPlan {
  readonly slot: number
  /** Start of the slot and time of receipt, ms since 1970. */
  readonly date: number
  readonly receivedAt: number
  /** The staking ledger of the block's epoch. */
  readonly stakingLedger: Ledger
  readonly queued: readonly QueuedCommand[]
  /** True once commands are stopped before a hard fork: the block pays its coinbase and holds nothing else. */
  readonly isEmpty: boolean
  /** Names the fork: distinguishes rival blocks of the same parent and slot, and the chain's own commands in them. */
  readonly label: string
}

/** The settings that every block of a chain shares. */
export interface Producer {
  readonly genesis: Genesis
  readonly sign: Signer['sign']
  /** The slot of the genesis block, since the first genesis; epochs count from here. */
  readonly genesisSlot: number
  readonly slotsPerEpoch: number
  /** Slots in which a checkpoint is due: a twelfth of a year. */
  readonly slotsPerCheckpointWindow: number
}

/** As on mainnet since the Mesa fork of September 2026. */
export const coinbaseReward = 360n * nanominaPerMina

/** Mina's window of slots in which blocks are counted, 11 sub-windows of 7. */
const densityWindowSlots = 77

/** The place of a genesis block. That of a hard fork has a parent, and goes on with its heights and slots. */
export interface GenesisPlace {
  readonly previousStateHash: string
  readonly height: number
  /** Since the first genesis. */
  readonly slot: number
  /** Milliseconds since 1970. */
  readonly date: number
}

/** A chain without a fork behind it. */
export const firstGenesis = (date: number): GenesisPlace => ({
  ...{ previousStateHash: zeroStateHash, height: 1, slot: 0, date },
})

export function genesisBlock({ ledger, producers }: Genesis, seed: string, place: GenesisPlace): BlockState {
  const { previousStateHash, height, slot, date } = place
  const currency = totalCurrency(ledger)
  const hash = hashLedger(ledger)
  const creator = producers[0]?.publicKey ?? ''
  const block: ChainBlock = {
    stateHash: stateHash(`${seed} ${hash}`),
    previousStateHash,
    height,
    slot,
    date,
    receivedAt: date,
    creator,
    winner: creator,
    coinbaseReceiver: creator,
    // A genesis block pays none.
    coinbase: 0n,
    coinbaseReceiverAccount: null,
    userCommands: [],
    zkappCommands: [],
    feeTransfers: [],
    snarkJobs: [],
    totalCurrency: currency,
    stagedLedgerHash: hash,
    snarkedLedgerHash: hash,
    vrfOutput: vrfOutput(seed),
    minWindowDensity: densityWindowSlots,
    hasAncestorInSameCheckpointWindow: false,
    ...genesisEpochs(hash, currency),
  }
  return { block, ledger, windowSlots: [slot] }
}

/** Applies the commands in their order and drops those that cannot be included. */
function include(draft: DraftLedger, commands: readonly Command[], slot: number): IncludedCommand[] {
  return commands.flatMap((command) => {
    const failureReason = applyCommand(draft, command, slot)
    return failureReason === undefined ? [] : [{ command, failureReason }]
  })
}

function includeZkapps(draft: DraftLedger, commands: readonly ZkappCommand[], slot: number): IncludedZkappCommand[] {
  return commands.flatMap((command) => {
    const failures = applyZkapp(draft, command, slot)
    return failures === undefined ? [] : [{ ...command, failures }]
  })
}

/** Slots before the genesis block count as filled, as in Mina. Mina counts by sub-window, this chain by slot. */
function density(windowSlots: readonly number[], slotsSinceGenesis: number): number {
  return windowSlots.length + Math.max(0, densityWindowSlots - 1 - slotsSinceGenesis)
}

/** Queued commands come before the chain's own, which are there so that every block holds a payment. */
export function produceBlock(producer: Producer, parent: BlockState, plan: BlockPlan): BlockState {
  const { genesis, sign, genesisSlot, slotsPerEpoch, slotsPerCheckpointWindow } = producer
  const { slot, date, receivedAt, queued, label, stakingLedger, isEmpty } = plan
  const height = parent.block.height + 1
  const origin = `${parent.block.stateHash} ${slot} ${label}`
  const random = createRandom(origin)
  const winner = slotWinner(genesis, stakingLedger, random)
  const creator = winner.delegate
  const coinbaseReceiver = creator === genesis.producers.at(-1)?.publicKey ? genesis.rewardAccount.publicKey : creator

  const draft: DraftLedger = new Map(parent.ledger)
  const userCommands: IncludedCommand[] = []
  const zkappCommands: IncludedZkappCommand[] = []
  if (!isEmpty) {
    userCommands.push(...include(draft, queued.filter(isUserCommand), slot))
    userCommands.push(...include(draft, ownCommands(genesis, sign, random, draft, height), slot))
    zkappCommands.push(...includeZkapps(draft, queued.filter(isZkapp), slot))
    zkappCommands.push(...includeZkapps(draft, ownZkappCommands(genesis, random, draft, height, label), slot))
  }
  // Commands pay the provers, so an empty block buys no proof.
  const jobs = isEmpty ? [] : snarkJobs(genesis, random, height)
  const paysCoinbase = height % 37 !== 0
  const transfers = feeTransfers(
    [...userCommands.map(({ command }) => command), ...zkappCommands].reduce((sum, { fee }) => sum + fee, 0n),
    jobs,
    coinbaseReceiver,
    paysCoinbase && height % 6 === 0,
  )
  for (const { recipient, fee } of transfers) credit(draft, recipient, fee)
  if (paysCoinbase) {
    const viaCoinbase = transfers.find(({ type }) => type === 'Fee_transfer_via_coinbase')
    credit(draft, coinbaseReceiver, coinbaseReward - (viaCoinbase?.fee ?? 0n))
  }

  const windowSlots = [...parent.windowSlots.filter((earlier) => earlier > slot - densityWindowSlots), slot]
  const output = vrfOutput(origin)
  const stagedLedgerHash = hashLedger(draft)
  const checkpointWindow = (at: number) => Math.floor(at / slotsPerCheckpointWindow)
  const block: ChainBlock = {
    stateHash: stateHash(`${origin} ${stagedLedgerHash} ${userCommands.map(({ command }) => command.hash).join()}`),
    previousStateHash: parent.block.stateHash,
    height,
    slot,
    date,
    receivedAt,
    creator,
    winner: winner.publicKey,
    coinbaseReceiver,
    coinbase: paysCoinbase ? coinbaseReward : 0n,
    coinbaseReceiverAccount: paysCoinbase ? coinbaseReceiver : null,
    userCommands,
    zkappCommands,
    feeTransfers: transfers,
    snarkJobs: jobs,
    totalCurrency: totalCurrency(draft),
    stagedLedgerHash,
    snarkedLedgerHash: parent.block.stagedLedgerHash,
    vrfOutput: output,
    minWindowDensity: Math.min(parent.block.minWindowDensity, density(windowSlots, slot - genesisSlot)),
    hasAncestorInSameCheckpointWindow: checkpointWindow(slot) === checkpointWindow(parent.block.slot),
    ...nextEpochs(parent.block, slot - genesisSlot, slotsPerEpoch, output),
  }
  return { block, ledger: draft, windowSlots }
}
