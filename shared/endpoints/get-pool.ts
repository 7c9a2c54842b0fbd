import type { Exchange } from '../chain/port.ts'
import type { getPoolContract } from '../contract/endpoints/get-pool.ts'
import { maxAccountPoolCommands, maxAccountPoolKeys, maxPoolCommands } from '../contract/limits.ts'
import { poolQuery } from '../contract/query/get-pool.ts'
import { type CachePolicy, failureCaching, noStaleness } from '../http/answer-headers.ts'
import { lasting, withMissingFields } from '../indexer/indexed.ts'
import { type QueryOf, queryReader } from '../mapping/query-values.ts'
import { bareZkappFromNode } from '../mapping/zkapp-command.ts'
import { bareUser } from '../transactions/bare-commands.ts'
import {
  commandsIn,
  type Listed,
  type Listing,
  listFees,
  listKeys,
  type Pooled,
  poolOperations,
  tooManyCommands,
} from '../transactions/pooled-commands.ts'
import type { Endpoint } from './endpoint.ts'

const highestFeeFirst = (left: Pick<Pooled, 'fee' | 'hash'>, right: Pick<Pooled, 'fee' | 'hash'>): number => {
  if (left.fee !== right.fee) return left.fee > right.fee ? -1 : 1
  return left.hash < right.hash ? -1 : 1
}

/** Each command once, with everything that any listing told about it. */
function unionOf(listings: readonly Listing[]): readonly Listed[] {
  const byHash = new Map<string, Listed>()
  for (const listed of listings.flatMap(({ commands }) => commands)) {
    byHash.set(listed.hash, { ...listed, ...byHash.get(listed.hash) })
  }
  return [...byHash.values()]
}

interface Found {
  /** Of the commands that wait, given or not. */
  readonly count: number
  readonly commands: readonly Pooled[]
  readonly nodes: number
}

const nodesIn = (listings: readonly Listing[]): number => new Set(listings.map(({ node }) => node)).size

/** The commands with the highest fees. */
async function dearest(chain: Exchange): Promise<Found> {
  const listings = await listFees(chain)
  const all = unionOf(listings)
  const first = all
    .map(({ hash, fee = 0n }) => ({ hash, fee }))
    .toSorted(highestFeeFirst)
    .slice(0, maxPoolCommands)
  const hashes = new Set(first.map(({ hash }) => hash))
  const found = await commandsIn(chain, listings, hashes)
  const gone = hashes.size - found.size
  return { count: all.length - gone, commands: [...found.values()], nodes: nodesIn(listings) }
}

/** All commands that concern a key. */
async function concerning(account: string, chain: Exchange): Promise<Found> {
  const listings = await listKeys(chain)
  const wanted = unionOf(listings).filter(({ keys }) => keys === undefined || keys.includes(account))
  const keys = wanted.reduce((sum, listed) => sum + (listed.keys?.length ?? 0), 0)
  if (wanted.length > maxAccountPoolCommands || keys > maxAccountPoolKeys) {
    throw tooManyCommands(wanted.length, 'More commands of this account wait than can be given at once.')
  }
  const hashes = new Set(wanted.map(({ hash }) => hash))
  const found = await commandsIn(chain, listings, hashes)
  const commands = [...found.values()].filter((pooled) => pooled.keys.includes(account))
  return { count: commands.length, commands, nodes: nodesIn(listings) }
}

/** A wallet waits for a deposit with it, so it is never served past its age. */
const current: CachePolicy = { maxAgeSeconds: 2, ...noStaleness }

/** GET /pool: the commands that wait in the pools of the nodes, all of them or those of one key. */
export const getPool: Endpoint<typeof getPoolContract, QueryOf<typeof poolQuery>> = {
  name: 'getPool',
  method: 'GET',
  path: '/pool',
  tag: 'transactions',
  summary: 'Commands that wait for a block',
  isCostly: true,
  caching: { 200: { complete: current }, '5xx': { failure: failureCaching } },
  operations: poolOperations,

  query: queryReader(poolQuery),

  input: ({ query }) => query,

  async run({ account }, chain) {
    const { count, commands, nodes } = await (account === undefined ? dearest(chain) : concerning(account, chain))
    const shown = commands
      .toSorted(highestFeeFirst)
      .map((pooled) => ('user' in pooled ? bareUser(pooled.user) : bareZkappFromNode(pooled.zkapp)))
    const body = { count, commands: shown.map(({ command }) => command), searched: { nodes } }
    const cutFields = shown.flatMap(({ cutFields }) => cutFields).map((field) => `commands.${field}`)
    return withMissingFields({ status: 200, body, caching: current }, lasting(cutFields), current)
  },
}
