// The mina-indexer's queries over the embedded chain: its filters, orders and messages about malformed hashes and keys.
import { GraphQLScalarType } from 'graphql'
import { accountView } from './accounts.ts'
import { check, sorted } from './arguments.ts'
import { blockView } from './blocks/block-view.ts'
import { type BlocksArguments, block, blocks, transactions } from './blocks/blocks.ts'
import type { Ingested } from './ingested.ts'
import { Panic } from './panic.ts'
import { stakes } from './stakes/stakes.ts'

/** Facts about an answer besides its data. */
export interface AnswerNotes {
  /** Seconds for which a cache may keep it: the shortest time that one of its queries allows. */
  maxAgeSeconds?: number | undefined
  /** The connection is cut in place of an answer. */
  panicked?: boolean
}

export interface AnswerContext {
  readonly notes: AnswerNotes
}

interface AccountsArguments {
  readonly query?: { readonly publicKey?: string | null } | null
  readonly limit: number
}

const blocksMaxAgeSeconds = 3600
const accountsMaxAgeSeconds = 3600
const stakesMaxAgeSeconds = 86_400

/** A 64-bit integer, printed as a JSON number with all of its digits. */
export const exactInteger = new GraphQLScalarType<bigint, unknown>({
  name: 'U64',
  serialize: (value) => JSON.rawJSON(String(value)),
})

function accounts(ingested: Ingested, { query, limit }: AccountsArguments) {
  const { publicKey } = query ?? {}
  check('public key', publicKey)
  const { tip } = ingested
  if (tip === undefined) return []
  const found = [...ingested.ledger().values()].filter(
    (account) => account.publicKey === (publicKey ?? account.publicKey),
  )
  return sorted(
    found,
    '_DESC',
    ({ balance }) => balance,
    (account) => account.publicKey,
  )
    .slice(0, Math.max(0, limit))
    .map((account) => accountView(ingested, tip, account))
}

/**
 * Resolvers for the queries of `indexerSchemaText`; their context is an `AnswerContext`.
 *
 * @param ingest reads the chain as it is now
 */
export function indexerResolvers(ingest: () => Ingested) {
  const query =
    <Arguments, Result>(maxAgeSeconds: number | undefined, resolve: (ingested: Ingested, given: Arguments) => Result) =>
    (given: Arguments, { notes }: AnswerContext): Result => {
      const ages = [notes.maxAgeSeconds, maxAgeSeconds].filter((age) => age !== undefined)
      notes.maxAgeSeconds = ages.length === 0 ? undefined : Math.min(...ages)
      try {
        return resolve(ingest(), given)
      } catch (error) {
        notes.panicked ||= error instanceof Panic
        throw error
      }
    }
  return {
    block: query(blocksMaxAgeSeconds, (ingested, given: BlocksArguments) => {
      const found = block(ingested, given)
      return found ? blockView(ingested, found) : null
    }),
    blocks: query(blocksMaxAgeSeconds, (ingested, given: BlocksArguments) =>
      blocks(ingested, given).map((found) => blockView(ingested, found)),
    ),
    accounts: query(accountsMaxAgeSeconds, accounts),
    stakes: query(stakesMaxAgeSeconds, stakes),
    transactions: query(undefined, transactions),
    version: () => '0.2.0',
  }
}
