// The mina-indexer's questions about blocks and the commands in them.
import { blake2b } from '@noble/hashes/blake2.js'
import type { ChainBlock } from '../../block.ts'
import { check, sorted } from '../arguments.ts'
import type { Ingested } from '../ingested.ts'
import { Panic } from '../panic.ts'
import { commandViews } from './command-view.ts'
import { vrfOutputBytes } from './protocol-state.ts'

export interface BlocksArguments {
  readonly query?: {
    readonly stateHash?: string | null
    readonly canonical?: boolean | null
    readonly blockHeight?: number | null
    readonly blockHeight_gte?: number | null
    readonly blockHeight_lte?: number | null
  } | null
  readonly limit: number
  readonly sortBy?: 'BLOCKHEIGHT_ASC' | 'BLOCKHEIGHT_DESC' | null
}

export interface TransactionsArguments {
  readonly query?: {
    readonly hash?: string | null
    readonly canonical?: boolean | null
    readonly zkapp?: boolean | null
    readonly from?: string | null
    readonly to?: string | null
    readonly blockHeight?: number | null
    readonly blockHeight_gt?: number | null
    readonly blockHeight_gte?: number | null
    readonly blockHeight_lt?: number | null
    readonly blockHeight_lte?: number | null
    readonly nonce?: number | null
  } | null
  readonly limit: number
  readonly sortBy?: 'BLOCKHEIGHT_ASC' | 'BLOCKHEIGHT_DESC' | null
}

/** A limit is looked at once a row is there, so that 0 gives one. */
const atLeastOne = (limit: number): number => Math.max(1, limit)

/** The order of blocks of one height in Mina: the larger hash of the VRF output wins. */
const placeInFork = ({ stateHash, vrfOutput }: ChainBlock): string =>
  Buffer.from(blake2b(vrfOutputBytes(vrfOutput), { dkLen: 32 })).toString('hex') + stateHash

function matching(ingested: Ingested, query: BlocksArguments['query']): readonly ChainBlock[] {
  const { stateHash, canonical, blockHeight } = query ?? {}
  const { blockHeight_gte: lowest = blockHeight, blockHeight_lte: highest = blockHeight } = query ?? {}
  if (ingested.tip === undefined) throw new Panic()
  check('state hash', stateHash)
  return ingested.blocks.filter(
    (block) =>
      block.stateHash === (stateHash ?? block.stateHash) &&
      block.height >= (lowest ?? 0) &&
      block.height <= (highest ?? block.height) &&
      (canonical == null || ingested.isCanonical(block) === canonical),
  )
}

const byHeight = (found: readonly ChainBlock[], order: string): readonly ChainBlock[] =>
  sorted(
    found,
    order,
    ({ height }) => height,
    ({ stateHash }) => stateHash,
  )

/**
 * The best block, or with a query the highest that fits it, canonical or not.
 *
 * @throws Panic when the database is empty
 */
export function block(ingested: Ingested, { query }: Pick<BlocksArguments, 'query'>): ChainBlock | undefined {
  const [highest] = byHeight(matching(ingested, query), '_DESC')
  return query ? highest : ingested.tip
}

/**
 * Blocks that fit the query; those of a single height canonical first.
 *
 * @throws Panic when the database is empty
 */
export function blocks(ingested: Ingested, { query, limit, sortBy }: BlocksArguments): readonly ChainBlock[] {
  const found = matching(ingested, query)
  const canonicalFirst = (block: ChainBlock) => (ingested.isCanonical(block) ? 1 : 0)
  const order = sortBy ?? '_DESC'
  const list = query?.blockHeight == null ? byHeight(found, order) : sorted(found, '_DESC', canonicalFirst, placeInFork)
  return list.slice(0, atLeastOne(limit))
}

type CommandView = ReturnType<typeof commandViews>[number]

/** The indexer finds a zkApp command under each account that it updates. */
const isTo = ({ to, zkapp }: CommandView, publicKey: string): boolean =>
  zkapp === null ? to === publicKey : zkapp.accounts_updated.some(({ pk }) => pk === publicKey)

function fits(command: CommandView, query: NonNullable<TransactionsArguments['query']>): boolean {
  const { hash, zkapp, from, to, nonce, blockHeight } = query
  const { blockHeight_gt: above, blockHeight_gte: lowest, blockHeight_lt: below, blockHeight_lte: highest } = query
  const { blockHeight: height } = command
  return (
    command.hash === (hash ?? command.hash) &&
    (zkapp == null || (command.zkapp !== null) === zkapp) &&
    command.from === (from ?? command.from) &&
    (to == null || isTo(command, to)) &&
    command.nonce === (nonce ?? command.nonce) &&
    height === (blockHeight ?? height) &&
    height > (above ?? -1) &&
    height >= (lowest ?? 0) &&
    height < (below ?? height + 1) &&
    height <= (highest ?? height)
  )
}

/**
 * Commands that fit the query, once for each block that holds them, canonical or not; by default the newest first. Those
 * from or to one key are by nonce within a block; without a key their order there shows nothing.
 *
 * @throws Panic when the database is empty
 */
export function transactions(ingested: Ingested, { query, limit, sortBy }: TransactionsArguments) {
  const { hash, from, to, canonical } = query ?? {}
  if (ingested.tip === undefined) throw new Panic()
  check('txn hash', hash)
  // A mina-indexer calls the sender the receiver, and the other way round.
  if (hash == null) check('receiver public key', from)
  if (hash == null) check('sender public key', to)
  const found = ingested.blocks
    .filter((block) => canonical == null || ingested.isCanonical(block) === canonical)
    .flatMap((block) => commandViews(ingested, block).map((command) => ({ command, block })))
    .filter(({ command }) => fits(command, query ?? {}))
  const byNonce = (nonce: number) => (from == null && to == null ? '' : String(nonce).padStart(10, '0'))
  return sorted(
    found,
    sortBy ?? '_DESC',
    ({ block }) => block.height,
    ({ command, block }) =>
      hash == null ? byNonce(command.nonce) + command.hash + block.stateHash : placeInFork(block),
  )
    .slice(0, Math.max(0, limit))
    .map(({ command, block: { stateHash, date } }) => ({
      ...command,
      block: { stateHash, dateTime: new Date(date).toISOString() },
    }))
}
