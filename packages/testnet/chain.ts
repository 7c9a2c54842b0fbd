// A Mina-like chain in memory: its history, its forks and its pool, as a node sees them.
import type { Activity } from './activity.ts'
import type { ChainBlock, EpochData } from './block.ts'
import type { ChainOptions } from './chain-options.ts'
import { type Command, hashedSignature } from './command.ts'
import { chainId } from './hashes.ts'
import { createGenesis } from './ledger/genesis.ts'
import type { Account, Ledger } from './ledger/ledger.ts'
import type { Wallet } from './ledger/wallets.ts'
import type { Submission } from './pool/pool.ts'
import { createPool } from './pool/pool.ts'
import { refusals } from './pool/refusals.ts'
import type { DelegationInput, PaymentInput, SignatureInput } from './pool/submission.ts'
import { readSubmission } from './pool/submission.ts'
import type { BlockState, GenesisPlace, Producer } from './production/block-producer.ts'
import { firstGenesis, genesisBlock, produceBlock } from './production/block-producer.ts'
import { historySlots } from './production/history.ts'
import { createRandom, integerBetween } from './random.ts'
import type { Network, Signer } from './signer.ts'
import { createSigner } from './signer.ts'
import { createStore } from './store.ts'
import { isUserCommand, isZkapp, type QueuedCommand, type ZkappCommand } from './zkapp-command.ts'

export type { Wallet } from './ledger/wallets.ts'

/** A staking ledger in use in an epoch of the best chain. */
export interface StakingLedger extends EpochData {
  readonly epoch: number
  readonly accounts: Ledger
}

export interface Chain {
  readonly wallets: readonly Wallet[]
  /** The block producers by name. */
  readonly producers: readonly { readonly name: string; readonly publicKey: string }[]
  readonly chainId: string
  /** Which kind of signature it takes. */
  readonly network: Network
  readonly networkName: string
  readonly genesisTimestamp: number
  readonly slotDurationMs: number
  readonly slotsPerEpoch: number
  readonly frontierBlocks: number
  readonly now: () => number
  /** While true, the node answers like one without a frontier. */
  bootstrapping: boolean
  /** The slot of `now`, since genesis. */
  currentSlot(): number
  /** Adds a block with every queued command, in the slot of `now` or, if the tip has reached it, in the next one. */
  produceBlock(): ChainBlock
  /**
   * Replaces the last blocks by a fork. Commands of the replaced blocks return to the pool.
   *
   * @param depth number of blocks, at least 1 and fewer than the frontier holds
   * @param longer number of blocks by which the fork is longer; 0 for one that wins by its VRF output. Default 1.
   * @throws RangeError for another depth
   */
  reorganise(depth: number, longer?: number): void
  /**
   * Stops commands, as before a hard fork: each is refused, and blocks are empty from now on. Those in the pool stay there.
   */
  pauseCommands(): void
  /** The last block that may hold commands; undefined while they are taken. */
  lastBeforePause(): ChainBlock | undefined
  /**
   * The chain after a hard fork. Its genesis block has a block of this chain as its parent, and those above the parent are
   * discarded. It has another chain id, the parent's accounts, and an empty pool. This chain stays as it is.
   *
   * @param discarded number of blocks at the end of this chain, fewer than the frontier holds
   * @throws RangeError for another number
   */
  forkAfter(discarded: number): Chain
  /** Where this chain branches off that before a hard fork; absent without one. */
  readonly before?: { readonly chain: Chain; readonly parent: ChainBlock }
  tip(): ChainBlock
  genesisBlock(): ChainBlock
  /** All blocks on the best chain that are kept, oldest first. */
  bestChain(): readonly ChainBlock[]
  /** The genesis block and all that are kept, abandoned ones too, in the order in which they were made. */
  allBlocks(): readonly ChainBlock[]
  /** The activity of each key in the blocks that have been dropped. */
  forgotten(): ReadonlyMap<string, Activity>
  isCanonical(stateHash: string): boolean
  /** The end of the best chain, which is all that a node holds, root first. */
  frontier(): readonly ChainBlock[]
  /** A block of the frontier or of a fork that branches off it. */
  frontierBlock(stateHash: string): ChainBlock | undefined
  /** The account in the ledger of the best tip. */
  account(publicKey: string): Account | undefined
  ledger(): Ledger
  /** The account's nonce after its queued commands. */
  inferredNonce(account: Account): number
  /** Queued payments and delegations, of one fee payer or of all. */
  pool(publicKey?: string): readonly Command[]
  /** Queued zkApp commands, of one fee payer or of all. */
  zkappPool(publicKey?: string): readonly ZkappCommand[]
  sendPayment(input: PaymentInput, signature: SignatureInput | null | undefined): Submission
  sendDelegation(input: DelegationInput, signature: SignatureInput | null | undefined): Submission
  /** Queues a zkApp command unchecked, in the place of a command with the same nonce. */
  queueZkapp(command: ZkappCommand): void
  /** Drops a command from the pool; those of its sender with higher nonces wait for another one with its nonce. */
  evict(command: QueuedCommand): void
  /** Lets no block have a command as long as it is queued. */
  withhold(command: QueuedCommand): void
  /** Lets no block have a command until it is submitted again, as where a daemon has stopped to tell others of it. */
  stopGossip(command: QueuedCommand): void
  /** Up to the epoch after the tip's; undefined for later ones and for epochs without a block. */
  stakingLedger(epoch: number): StakingLedger | undefined
  /** The accounts of a staking ledger by its hash; undefined where no epoch has used it. */
  stakingLedgerByHash(ledgerHash: string): Ledger | undefined
}

const yearMs = 365 * 24 * 60 * 60 * 1000

/** The block and accounts on which a hard fork stands, and the place of its genesis block. */
interface Origin {
  readonly chain: Chain
  readonly parent: BlockState
  readonly place: GenesisPlace
}

export const createChain = (options: ChainOptions): Chain => chainFrom(options)

function chainFrom(options: ChainOptions, origin?: Origin): Chain {
  const { seed, now, blockSeconds = 10, slotsPerEpoch = 40 } = options
  const { frontierBlocks = 30, keptBlocks = 20_000, network = 'testnet', supplyDivisor } = options
  const { signsOwnCommands = true, networkName = network } = options
  const slotDurationMs = blockSeconds * 1000
  const signer = createSigner(network)
  const initial = createGenesis(signer, seed, supplyDivisor)
  const genesis = origin === undefined ? initial : { ...initial, ledger: origin.parent.ledger }
  const slotsPerCheckpointWindow = Math.ceil(yearMs / 12 / slotDurationMs)
  const genesisSlot = origin?.place.slot ?? 0
  const sign: Signer['sign'] = signsOwnCommands ? signer.sign : () => hashedSignature
  const producer: Producer = { genesis, sign, genesisSlot, slotsPerEpoch, slotsPerCheckpointWindow }
  const pool = createPool(signer)
  const name = origin === undefined ? seed : `${seed} after ${origin.parent.block.stateHash}`

  const historyBlocks = origin === undefined ? (options.historyBlocks ?? 40) : 1
  const [, ...slots] = historySlots(seed, historyBlocks)
  const genesisTimestamp =
    origin?.place.date ?? (Math.floor(now() / slotDurationMs) - (slots.at(-1) ?? 0)) * slotDurationMs
  const dateOf = (slot: number) => genesisTimestamp + (slot - genesisSlot) * slotDurationMs
  const kept = Math.max(keptBlocks, 3 * slotsPerEpoch, 2 * frontierBlocks)
  const first = genesisBlock(genesis, name, origin?.place ?? firstGenesis(genesisTimestamp))
  const store = createStore(first, slotsPerEpoch, frontierBlocks, kept)
  let forks = 0
  let paused: ChainBlock | undefined

  const extend = (parent: BlockState, slot: number, queued: readonly QueuedCommand[], receivedAt: number) =>
    produceBlock(producer, parent, {
      slot,
      date: dateOf(slot),
      receivedAt,
      stakingLedger: store.stakingLedgerAt(parent, slot),
      queued,
      isEmpty: paused !== undefined && parent.block.height >= paused.height,
      label: forks === 0 ? '' : `fork ${forks}`,
    })
  for (const slot of slots) {
    const delayMs = integerBetween(createRandom(`${seed} delay ${slot}`), 0, slotDurationMs / 4)
    store.append(extend(store.tip(), slot, [], Math.min(dateOf(slot) + delayMs, now())))
  }

  const currentSlot = () => genesisSlot + Math.floor((now() - genesisTimestamp) / slotDurationMs)
  const slotAfter = ({ block }: BlockState) => Math.max(currentSlot(), block.slot + 1)
  const view = () => ({
    ledger: store.tip().ledger,
    slot: Math.max(currentSlot(), store.tip().block.slot),
    isPaused: paused !== undefined,
  })
  const submit = (kind: Command['kind'], input: PaymentInput, given: SignatureInput | null | undefined): Submission => {
    if (chain.bootstrapping) return { refused: refusals.unknownSender }
    const read = readSubmission(kind, input, given)
    return 'refused' in read ? read : pool.submit(read.command, read.signature, view())
  }

  const chain: Chain = {
    wallets: genesis.wallets,
    producers: genesis.producers.map(({ name, publicKey }) => ({ name, publicKey })),
    chainId: chainId(`${name} ${network}`),
    network,
    networkName,
    genesisTimestamp,
    slotDurationMs,
    slotsPerEpoch,
    frontierBlocks,
    now,
    bootstrapping: false,
    currentSlot,
    produceBlock() {
      const slot = slotAfter(store.tip())
      pool.revalidate({ ledger: store.tip().ledger, slot })
      store.append(extend(store.tip(), slot, pool.byFee(), now()))
      pool.revalidate(view())
      return store.tip().block
    },
    reorganise(depth, longer = 1) {
      const abandoned = store.abandon(depth)
      forks += 1
      for (let made = 0; made < depth + longer; made++) {
        // The fork ends in the slot of `now`, or later where its blocks need more slots.
        const slot = Math.max(currentSlot() - depth - longer + 1 + made, store.tip().block.slot + 1)
        store.append(extend(store.tip(), slot, [], now()))
      }
      for (const { userCommands, zkappCommands } of abandoned) {
        pool.restore([...userCommands.map(({ command }) => command), ...zkappCommands])
      }
      pool.revalidate(view())
    },
    pauseCommands() {
      paused ??= store.tip().block
    },
    lastBeforePause: () => paused,
    forkAfter(discarded) {
      const parent = store.stateBefore(discarded)
      const { stateHash: previousStateHash, height } = parent.block
      const slot = Math.max(currentSlot(), parent.block.slot + 1)
      const place = { previousStateHash, height: height + 1, slot, date: dateOf(slot) }
      return chainFrom(options, { chain, parent, place })
    },
    ...(origin && { before: { chain: origin.chain, parent: origin.parent.block } }),
    tip: () => store.tip().block,
    genesisBlock: store.genesisBlock,
    bestChain: store.bestChain,
    allBlocks: store.allBlocks,
    forgotten: store.forgotten,
    isCanonical: store.isCanonical,
    frontier: store.frontier,
    frontierBlock: store.frontierBlock,
    account: (publicKey) => store.tip().ledger.get(publicKey),
    ledger: () => store.tip().ledger,
    inferredNonce: pool.inferredNonce,
    pool: (publicKey) => pool.queued(publicKey).filter(isUserCommand),
    zkappPool: (publicKey) => pool.queued(publicKey).filter(isZkapp),
    queueZkapp: pool.put,
    evict: pool.evict,
    withhold: pool.withhold,
    stopGossip: pool.stopGossip,
    sendPayment: (input, signature) => submit('PAYMENT', input, signature),
    sendDelegation: (input, signature) => submit('STAKE_DELEGATION', { ...input, amount: 0n }, signature),
    stakingLedger: store.stakingLedger,
    stakingLedgerByHash: store.stakingLedgerByHash,
  }
  return chain
}
