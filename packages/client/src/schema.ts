// Generated from shared/contract by npm run generate.

/** An account at the best tip */
export interface Account {
  /** Public key: base58check, 55 characters, B62… */
  readonly publicKey: string
  /** Balances at the best tip */
  readonly balance: Balance
  /** A vesting schedule: nothing of `initialMinimumBalance` is free before the slot `cliffTime`, then `cliffAmount`, and `vestingIncrement` more with every `vestingPeriod` */
  readonly timing?: AccountTiming | undefined
  /** The state that a zkApp keeps in its account, in its owner's words, which nobody has checked */
  readonly zkapp?: AccountZkapp | undefined
  /** Of the ledger; pending transactions are not counted */
  readonly nonce: number
  /** Hash over the commands that the account has sent, base58check */
  readonly receiptChainHash?: string | undefined
  /** Public key; the account's own where it delegates to nobody else. Absent of an account that stakes with nobody, itself included: the node names none */
  readonly delegate?: string | undefined
  /** The state hash that the account votes for; by default that of zero */
  readonly votingFor?: string | undefined
  /** Commands sent or received, as an indexer counts them: an upper bound */
  readonly totalTx?: number | undefined
  /** Blocks made, as an indexer counts them: an upper bound */
  readonly totalBlocks?: number | undefined
  /** Proofs sold, as an indexer counts them: an upper bound */
  readonly totalSnarks?: number | undefined
  /** Commands that it has sent and that wait in the pool of the node; those on their way to it are in `GET /pool?account=` */
  readonly countPendingTransactions?: number | undefined
  /** At most one: of the commands that it has sent and that wait, the one of the lowest nonce */
  readonly firstPendingTransaction?: readonly PendingCommand[] | undefined
  /** Display name; Unknown where no upstream knows it */
  readonly username: string
  /** Its own record in the staking ledger of the epoch: none or one */
  readonly epochStakingAccount?: readonly StakingRecord[] | undefined
  /** The same for the next epoch */
  readonly nextEpochStakingAccount?: readonly StakingRecord[] | undefined
  /** The accounts that delegate to it in the epoch, the largest stakes first, at most 1,000; itself among them where it delegates to itself. Of more, the smallest are left out, and `x-missing-fields` names the list: a pool with so many cannot pay from it alone. Shares are parts of `epochTotalStakingBalance`, never of the sum of this list */
  readonly epochDelegators?: readonly StakingRecord[] | undefined
  /** The same for the next epoch */
  readonly nextEpochDelegators?: readonly StakingRecord[] | undefined
  /** How many delegate to it in the epoch, those that the list leaves out too */
  readonly epochDelegatorCount?: number | undefined
  /** The same for the next epoch */
  readonly nextEpochDelegatorCount?: number | undefined
  /** All that delegates to it in the epoch: MINA, with nine decimals */
  readonly epochTotalStakingBalance?: string | undefined
  /** The same for the next epoch */
  readonly nextEpochTotalStakingBalance?: string | undefined
  /** The nonce for its next command: the least that neither the ledger nor a command in the pool of the node uses, zkApp commands included. zkApp commands of other senders can raise it too, which cannot be foreseen. After a 201 count on from the nonce that you sent, since another node may not have heard of it */
  readonly nextNonce: number
  /** The least nonces that commands in that pool wait for, at most 20; absent if none do */
  readonly missingNonces?: readonly number[] | undefined
}

/** An account: its public key, and the id of its token */
export interface AccountRef {
  /** Public key: base58check, 55 characters, B62… */
  readonly publicKey: string
  /** Token id, as the node reports it */
  readonly token: string
}

/** The places that were searched: the page holds every command of the account in the blocks of these heights */
export interface AccountSearched {
  /** True if the pool of these nodes was asked: on the first page */
  readonly pool: boolean
  /** Height of the lowest block that the page reaches; without `next`, of the earliest block searched */
  readonly fromHeight: number
  /** Height of the highest block: the tip, or the one below the cursor */
  readonly toHeight: number
  /** Number of node addresses that answered */
  readonly nodes: number
  /** True if an indexer answered, which has the older blocks */
  readonly indexer: boolean
}

/** A vesting schedule: nothing of `initialMinimumBalance` is free before the slot `cliffTime`, then `cliffAmount`, and `vestingIncrement` more with every `vestingPeriod` */
export interface AccountTiming {
  /** Locked at first: MINA, with nine decimals */
  readonly initialMinimumBalance: string
  /** Global slot since genesis */
  readonly cliffTime: number
  /** Free at the cliff: MINA, with nine decimals */
  readonly cliffAmount: string
  /** Slots; 0 where all is free at the cliff */
  readonly vestingPeriod: number
  /** Free with each period: MINA, with nine decimals */
  readonly vestingIncrement: string
}

/** A command in a block of the best chain, and what the account has to do with it */
export interface AccountTransaction {
  /** A command of any kind as its block lists it: one with `balanceChanges` is a zkApp command */
  readonly command: AnyIncludedCommand
  /** Of a payment or delegation: the account is its sender, its receiver (or new delegate), or both. There will be no other value. */
  readonly direction?: 'sent' | 'received' | 'self' | undefined
  /** Of a zkApp command: the account pays its fee, is named by its account updates, or both. There will be no other value. */
  readonly role?: 'payer' | 'updated' | 'both' | undefined
  /** Of a zkApp command: the sum of what it declares to add to the key's MINA account (negative: to take), nanomina, without the fee; 0 where it failed, and for other tokens; absent where `balanceChanges` leaves a sum out */
  readonly amount?: bigint | undefined
  /** The change in the key’s MINA balance, in nanomina, including the fee, for failed commands as well; negative if the balance fell. Absent where a zkApp command has no `amount`. Not included, because no command records them: the account creation fee, block and proof rewards, and a genesis balance. */
  readonly change?: bigint | undefined
  /** The command’s hash, repeated here for tools that cannot read nested keys */
  readonly hash: string
  /** The block of the best chain that holds the command */
  readonly block: BlockOfCommand
  /** Number of blocks on top; 0 at the tip. At most the network’s k, where it is a lower bound: `confirmations >= 15` never turns false for a final command. */
  readonly confirmations: number
  /** True, or absent: its block is so deep that no reorganisation can reach it */
  readonly final?: boolean | undefined
}

export interface AccountTransactionsResponse {
  /** Newest first: by height, in a block by nonce and then by sender. A page ends between blocks: with the one in which it reaches `limit` (25) commands, and has all of that block’s, so it may have many more. */
  readonly transactions: readonly AccountTransaction[]
  /** On the first page: what the account has sent and no block holds yet, the highest nonce first and then by hash, at most 100. All of it, and payments on their way to the account, are in `GET /pool?account=`. */
  readonly pending?: readonly PendingAccountTransaction[] | undefined
  /** How many wait, where that is more than the 100 in `pending`; absent otherwise */
  readonly pendingCount?: number | undefined
  /** The places that were searched: the page holds every command of the account in the blocks of these heights */
  readonly searched: AccountSearched
  /** Cursor of the next page, HEIGHT-STATEHASH of the last block given: ask again with it as `before`. Absent: nothing older in what was searched. */
  readonly next?: string | undefined
  /** True where the history ends because nothing that the service asks has the blocks below `fromHeight`: the account may have older commands */
  readonly endOfKnown?: boolean | undefined
}

/** The state that a zkApp keeps in its account, in its owner's words, which nobody has checked */
export interface AccountZkapp {
  /** Field elements as decimal digits: 8 before the Mesa fork, 32 since */
  readonly state: readonly string[]
  /** True if a proof set every element of the state */
  readonly provedState?: boolean | undefined
  /** A field element as decimal digits; absent without a key */
  readonly verificationKeyHash?: string | undefined
  /** Free text, by custom the address of the source */
  readonly uri?: string | undefined
}

/** A command of any kind, without its block: one with `balanceChanges` is a zkApp command */
export type AnyCommand = BareCommand | BareZkappCommand

/** A command of any kind as its block lists it: one with `balanceChanges` is a zkApp command */
export type AnyIncludedCommand = UserCommand | ZkappCommand

/** Balances at the best tip */
export interface Balance {
  /** With what is locked: MINA, with nine decimals */
  readonly total: string
  /** MINA, with nine decimals; equal to total */
  readonly unknown: string
  /** At the slot of the tip: MINA, with nine decimals; null for an account without a vesting schedule. A node takes payments by the present slot, so it may already take what this still counts as locked */
  readonly lockedBalance: string | null
  /** Height of that tip, counted over hard forks */
  readonly blockHeight: number
}

/** The sum of the MINA that a zkApp command declares to add to one account, or to take from it */
export interface BalanceChange {
  /** Public key: base58check, 55 characters, B62… */
  readonly publicKey: string
  /** That of MINA, base58check: wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf */
  readonly tokenId: string
  /** Nanomina with their sign, negative where they are taken; exact beyond 2^53 */
  readonly amount: bigint
  /** True, or absent: if the account is new, the fee for it comes off this change. Without it, another update of the command pays that fee. No indexer shows it. */
  readonly implicitAccountCreationFee?: boolean | undefined
}

/** A payment or stake delegation, without its block */
export interface BareCommand {
  /** Nanomina; 0 for a delegation */
  readonly amount: bigint
  /** Nanomina */
  readonly fee: bigint
  /** An account: its public key, and the number of its token */
  readonly feePayer: TokenAccount
  /** 1, the MINA token */
  readonly feeToken: number
  /** Public key of the sender */
  readonly from: string
  /** An account: its public key, and the number of its token */
  readonly fromAccount: TokenAccount
  /** Command hash: base58check, 5J…, before June 2024 Ckp… */
  readonly hash: string
  /** Command id: base64, before June 2024 base58check; absent where no upstream knows it */
  readonly id?: string | undefined
  /** False for a payment, true for a delegation */
  readonly isDelegation: boolean
  /** PAYMENT or STAKE_DELEGATION */
  readonly kind: string
  /** Base58check, as the node gives it */
  readonly memo: string
  /** Number of the command among those of its sender, from 0 */
  readonly nonce: number
  /** The account of the receiver, or of the new delegate */
  readonly receiver: {
    /** Public key: base58check, 55 characters, B62… */
    readonly publicKey: string
  }
  /** The account of the sender */
  readonly source: {
    /** Public key: base58check, 55 characters, B62… */
    readonly publicKey: string
  }
  /** Public key of the receiver, or of the new delegate */
  readonly to: string
  /** An account: its public key, and the number of its token */
  readonly toAccount: TokenAccount
  /** 1, the MINA token */
  readonly token: number
}

/** A zkApp command, without its block */
export interface BareZkappCommand {
  /** What the account updates declare for accounts of MINA, and of no other token: summed for each account in the order in which they name it; empty for a failed command. The fee is not in it. A sum of 0 is left out, unless `implicitAccountCreationFee` is true. So is one beyond int64, which only a command that waits can declare: `x-missing-fields` then names the list. */
  readonly balanceChanges: readonly BalanceChange[]
  /** Nanomina */
  readonly fee: bigint
  /** The account that pays the fee, whose nonce the command uses */
  readonly feePayer: {
    /** Public key: base58check, 55 characters, B62… */
    readonly publicKey: string
  }
  /** Command hash: base58check, 5J… */
  readonly hash: string
  /** ZKAPP: a payment or delegation has another. There will be no other value. */
  readonly kind: 'ZKAPP'
  /** Base58check, as the node gives it */
  readonly memo: string
  /** Number of the command among those of its fee payer, from 0 */
  readonly nonce: number
  /** The same for accounts of other tokens, every sum. Never credit one as MINA: whoever mints a token decides what it is worth. */
  readonly tokenChanges: readonly TokenChange[]
}

/** A block with its payments, delegations, fee transfers and SNARK jobs */
export interface Block {
  /** Height, counted over hard forks */
  readonly blockHeight: number
  /** On the best chain now */
  readonly canonical: boolean
  /** Public key of the block creator */
  readonly creator: string
  /** The account of the block creator */
  readonly creatorAccount: {
    /** Public key: base58check, 55 characters, B62… */
    readonly publicKey: string
  }
  /** Start of its slot: ISO-8601, UTC, with milliseconds */
  readonly dateTime: string
  /** The state that the state hash is the hash of */
  readonly protocolState: ProtocolState
  /** When an indexer received the block: ISO-8601, UTC; absent where no upstream knows it */
  readonly receivedTime?: string | undefined
  /** Proofs that the block bought */
  readonly snarkJobs: readonly SnarkJob[]
  /** Protocol state hash: base58check, 52 characters, 3N… */
  readonly stateHash: string
  /** The state hash as a field element, decimal digits */
  readonly stateHashField: string
  /** Commands, fees and rewards of the block */
  readonly transactions: BlockTransactions
  /** The account whose stake won the slot */
  readonly winnerAccount: {
    /** Public key: base58check, 55 characters, B62… */
    readonly publicKey: string
  }
}

/** A block in one line, for charts and lists: its place in the chain, its creator, and counts of its contents */
export interface BlockHeader {
  /** Protocol state hash: base58check, 52 characters, 3N… */
  readonly stateHash: string
  /** Height, counted over hard forks */
  readonly blockHeight: number
  /** State hash of its parent */
  readonly previousStateHash: string
  /** Start of its slot: ISO-8601, UTC, with milliseconds */
  readonly dateTime: string
  /** Public key of the block creator */
  readonly creator: string
  /** Slot within the epoch */
  readonly slot: number
  /** Counted from the last hard fork */
  readonly epoch: number
  /** On the best chain now */
  readonly canonical: boolean
  /** Payments, delegations and zkApp commands, failed ones too: as many as the block lists of all kinds */
  readonly commandCount: number
  /** The number of zkApp commands among them */
  readonly zkappCommandCount: number
  /** SNARK jobs, the proofs that the block bought */
  readonly proofCount: number
  /** Nanomina, newly issued for the block */
  readonly coinbase: bigint
  /** What these commands paid, failed ones too, in nanomina. Absent where only a node has the block: it gives no sums, and the fees of each command are in the whole block. */
  readonly feesNanomina?: bigint | undefined
  /** What the block paid for these proofs, in nanomina. Absent where only a node has the block: it gives no sums, and the fees of each command are in the whole block. */
  readonly proofFeesNanomina?: bigint | undefined
}

/** The block of the best chain that holds the command */
export interface BlockOfCommand {
  /** State hash: base58check, 52 characters, 3N… */
  readonly stateHash: string
  /** Height, counted over hard forks */
  readonly blockHeight: number
  /** Start of its slot: ISO-8601, UTC, with milliseconds */
  readonly dateTime: string
}

/** Commands, fees and rewards of the block */
export interface BlockTransactions {
  /** Nanomina, newly issued for the block */
  readonly coinbase: bigint
  /** Who receives the coinbase, also where it is 0 */
  readonly coinbaseReceiverAccount?: {
    /** Public key: base58check, 55 characters, B62… */
    readonly publicKey: string
  } | undefined
  /** The fees of the commands, as they are paid to the block creator and to the provers */
  readonly feeTransfer: readonly FeeTransfer[]
  /** Payments and stake delegations, failed ones too, the first applied first; none twice. zkApp commands are not among them: see `zkappCommands`. */
  readonly userCommands: readonly UserCommand[]
  /** How many zkApp commands the block holds. They are not among `userCommands`: where this is above 0, the fees and amounts of `userCommands` are not all that the block moved. */
  readonly zkappCommandCount: number
  /** ZkApp commands, failed ones too, the first applied first. Absent, and named in `x-missing-fields`, where the upstream shows only how many there are: whoever looks for deposits must then wait and read the block again. */
  readonly zkappCommands?: readonly ZkappCommand[] | undefined
}

/** Time and ledgers of the block */
export interface BlockchainState {
  /** Milliseconds since 1970 */
  readonly date: number
  /** Hash of the last ledger with a proof */
  readonly snarkedLedgerHash?: string | undefined
  /** Hash of the ledger after the block */
  readonly stagedLedgerHash: string
  /** Milliseconds since 1970 */
  readonly utcDate: number
}

/** A page of blocks */
export interface BlocksBefore {
  /** Newest first, without a gap: each is the parent of the one before it, and the first that of the cursor */
  readonly blocks: readonly Block[]
  /** The cursor of the next page; absent where no lower block can be shown */
  readonly next?: string | undefined
  /** True where the chain goes on below the last block, but nothing that the service asks has it */
  readonly endOfKnown?: boolean | undefined
}

export type BlocksOrHeadersBefore = BlocksBefore | HeadersBefore

/** A payment or stake delegation as the node holds it */
export interface BroadcastResultCommand {
  /** Nanomina; 0 for a delegation */
  readonly amount: bigint
  /** Nanomina */
  readonly fee: bigint
  /** An account: its public key, and the id of its token */
  readonly feePayer: AccountRef
  /** Token id, as the node reports it */
  readonly feeToken: string
  /** Public key of the sender */
  readonly from: string
  /** An account: its public key, and the id of its token */
  readonly fromAccount: AccountRef
  /** Command hash */
  readonly hash: string
  /** Command identifier */
  readonly id: string
  /** False for a payment, true for a delegation */
  readonly isDelegation: boolean
  /** PAYMENT or STAKE_DELEGATION */
  readonly kind: string
  /** Base58check, as the node gives it */
  readonly memo: string
  /** Number of the command among those of its sender, from 0 */
  readonly nonce: number
  /** An account: its public key, and the id of its token */
  readonly receiver: AccountRef
  /** An account: its public key, and the id of its token */
  readonly source: AccountRef
  /** Public key of the receiver, or of the new delegate */
  readonly to: string
  /** Token id, as the node reports it */
  readonly token: string
  /** An account: its public key, and the id of its token */
  readonly toAccount: AccountRef
}

/** The node behind the answer, and its best tip */
export interface ChainStatus {
  /** The node's connection to its network: SYNCED, CATCHUP … */
  readonly syncStatus: string
  /** Height of the best tip, counted over hard forks */
  readonly blockchainLength: number
}

/** The values that consensus follows from */
export interface ConsensusState {
  /** Height, counted over hard forks */
  readonly blockHeight: number
  /** Equal to blockHeight */
  readonly blockchainLength: number
  /** Counted from the last hard fork */
  readonly epoch: number
  /** Epochs in which the chain has a block, counted from the last hard fork */
  readonly epochCount: number
  /** True if the parent lies in the same checkpoint window */
  readonly hasAncestorInSameCheckpointWindow: boolean
  /** The random output that won the slot, base58check */
  readonly lastVrfOutput: string
  /** The fewest blocks in any window of slots since the last hard fork: how long-range forks are compared */
  readonly minWindowDensity: number
  /** An epoch: its staking ledger, and what its random numbers come from */
  readonly nextEpochData: EpochData
  /** Within the epoch */
  readonly slot: number
  /** Counted over hard forks */
  readonly slotSinceGenesis: number
  /** An epoch: its staking ledger, and what its random numbers come from */
  readonly stakingEpochData: StakingEpochData
  /** Nanomina */
  readonly totalCurrency: bigint
}

/** An epoch: its staking ledger, and what its random numbers come from */
export interface EpochData {
  /** Blocks of the chain in the epoch so far */
  readonly epochLength: number
  /** The ledger whose balances decide who makes the blocks of the epoch */
  readonly ledger: {
    /** Ledger hash: base58check, 51 characters, j… */
    readonly hash: string
    /** Nanomina */
    readonly totalCurrency: bigint
  }
  /** State hash of the last block that changed the seed */
  readonly lockCheckpoint: string
  /** Seed of the epoch, base58check */
  readonly seed: string
  /** State hash of the last block before the epoch */
  readonly startCheckpoint: string
}

/** A fee that the block pays out */
export interface FeeTransfer {
  /** Nanomina */
  readonly fee: bigint
  /** Public key of the block creator or of a prover */
  readonly recipient: string
}

/** The fees of the latest commands, and what to pay for the next one */
export interface Fees {
  /** Number of blocks of the best chain that were read, from the tip down */
  readonly blocks: number
  /** The commands of these blocks, of all kinds, failed ones too: they have paid their fees */
  readonly included: IncludedFees
  /** The commands that wait in the pool of the node that was asked */
  readonly pool: PoolFees
  /** Suggested fees. None is below the minimum of the network. A single command sets no fee: with fewer than two commands, all three equal the minimum */
  readonly suggested: SuggestedFees
}

/** A page of headers */
export interface HeadersBefore {
  /** Newest first, without a gap: each is the parent of the one before it, and the first that of the cursor */
  readonly headers: readonly BlockHeader[]
  /** The cursor of the next page; absent where no lower block can be shown */
  readonly next?: string | undefined
  /** True where the chain goes on below the last block, but nothing that the service asks has it */
  readonly endOfKnown?: boolean | undefined
}

/** Whether reads and broadcasts can be answered now, by what nodes and indexer say of themselves */
export interface Health {
  /** `ok`: each listed node is synced, at the best height or one below it, and not on another branch for 3 blocks or more, one of them with a tip of at most 10 slots, none refuses a question as unknown, and an indexer, where one is configured, is at most ten blocks behind. `down`: no synced node has a tip from one slot ahead of the clock to 30 slots old; or all their tips are more than 10 slots old, and the indexer or a node that is not synced shows the chain 3 blocks further. `degraded`: everything between; reads are answered. There will be no other value. */
  readonly status: 'ok' | 'degraded' | 'down'
  /** Age of the tip in whole slots; below 0 for a tip ahead of the clock; absent without a tip, and where no node tells how long a slot is: a tip is then called old by slots of 90 s, and too old by slots of 180 s */
  readonly tipAgeSlots?: number | undefined
  /** The best tip of a synced node that is not too old, else the highest tip that a node shows; absent without any */
  readonly tip?: HealthTip | undefined
  /** Numbers of node addresses */
  readonly nodes: HealthNodes
  /** The indexer on the nodes' network; absent where none is configured, and where one answers while no node tells the network */
  readonly indexer?: HealthIndexer | undefined
  /** Queries behind `/summary` and `/blocks` that a node rejects because its schema lacks a field; checked every ten minutes; absent if no query is rejected */
  readonly refusedQuestions?: readonly string[] | undefined
}

/** The indexer on the nodes' network; absent where none is configured, and where one answers while no node tells the network */
export interface HealthIndexer {
  /** False where it does not answer within two seconds, has no block, or is on another network */
  readonly answering: boolean
  /** With `answering`: blocks by which it is behind the tip */
  readonly lag?: number | undefined
}

/** Numbers of node addresses */
export interface HealthNodes {
  /** In the settings */
  readonly listed: number
  /** Answered within two seconds, and are not on another network */
  readonly answering: number
  /** Say that they are synced */
  readonly synced: number
  /** Blocks since two of them parted, 4 for all numbers above: they follow two branches, of which the chain keeps one; absent below 3 */
  readonly blocksApart?: number | undefined
}

/** The best tip of a synced node that is not too old, else the highest tip that a node shows; absent without any */
export interface HealthTip {
  /** Height, counted over hard forks */
  readonly height: number
  /** Start of its slot: ISO-8601, UTC, with milliseconds */
  readonly dateTime: string
  /** The same in milliseconds since 1970 */
  readonly timeMs: number
  /** Whole seconds since then; below 0 for a tip ahead of the clock */
  readonly ageSeconds: number
}

/** The commands of these blocks, of all kinds, failed ones too: they have paid their fees */
export interface IncludedFees {
  /** Number of commands */
  readonly count: number
  /** Lowest fee: nanomina; absent without a command */
  readonly min?: bigint | undefined
  /** The median of the fees in ascending order; nanomina; absent without a command */
  readonly median?: bigint | undefined
  /** The 75th percentile of the fees in ascending order; nanomina; absent without a command */
  readonly p75?: bigint | undefined
}

/** The constants of the network, which a program needs to sign commands and to count slots */
export interface Network {
  /** Name of the network. Say which one you mean, and compare */
  readonly networkName: string
  /** Name for which its commands are signed, as mina-signer takes it: `mainnet`, `testnet`, or any other as `{ custom: name }`. It is `testnet` on devnet, and on a private network it need not be the network’s name. Never sign for a name only because a service gives it: say which one you mean, and compare. Absent where the node does not know the question, or mina-signer cannot sign for its network; absent and named in `x-missing-fields` where the node does not answer */
  readonly signatureKind?: string | undefined
  /** Hexadecimal; a hard fork changes it */
  readonly chainId: string
  /** State hash of the genesis block; a hard fork changes it */
  readonly genesisStateHash: string
  /** A block with so many blocks on top is final */
  readonly k: number
  /** Length of a slot in milliseconds. A hard fork may change it: it dates no slot before the genesis block */
  readonly slotDurationMs: number
  /** Number of slots in an epoch, which count from the genesis block */
  readonly slotsPerEpoch: number
  /** Reward for a block: nanomina */
  readonly coinbase: bigint
  /** Comes off the amount that makes an account: nanomina */
  readonly accountCreationFee: bigint
  /** A node refuses a command with a lower fee; no node tells it, so it is a constant: nanomina */
  readonly minimumFee: bigint
}

/** A command of the account that waits in the pool */
export interface PendingAccountTransaction {
  /** A command of any kind, without its block: one with `balanceChanges` is a zkApp command */
  readonly command: AnyCommand
  /** Nanomina: always 0, because a waiting command has not changed the balance */
  readonly change: bigint
  /** Of the command */
  readonly hash: string
}

/** A payment or stake delegation that waits in the pool */
export interface PendingCommand {
  /** Nanomina; 0 for a delegation */
  readonly amount: bigint
  /** Nanomina */
  readonly fee: bigint
  /** An account: its public key, and the number of its token */
  readonly feePayer: TokenAccount
  /** 1, the MINA token */
  readonly feeToken: number
  /** Public key of the sender */
  readonly from: string
  /** An account: its public key, and the number of its token */
  readonly fromAccount: TokenAccount
  /** Command hash: base58check, 5J…, before June 2024 Ckp… */
  readonly hash: string
  /** Command id: base64, before June 2024 base58check; absent where no upstream knows it */
  readonly id: string
  /** False for a payment, true for a delegation */
  readonly isDelegation: boolean
  /** PAYMENT or STAKE_DELEGATION */
  readonly kind: string
  /** Base58check, as the node gives it */
  readonly memo: string
  /** Number of the command among those of its sender, from 0 */
  readonly nonce: number
  /** The account of the receiver, or of the new delegate */
  readonly receiver: {
    /** Public key: base58check, 55 characters, B62… */
    readonly publicKey: string
  }
  /** The account of the sender */
  readonly source: {
    /** Public key: base58check, 55 characters, B62… */
    readonly publicKey: string
  }
  /** Public key of the receiver, or of the new delegate */
  readonly to: string
  /** An account: its public key, and the number of its token */
  readonly toAccount: TokenAccount
  /** 1, the MINA token */
  readonly token: number
}

/** The commands that wait in the pool of the node that was asked */
export interface PoolFees {
  /** Number of commands */
  readonly count: number
  /** Those that were not compared with the chain; absent where all were */
  readonly unchecked?: number | undefined
}

/** Commands that wait in the pools of the nodes that were asked. One that is not here may still have been sent: pools differ, and forget */
export interface PoolResponse {
  /** Number of commands in these pools; with `account` of those to or from the key */
  readonly count: number
  /** Those of `count` that may be in a block: they were not compared with the chain; absent where all were */
  readonly unchecked?: number | undefined
  /** Highest fee first; with `account` all of them: payments, delegations and zkApp commands that the key pays for, gets or is named by */
  readonly commands: readonly AnyCommand[]
  /** The pools that were asked */
  readonly searched: SearchedPools
}

/** The state that the state hash is the hash of */
export interface ProtocolState {
  /** Time and ledgers of the block */
  readonly blockchainState: BlockchainState
  /** The values that consensus follows from */
  readonly consensusState: ConsensusState
  /** State hash of the parent block */
  readonly previousStateHash: string
}

/** The places that were searched */
export interface Searched {
  /** True if the pool of each of these nodes was asked */
  readonly pool: boolean
  /** Height of the earliest block that was read */
  readonly fromHeight: number
  /** Height of the latest block that was read: the tip */
  readonly toHeight: number
  /** Number of node addresses that answered */
  readonly nodes: number
  /** True if an indexer was asked for older blocks, and answered */
  readonly indexer: boolean
}

/** The pools that were asked */
export interface SearchedPools {
  /** Number of node addresses that answered */
  readonly nodes: number
}

/** A proof that the block bought */
export interface SnarkJob {
  /** Height of the block that bought the work */
  readonly blockHeight: number
  /** State hash of that block */
  readonly blockStateHash: string
  /** Time of that block: ISO-8601, UTC, with milliseconds */
  readonly dateTime: string
  /** Nanomina */
  readonly fee: bigint
  /** Public key of the prover, who gets the fee */
  readonly prover: string
  /** The one or two pieces of work; absent where no upstream knows them */
  readonly workIds?: readonly {
    /** Id of a piece of work */
    readonly workId: number
  }[] | undefined
}

/** An epoch: its staking ledger, and what its random numbers come from */
export interface StakingEpochData {
  /** Blocks of the chain in the epoch so far */
  readonly epochLength?: number | undefined
  /** The ledger whose balances decide who makes the blocks of the epoch */
  readonly ledger: {
    /** Ledger hash: base58check, 51 characters, j… */
    readonly hash: string
    /** Nanomina */
    readonly totalCurrency: bigint
  }
  /** State hash of the last block that changed the seed */
  readonly lockCheckpoint: string
  /** Seed of the epoch, base58check */
  readonly seed: string
  /** State hash of the last block before the epoch */
  readonly startCheckpoint: string
}

/** An account in the staking ledger of an epoch */
export interface StakingRecord {
  /** Public key: base58check, 55 characters, B62… */
  readonly pk: string
  /** The balance that the account stakes in the epoch: MINA, with nine decimals */
  readonly balance: string
  /** Public key of the delegate in the epoch */
  readonly delegate: string
  /** 1, the MINA token */
  readonly token: number
  /** Hash over the commands that the account has sent, base58check */
  readonly receipt_chain_hash?: string | undefined
  /** The state hash that the account votes for; by default that of zero */
  readonly voting_for?: string | undefined
  /** Nonce of the account in the staking ledger */
  readonly nonce?: number | undefined
  /** Counted from the last hard fork */
  readonly epoch: number
  /** Hexadecimal; a hard fork changes it, and starts the epochs anew */
  readonly chainId?: string | undefined
  /** Equal to pk */
  readonly public_key: string
}

/** Suggested fees. None is below the minimum of the network. A single command sets no fee: with fewer than two commands, all three equal the minimum */
export interface SuggestedFees {
  /** A quarter of the commands pay this fee or less: nanomina */
  readonly economy: bigint
  /** Half of the commands pay this fee or less: nanomina */
  readonly normal: bigint
  /** Three quarters of the commands pay this fee or less. If more commands wait than fit in a block, at least the fee that gets one into the next block: nanomina */
  readonly fast: bigint
}

/** The chain at its best tip */
export interface Summary {
  /** Height, counted over hard forks */
  readonly blockchainLength: number
  /** Hexadecimal; a hard fork changes it */
  readonly chainId: string
  /** Total less locked: MINA, with nine decimals */
  readonly circulatingSupply: string
  /** Time of the tip, as an HTTP date */
  readonly dateTime: string
  /** Counted from the last hard fork */
  readonly epoch: number
  /** Slot of the tip, counted over hard forks */
  readonly globalSlot: number
  /** By the table of this deployment, else 0: MINA, with nine decimals */
  readonly lockedSupply: string
  /** The fewest blocks in any window of slots since the last hard fork: how long-range forks are compared */
  readonly minWindowDensity: number
  /** Hash of the staking ledger of the next epoch */
  readonly nextEpochLedgerHash: string
  /** State hash of the parent of the tip */
  readonly previousStateHash: string
  /** Slot of the tip within the epoch */
  readonly slot: number
  /** Hash of the last ledger with a proof */
  readonly snarkedLedgerHash: string
  /** Hash of the ledger after the tip */
  readonly stagedLedgerHash: string
  /** Hash of the staking ledger of the epoch */
  readonly stakingEpochLedgerHash: string
  /** State hash of the tip */
  readonly stateHash: string
  /** All balances: MINA, with nine decimals */
  readonly totalCurrency: string
}

/** An account: its public key, and the number of its token */
export interface TokenAccount {
  /** Public key: base58check, 55 characters, B62… */
  readonly publicKey: string
  /** 1, the MINA token */
  readonly token: number
}

/** One account of the key: a key has one account for each token */
export interface TokenBalance {
  /** Id of the token in base58check; wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf is MINA */
  readonly tokenId: string
  /** Whole number of the token's smallest units, decimal digits; of MINA nanomina */
  readonly balance: string
  /** As the account has it, absent without one. Anybody can choose any symbol: tell tokens by their ids */
  readonly symbol?: string | undefined
}

/** The sum of what a zkApp command declares to add to one account of another token than MINA, or to take from it */
export interface TokenChange {
  /** Public key: base58check, 55 characters, B62… */
  readonly publicKey: string
  /** Token id, base58check. Anybody may make a token, and mint as much of it as 64 bits hold. */
  readonly tokenId: string
  /** Smallest units of that token, decimal digits, with a minus where they are taken. They are not MINA's, and may need 65 bits or more. */
  readonly amount: string
  /** True, or absent: as the command declares it. The fee for a new account is MINA, so it never comes off this change. */
  readonly implicitAccountCreationFee?: boolean | undefined
}

/** With `included` and `replaced`: the block of the best chain that holds the command which used the nonce */
export interface TransactionBlock {
  /** State hash: base58check, 52 characters, 3N… */
  readonly stateHash: string
  /** Height, counted over hard forks */
  readonly blockHeight: number
  /** Start of its slot: ISO-8601, UTC, with milliseconds */
  readonly dateTime: string
}

/** A command and its fate */
export interface TransactionFate {
  /** Hash of the question: base58check, 5J…, or Ckp… */
  readonly hash: string
  /** Hash of the command on the chain and in pools, where it is another than the one of the question: all terms are equal, so it is the same command */
  readonly chainHash?: string | undefined
  /** `included`: in a block of the best chain. `replaced`: another command with its nonce is, which differs in a term. `expired`: the chain is past `valid_until` without it. `pending`: in the pool of a node. `absent`: in none of the searched places. There will be no other value. */
  readonly state: 'included' | 'replaced' | 'expired' | 'pending' | 'absent'
  /** With `included` and `replaced`: the block of the best chain that holds the command which used the nonce */
  readonly block?: TransactionBlock | undefined
  /** With `included` and `replaced` the number of blocks on top of that block, 0 at the tip; with `expired` on top of the first searched block past `valid_until`. Where `final` is true it is exactly the network’s k, a lower bound: a bound that was reached once stays reached. */
  readonly confirmations?: number | undefined
  /** True, or absent: the block is so deep, by the network’s own k, that no reorganisation can reach it. With `replaced` the answer is final for the terms that it repeats. */
  readonly final?: boolean | undefined
  /** Why an included command failed on the chain: only its fee was charged; absent from one that was applied */
  readonly failureReason?: string | undefined
  /** With `included`: `applied`, or `failed`: then its fee was charged, nothing else of it happened, and `failureReason` says why. There will be no other value. */
  readonly status?: 'applied' | 'failed' | undefined
  /** A command of any kind, without its block: one with `balanceChanges` is a zkApp command */
  readonly command?: AnyCommand | undefined
  /** With `replaced` and `rival-pending`: hash of the other command. With `nonce-used` and `unknown`: hash of a command with its sender and nonce, which may be the command itself under another hash. `command` is the command of this hash, to compare with yours. */
  readonly by?: string | undefined
  /** True, or absent: an indexer alone shows the command in `by`, or the one with `chainHash`. An indexer can have a wrong hash, so compare `command` rather than this hash. */
  readonly hashFromIndexer?: boolean | undefined
  /** With `absent`: `possible`: nothing seen stands against it. `rival-pending`: another command with its nonce waits. `waits-for-nonce`: a predecessor is missing. `no-account`: the sender has none yet. `nonce-used`: the ledger is past its nonce, and nothing proves by which command: it may be itself (`by`). It can be in no later block. All terms, and an indexer that has the block, settle it; until then never sign a second one. `unknown`: the nodes lag or disagree, a command with its nonce that waits may be itself (`by`), or the indexer does not say whether it knows the hash. Other values may come: read one as `unknown`. */
  readonly sending?: 'possible' | 'rival-pending' | 'waits-for-nonce' | 'no-account' | 'nonce-used' | 'unknown' | undefined
  /** With `waits-for-nonce`: the least nonces below its own that no command uses, at most 20 */
  readonly missingNonces?: readonly number[] | undefined
  /** Where nothing was found by the hash, and not all terms were given: how to find a command whose wallet computes another hash than the node */
  readonly hint?: string | undefined
  /** The terms of the question, where it named them: without the hash in sight, the answer is true of these */
  readonly terms?: TransactionTerms | undefined
  /** The places that were searched */
  readonly searched: Searched
}

/** The terms of the question, where it named them: without the hash in sight, the answer is true of these */
export interface TransactionTerms {
  /** Public key of the sender */
  readonly from: string
  /** Nonce of the command */
  readonly nonce: number
  /** Last slot in which it may be included */
  readonly validUntil: number
  /** Public key of the receiver, or of the new delegate */
  readonly to?: string | undefined
  /** Nanomina */
  readonly fee?: bigint | undefined
  /** Memo in base58check */
  readonly memo?: string | undefined
  /** Nanomina; absent for a delegation, or where the question left it out */
  readonly amount?: bigint | undefined
}

/** A payment or stake delegation in a block */
export interface UserCommand {
  /** Nanomina; 0 for a delegation */
  readonly amount: bigint
  /** Height of the block that holds the command */
  readonly blockHeight: number
  /** State hash of that block */
  readonly blockStateHash: string
  /** Time of that block: ISO-8601, UTC, with milliseconds */
  readonly dateTime: string
  /** Why the command failed on the chain, in the words of the upstream: its fee was charged, and nothing else of it happened. Absent from a command that was applied. */
  readonly failureReason?: string | undefined
  /** Nanomina */
  readonly fee: bigint
  /** An account: its public key, and the number of its token */
  readonly feePayer: TokenAccount
  /** 1, the MINA token */
  readonly feeToken: number
  /** Public key of the sender */
  readonly from: string
  /** An account: its public key, and the number of its token */
  readonly fromAccount: TokenAccount
  /** Command hash: base58check, 5J…, before June 2024 Ckp… */
  readonly hash: string
  /** Command id: base64, before June 2024 base58check; absent where no upstream knows it */
  readonly id?: string | undefined
  /** False for a payment, true for a delegation */
  readonly isDelegation: boolean
  /** PAYMENT or STAKE_DELEGATION */
  readonly kind: string
  /** Base58check, as the node gives it */
  readonly memo: string
  /** Number of the command among those of its sender, from 0 */
  readonly nonce: number
  /** The account of the receiver, or of the new delegate */
  readonly receiver: {
    /** Public key: base58check, 55 characters, B62… */
    readonly publicKey: string
  }
  /** The account of the sender */
  readonly source: {
    /** Public key: base58check, 55 characters, B62… */
    readonly publicKey: string
  }
  /** `applied`, or `failed`: then its fee was charged, nothing else of it happened, and `failureReason` says why. There will be no other value. */
  readonly status: 'applied' | 'failed'
  /** Public key of the receiver, or of the new delegate */
  readonly to: string
  /** An account: its public key, and the number of its token */
  readonly toAccount: TokenAccount
  /** 1, the MINA token */
  readonly token: number
}

/** A zkApp command in a block */
export interface ZkappCommand {
  /** What the account updates declare for accounts of MINA, and of no other token: summed for each account in the order in which they name it; empty for a failed command. The fee is not in it. A sum of 0 is left out, unless `implicitAccountCreationFee` is true. So is one beyond int64, which only a command that waits can declare: `x-missing-fields` then names the list. */
  readonly balanceChanges: readonly BalanceChange[]
  /** Nanomina */
  readonly fee: bigint
  /** The account that pays the fee, whose nonce the command uses */
  readonly feePayer: {
    /** Public key: base58check, 55 characters, B62… */
    readonly publicKey: string
  }
  /** Command hash: base58check, 5J… */
  readonly hash: string
  /** ZKAPP: a payment or delegation has another. There will be no other value. */
  readonly kind: 'ZKAPP'
  /** Base58check, as the node gives it */
  readonly memo: string
  /** Number of the command among those of its fee payer, from 0 */
  readonly nonce: number
  /** The same for accounts of other tokens, every sum. Never credit one as MINA: whoever mints a token decides what it is worth. */
  readonly tokenChanges: readonly TokenChange[]
  /** Height of the block that holds the command */
  readonly blockHeight: number
  /** State hash of that block */
  readonly blockStateHash: string
  /** Time of that block: ISO-8601, UTC, with milliseconds */
  readonly dateTime: string
  /** Why the command failed on the chain, in the words of the upstream: its fee was charged, and nothing else of it happened. Absent from a command that was applied. */
  readonly failureReason?: string | undefined
  /** `applied`, or `failed`: then its fee was charged, nothing else of it happened, and `failureReason` says why. There will be no other value. */
  readonly status: 'applied' | 'failed'
}

/** A signature: two numbers as the contract has it, `{"field", "scalar"}`; or 128 hexadecimal digits, as a text or as `{"rawSignature"}` */
export type AnySignature = Signature | RawSignature | string

/** Exactly what was signed */
export interface DelegationPayload {
  /** Public key of the receiver, or of the delegate */
  readonly to: string
  /** Public key of the sender; equal to publicKey */
  readonly from: string
  /** Nanomina, decimal digits */
  readonly fee: string
  /** Nonce of the sender, decimal digits */
  readonly nonce: string
  /** As it was signed */
  readonly memo: string
  /** Last slot at which the command is valid, decimal digits */
  readonly validUntil: string
}

export interface DelegationRequest {
  /** Public key of the signer */
  readonly publicKey: string
  /** A signature: two numbers as the contract has it, `{"field", "scalar"}`; or 128 hexadecimal digits, as a text or as `{"rawSignature"}` */
  readonly signature: AnySignature
  /** Exactly what was signed */
  readonly payload: DelegationPayload
}

export interface RawSignature {
  /** 128 hexadecimal digits: field, then scalar, with the bytes of both in either order */
  readonly rawSignature: string
}

/** A signature as two numbers */
export interface Signature {
  /** X coordinate of the commitment, decimal digits */
  readonly field: string
  /** The response, decimal digits */
  readonly scalar: string
}

/** Exactly what was signed */
export interface TransactionPayload {
  /** Public key of the receiver, or of the delegate */
  readonly to: string
  /** Public key of the sender; equal to publicKey */
  readonly from: string
  /** Nanomina, decimal digits */
  readonly fee: string
  /** Nonce of the sender, decimal digits */
  readonly nonce: string
  /** As it was signed */
  readonly memo: string
  /** Last slot at which the command is valid, decimal digits */
  readonly validUntil: string
  /** Nanomina, decimal digits */
  readonly amount: string
}

export interface TransactionRequest {
  /** Public key of the signer */
  readonly publicKey: string
  /** A signature: two numbers as the contract has it, `{"field", "scalar"}`; or 128 hexadecimal digits, as a text or as `{"rawSignature"}` */
  readonly signature: AnySignature
  /** Exactly what was signed */
  readonly payload: TransactionPayload
}

export interface BlocksOptions {
  /** How many blocks. A larger number is taken for 10; anything but a whole number, 1 or more, is a 400. Default 1. */
  readonly limit?: number | undefined
}

export const blocksQuery = ['limit'] as const

export interface BlocksBeforeOptions {
  /** `header` answers `headers` in place of `blocks`: a line for each block, for charts and lists. Any other word is a 400. Default block. */
  readonly view?: 'block' | 'header' | undefined
  /** How many blocks: 1 to 10, and 10 by default. With `view=header` 1 to 100, and without a limit full pages, which end at the same heights for every caller. A larger number is taken for the largest; anything but a whole number, 1 or more, is a 400. */
  readonly limit?: number | undefined
}

export const blocksBeforeQuery = ['view', 'limit'] as const

export interface TransactionOptions {
  /** With the two others, a term that the command was signed with: public key of its sender */
  readonly from?: string | undefined
  /** With the two others, a term that the command was signed with: its nonce */
  readonly nonce?: number | undefined
  /** With the two others, a term that the command was signed with: the last slot in which it may be included; 4294967295 where it has no end */
  readonly validUntil?: number | undefined
  /** With to, fee, memo, and amount of a payment, what the command does; only beside from, nonce, valid_until: public key of its receiver, or of the new delegate */
  readonly to?: string | undefined
  /** With to, fee, memo, and amount of a payment, what the command does; only beside from, nonce, valid_until: its fee in nanomina */
  readonly fee?: bigint | undefined
  /** With to, fee, memo, and amount of a payment, what the command does; only beside from, nonce, valid_until: its memo as the chain has it, in base58check: 53 characters, E4… */
  readonly memo?: string | undefined
  /** With to, fee, memo, and amount of a payment, what the command does; only beside from, nonce, valid_until: its amount in nanomina; without it an equal delegation is the command, and a payment proves nothing */
  readonly amount?: bigint | undefined
}

export const transactionQuery = ['from', 'nonce', 'valid_until', 'to', 'fee', 'memo', 'amount'] as const

export interface AccountTransactionsOptions {
  /** How many commands: 1 to 100. Commands of one block are never divided. Default 25. */
  readonly limit?: number | undefined
  /** The `next` of the page before: commands of blocks below this one. Any account may use it. */
  readonly before?: string | undefined
}

export const accountTransactionsQuery = ['limit', 'before'] as const

export interface PoolOptions {
  /** Public key: only commands to or from it, and all of them */
  readonly account?: string | undefined
}

export const poolQuery = ['account'] as const

/** Why a broadcast was not answered with success. */
export type BroadcastCode = 'bad-nonce' | 'insufficient-funds' | 'invalid-signature' | 'fee-too-low' | 'replace-fee-too-low' | 'expired' | 'duplicate' | 'memo-too-long' | 'memo-damaged' | 'sender-unknown' | 'sender-not-permitted' | 'overflow' | 'bad-token' | 'unwanted-fee-token' | 'pool-overloaded' | 'network-paused' | 'invalid-request' | 'node-unreachable' | 'timeout' | 'other'

/** What to do about a broadcast that was not answered with success; of a code that is missing, that of any other. */
export const broadcastAdvice: Readonly<Partial<Record<string, string>> & { other: string }> = {
  'bad-nonce': 'too high: send its predecessor, or if never sent sign with the expected nonce; used: ask for its state',
  'insufficient-funds': 'wait for funds, or sign less with the same nonce',
  'invalid-signature': 'sign for this network, change nothing after it, and send it as its kind',
  'fee-too-low': 'sign with the same nonce and a higher fee',
  'replace-fee-too-low': 'if the pool has another payment of yours with it, sign with nextNonce; otherwise with the same nonce and a higher fee, or wait',
  'expired': 'sign again with the same nonce, once its state is expired with 15 blocks on top',
  'duplicate': 'send it again',
  'memo-damaged': 'send the same signed command in UTF-8',
  'memo-too-long': 'sign it again with a shorter memo',
  'sender-unknown': 'fund the account',
  'sender-not-permitted': 'pay from another account',
  'overflow': 'sign less with the same nonce',
  'pool-overloaded': 'send it again, or sign with the same nonce and a higher fee',
  'network-paused': 'send the same bytes again every minute',
  'invalid-request': 'mend the request',
  'node-unreachable': 'ask for its state',
  'timeout': 'ask for its state',
  'other': 'read the error',
}
