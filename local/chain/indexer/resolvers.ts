// The mina-indexer's queries over the embedded chain: its filters, orders and messages about malformed hashes and keys.
import { blake2b } from '@noble/hashes/blake2.js'
import { GraphQLScalarType } from 'graphql'
import type { ChainBlock } from '../block.ts'
import { accountView } from './accounts.ts'
import { check, sorted } from './arguments.ts'
import { blockView, vrfOutputBytes } from './blocks.ts'
import type { Ingested } from './ingested.ts'
import { stakes } from './stakes.ts'

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

const blocksMaxAgeSeconds = 3600
const accountsMaxAgeSeconds = 3600
const stakesMaxAgeSeconds = 86_400

/** A 64-bit integer, printed as a JSON number with all of its digits. */
const exactInteger = new GraphQLScalarType<bigint, unknown>({
  name: 'U64',
  serialize: (value) => JSON.rawJSON(String(value)),
})

function blocks(ingested: Ingested, { query, limit = 1, sortBy }: BlocksArguments): readonly ChainBlock[] {
  const { stateHash, canonical, blockHeight, genesisStateHash } = query ?? {}
  check('state hash', stateHash)
  check('genesis state hash', genesisStateHash)
  if (genesisStateHash != null && genesisStateHash !== ingested.genesisStateHash) return []
  const found = ingested.blocks.filter(
    (block) =>
      block.stateHash === (stateHash ?? block.stateHash) &&
      block.height === (blockHeight ?? block.height) &&
      (canonical == null || ingested.isCanonical(block) === canonical),
  )
  const order = sortBy ?? 'BLOCKHEIGHT_DESC'
  const rank = ({ height, slot }: ChainBlock) => (order.startsWith('BLOCK') ? height : slot)
  const list = blockHeight == null ? sorted(found, order, rank, (block) => block.stateHash) : siblings(ingested, found)
  return list.slice(0, Math.max(0, limit))
}

/** Blocks of one height: the canonical one first, then by the hash of the VRF output as in Mina, larger first. */
function siblings({ isCanonical }: Ingested, blocks: readonly ChainBlock[]): readonly ChainBlock[] {
  const hash = ({ vrfOutput }: ChainBlock) =>
    Buffer.from(blake2b(vrfOutputBytes(vrfOutput), { dkLen: 32 })).toString('hex')
  return sorted(
    blocks,
    '_DESC',
    (block) => (isCanonical(block) ? 1 : 0),
    (block) => hash(block) + block.stateHash,
  )
}

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
