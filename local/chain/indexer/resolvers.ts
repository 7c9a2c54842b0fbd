// The mina-indexer's queries over the embedded chain: its filters, orders and messages about malformed hashes and keys.
import { GraphQLScalarType } from 'graphql'
import { accountView } from './accounts.ts'
import { check, sorted } from './arguments.ts'
import { blockView } from './blocks/block-view.ts'
import { type BlocksArguments, blocks } from './blocks/blocks.ts'
import type { Ingested } from './ingested.ts'
import { stakes } from './stakes/stakes.ts'

/** How long a cache may keep the answer: the shortest time that one of its queries allows. */
export interface CacheHint {
  maxAgeSeconds?: number | undefined
}

interface AccountsArguments {
  readonly query?: { readonly publicKey?: string | null } | null
  readonly limit: number
  readonly sortBy?: 'BALANCE_ASC' | 'BALANCE_DESC' | null
}

const blocksMaxAgeSeconds = 3600
const accountsMaxAgeSeconds = 3600
const stakesMaxAgeSeconds = 86_400

/** A 64-bit integer, printed as a JSON number with all of its digits. */
const exactInteger = new GraphQLScalarType<bigint, unknown>({
  name: 'U64',
  serialize: (value) => JSON.rawJSON(String(value)),
})

function accounts(ingested: Ingested, { query, limit, sortBy }: AccountsArguments) {
  const { publicKey } = query ?? {}
  check('public key', publicKey)
  const { tip } = ingested
  if (tip === undefined) return []
  const found = [...ingested.ledger().values()].filter(
    (account) => account.publicKey === (publicKey ?? account.publicKey),
  )
  return sorted(
    found,
    sortBy ?? 'BALANCE_DESC',
    ({ balance }) => balance,
    (account) => account.publicKey,
  )
    .slice(0, Math.max(0, limit))
    .map((account) => accountView(ingested, tip, account))
}

/**
 * Resolvers for `indexerSchemaText`; their context is a `CacheHint`.
 *
 * @param ingest reads the chain as it is now
 */
export function indexerResolvers(ingest: () => Ingested) {
  const query =
    <Arguments, Result>(maxAgeSeconds: number, resolve: (ingested: Ingested, given: Arguments) => Result) =>
    (_: unknown, given: Arguments, hint: CacheHint): Result => {
      hint.maxAgeSeconds = Math.min(hint.maxAgeSeconds ?? maxAgeSeconds, maxAgeSeconds)
      return resolve(ingest(), given)
    }
  return {
    U64: exactInteger,
    Query: {
      block: query(blocksMaxAgeSeconds, (ingested, given: BlocksArguments) => {
        const [found] = given.query ? blocks(ingested, given) : [ingested.tip]
        return found ? blockView(ingested, found) : null
      }),
      blocks: query(blocksMaxAgeSeconds, (ingested, given: BlocksArguments) =>
        blocks(ingested, given).map((block) => blockView(ingested, block)),
      ),
      accounts: query(accountsMaxAgeSeconds, accounts),
      stakes: query(stakesMaxAgeSeconds, stakes),
    },
  }
}
