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
}

export interface TransactionsArguments {
  readonly query?: {
    readonly hash?: string | null
    readonly from?: string | null
    readonly nonce?: number | null
    readonly canonical?: boolean | null
  } | null
  readonly limit: number
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

const highestFirst = (found: readonly ChainBlock[]): readonly ChainBlock[] =>
  sorted(
    found,
    '_DESC',
    ({ height }) => height,
    ({ stateHash }) => stateHash,
  )

/**
 * The best block, or with a query the highest that fits it, canonical or not.
 *
 * @throws Panic when the database is empty
 */
export function block(ingested: Ingested, { query }: Pick<BlocksArguments, 'query'>): ChainBlock | undefined {
  const [highest] = highestFirst(matching(ingested, query))
  return query ? highest : ingested.tip
}

/**
 * Blocks that fit the query; those of a single height canonical first.
 *
 * @throws Panic when the database is empty
 */
export function blocks(ingested: Ingested, { query, limit }: BlocksArguments): readonly ChainBlock[] {
  const found = matching(ingested, query)
  const canonicalFirst = (block: ChainBlock) => (ingested.isCanonical(block) ? 1 : 0)
  const list = query?.blockHeight == null ? highestFirst(found) : sorted(found, '_DESC', canonicalFirst, placeInFork)
  return list.slice(0, atLeastOne(limit))
}

/**
 * Commands that fit the query, once for each block that holds them, canonical or not; the newest first, and those of one
 * sender in a block by nonce.
 *
 * @throws Panic when the database is empty
 */
export function transactions(ingested: Ingested, { query, limit }: TransactionsArguments) {
  const { hash, from, nonce, canonical } = query ?? {}
  if (ingested.tip === undefined) throw new Panic()
  check('txn hash', hash)
  // A mina-indexer calls it the receiver.
  if (hash == null) check('receiver public key', from)
  const found = ingested.blocks
    .filter((block) => canonical == null || ingested.isCanonical(block) === canonical)
    .flatMap((block) => commandViews(ingested, block).map((command) => ({ command, block })))
    .filter(
      ({ command }) =>
        command.hash === (hash ?? command.hash) &&
        command.from === (from ?? command.from) &&
        command.nonce === (nonce ?? command.nonce),
    )
  return sorted(
    found,
    '_DESC',
    ({ block }) => block.height,
    ({ command, block }) => (hash == null ? command.hash + block.stateHash : placeInFork(block)),
  )
    .slice(0, Math.max(0, limit))
    .map(({ command, block: { stateHash, date } }) => ({
      ...command,
      block: { stateHash, dateTime: new Date(date).toISOString() },
    }))
}
