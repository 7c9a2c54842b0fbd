// The mina-indexer's queries over the embedded chain: its filters, orders and messages about malformed hashes and keys.
import { GraphQLError, GraphQLScalarType } from 'graphql'
import { decodeBase58Check, isPublicKey, isStateHash } from '../../../shared/mapping/base58check.ts'
import type { ChainBlock } from '../block.ts'
import type { Account } from '../ledger/ledger.ts'
import { accountView } from './accounts.ts'
import { blockView } from './blocks.ts'
import type { Ingested } from './ingested.ts'
import { delegationsIn, findLedger, stakeView } from './stakes.ts'

/** How long a cache may keep the answer: the shortest time that one of its queries allows. */
export interface CacheHint {
  maxAgeSeconds?: number | undefined
}

interface BlocksArguments {
  readonly query?: {
    readonly stateHash?: string | null
    readonly canonical?: boolean | null
    readonly blockHeight?: number | null
    readonly genesisStateHash?: string | null
  } | null
  readonly limit?: number
  readonly sortBy?: 'BLOCKHEIGHT_DESC' | 'BLOCKHEIGHT_ASC' | 'GLOBALSLOT_ASC' | 'GLOBALSLOT_DESC' | null
}

interface AccountsArguments {
  readonly query?: { readonly publicKey?: string | null } | null
  readonly limit: number
  readonly sortBy?: 'BALANCE_ASC' | 'BALANCE_DESC' | null
}

interface StakesArguments {
  readonly query?: {
    readonly epoch?: number | null
    readonly delegate?: string | null
    readonly ledgerHash?: string | null
    readonly genesisStateHash?: string | null
    readonly public_key?: string | null
  } | null
  readonly limit: number
  readonly sortBy?: 'BALANCE_DESC' | 'BALANCE_ASC' | 'STAKE_DESC' | 'STAKE_ASC' | null
}

const blocksMaxAgeSeconds = 3600
const accountsMaxAgeSeconds = 3600
const stakesMaxAgeSeconds = 86_400

/** A 64-bit integer, printed as a JSON number with all of its digits. */
const exactInteger = new GraphQLScalarType<bigint, unknown>({
  name: 'U64',
  serialize: (value) => JSON.rawJSON(String(value)),
})

/** `j…`, 51 characters. */
function isLedgerHash(text: string): boolean {
  const payload = text.length === 51 ? decodeBase58Check(text) : undefined
  return payload?.length === 34 && payload[0] === 0x05 && payload[1] === 0x01
}

function check(what: string, text: string | null | undefined, isWellFormed: (text: string) => boolean): void {
  if (text != null && !isWellFormed(text)) throw new GraphQLError(`Invalid ${what}: ${text}`)
}

const ascending = (left: bigint | number, right: bigint | number): number => (left < right ? -1 : left > right ? 1 : 0)

function sorted<T>(items: readonly T[], order: string, keyOf: (item: T) => bigint | number): T[] {
  const sign = order.endsWith('_ASC') ? 1 : -1
  return items.toSorted((left, right) => sign * ascending(keyOf(left), keyOf(right)))
}

function blocks(ingested: Ingested, { query, limit = 1, sortBy }: BlocksArguments): readonly ChainBlock[] {
  const { stateHash, canonical, blockHeight, genesisStateHash } = query ?? {}
  check('state hash', stateHash, isStateHash)
  check('genesis state hash', genesisStateHash, isStateHash)
  if (genesisStateHash != null && genesisStateHash !== ingested.genesisStateHash) return []
  const order = sortBy ?? 'BLOCKHEIGHT_DESC'
  const found = ingested.blocks.filter(
    (block) =>
      block.stateHash === (stateHash ?? block.stateHash) &&
      block.height === (blockHeight ?? block.height) &&
      (canonical == null || ingested.isCanonical(block) === canonical),
  )
  // Canonical blocks are newer than the abandoned ones of their height.
  return sorted(found.toReversed(), order, ({ height, slot }) => (order.startsWith('BLOCK') ? height : slot)).slice(
    0,
    Math.max(0, limit),
  )
}

function accounts(ingested: Ingested, { query, limit, sortBy }: AccountsArguments) {
  const { publicKey } = query ?? {}
  check('public key', publicKey, isPublicKey)
  const { tip } = ingested
  if (tip === undefined) return []
  const found = [...ingested.ledger().values()].filter(
    (account) => account.publicKey === (publicKey ?? account.publicKey),
  )
  return sorted(found, sortBy ?? 'BALANCE_DESC', ({ balance }) => balance)
    .slice(0, Math.max(0, limit))
    .map((account) => accountView(ingested, tip, account))
}

function stakes(ingested: Ingested, { query, limit, sortBy }: StakesArguments) {
  const { epoch, delegate, ledgerHash, genesisStateHash, public_key: publicKey } = query ?? {}
  check('ledger hash', ledgerHash, isLedgerHash)
  check('genesis state hash', genesisStateHash, isStateHash)
  if (genesisStateHash != null && genesisStateHash !== ingested.genesisStateHash) return []
  const ledger = findLedger(ingested, epoch, ledgerHash)
  if (ledger === undefined) return []
  const delegations = delegationsIn(ledger.accounts)
  const found = [...ledger.accounts.values()].filter(
    (account) =>
      account.publicKey === (publicKey ?? account.publicKey) && account.delegate === (delegate ?? account.delegate),
  )
  const order = sortBy ?? 'STAKE_DESC'
  const rank = ({ balance, publicKey }: Account) =>
    order.startsWith('BALANCE') ? balance : (delegations.get(publicKey)?.nanomina ?? 0n)
  return sorted(found, order, rank)
    .slice(0, Math.max(0, limit))
    .map((account) => stakeView(ingested, ledger, account, delegations.get(account.publicKey)))
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
