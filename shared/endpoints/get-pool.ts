import type { ChainView } from '../chain/port.ts'
import type { getPoolContract } from '../contract/endpoints/get-pool.ts'
import { maxAccountPoolCommands, maxAccountPoolKeys, maxPoolCommands } from '../contract/limits.ts'
import { poolQuery } from '../contract/query/get-pool.ts'
import { current, failureCaching } from '../http/answer-headers.ts'
import { lasting, withMissingFields } from '../indexer/indexed.ts'
import { keyOption, type QueryOf, queryReader } from '../mapping/query-values.ts'
import { bareZkappFromNode } from '../mapping/zkapp-command.ts'
import { bareUser } from '../transactions/bare-commands.ts'
import { askPayers, type BestTip, bestTipOf, type TipAnswer } from '../transactions/best-tip.ts'
import {
  commandsIn,
  type Listing,
  listPools,
  type PoolEntry,
  type Pooled,
  poolOperations,
  tooManyCommands,
} from '../transactions/pooled-commands.ts'
import type { Tip } from '../upstream/query.ts'
import type { Endpoint } from './endpoint.ts'

const highestFeeFirst = (left: Pick<Pooled, 'fee' | 'hash'>, right: Pick<Pooled, 'fee' | 'hash'>): number => {
  if (left.fee !== right.fee) return left.fee > right.fee ? -1 : 1
  return left.hash < right.hash ? -1 : 1
}

/** Each command once, with everything that any listing says about it. */
function unionOf(listings: readonly Listing[]): readonly PoolEntry[] {
  const byHash = new Map<string, PoolEntry>()
  for (const listed of listings.flatMap(({ commands }) => commands)) {
    byHash.set(listed.hash, { ...listed, ...byHash.get(listed.hash) })
  }
  return [...byHash.values()]
}

/** A command whose fee no listing shows comes last. */
const withFee = (listed: PoolEntry) => ({ fee: 0n, ...listed })

const hashOf = ({ hash }: PoolEntry): string => hash

/** True if the command can no longer be included at the best tip; false if its payer, or the payer's nonce, is unknown. */
const isOver = ({ payer }: Pick<PoolEntry, 'payer'>, best: BestTip): boolean =>
  payer !== undefined && best.isOver(payer)

const isChecked = ({ payer }: Pick<PoolEntry, 'payer'>, best: BestTip): boolean =>
  payer !== undefined && best.isChecked(payer)

/** Each command once, without those that can no longer be included at the best tip of these answers. */
function openIn(listings: readonly Listing[]): readonly PoolEntry[] {
  const best = bestTipOf(listings)
  return unionOf(listings).filter((each) => !isOver(each, best))
}

interface Found {
  /** Of all waiting commands, given or not. */
  readonly count: number
  /** Those of them that may be in a block. */
  readonly unchecked: number
  readonly commands: readonly Pooled[]
  /** Number of node addresses that answered. */
  readonly nodes: number
  /** The tip that judged them. */
  readonly tip: Tip | undefined
}

interface Search {
  readonly listings: readonly Listing[]
  /** The commands to be counted. */
  readonly wanted: readonly PoolEntry[]
  /** Those of them to give in full. */
  readonly given: readonly PoolEntry[]
  /** Applied again once a command is known in full. */
  readonly concerns: (listed: PoolEntry) => boolean
}

/** The fee payers of commands about which the best tip says nothing, the highest fees first. */
const openPayers = (commands: readonly PoolEntry[], best: BestTip): readonly string[] =>
  commands
    .filter((each) => !(isOver(each, best) || isChecked(each, best)))
    .map(withFee)
    .toSorted(highestFeeFirst)
    .flatMap(({ payer }) => (payer === undefined ? [] : [payer.from]))

const hasTipOf = (answers: readonly TipAnswer[], { tip: { stateHash } }: TipAnswer): boolean =>
  answers.some(({ tip }) => tip.stateHash === stateHash)

/** Commands in full, without those that can no longer be included at the best tip. */
async function waiting({ listings, wanted, given, concerns }: Search, chain: ChainView): Promise<Found> {
  const listed = bestTipOf(listings)
  const listedPayers = new Set(openPayers(wanted, listed))
  const [{ found, answers }, early] = await Promise.all([
    commandsIn(chain, listings, new Set(given.map(hashOf))),
    askPayers([...listedPayers], listed, chain),
  ])
  const gone = new Set(given.map(hashOf).filter((hash) => !found.has(hash)))
  const known = wanted
    .filter(({ hash }) => !gone.has(hash))
    .map((listed) => withFee({ ...listed, ...found.get(listed.hash) }))
    .filter(concerns)
  const seen = [...listings, ...answers, ...early.answers]
  const shown = bestTipOf(seen)
  const payers = openPayers(known, shown)
  // Asks again for a payer only if the tip has moved on since.
  const hasMoved = shown.answers.some((each) => !hasTipOf([...listed.answers, ...early.answers], each))
  const unasked = hasMoved ? payers : payers.filter((each) => !listedPayers.has(each))
  const asked = await askPayers(unasked, shown, chain)
  const best = bestTipOf(seen, asked.answers)
  const left = known.filter((each) => !isOver(each, best))
  return {
    count: left.length,
    unchecked: left.filter((each) => !isChecked(each, best)).length,
    commands: left.flatMap(({ hash }) => found.get(hash) ?? []),
    nodes: new Set(listings.map(({ node }) => node)).size,
    tip: best.answers[0]?.tip,
  }
}

/** The commands with the highest fees. */
async function dearest(chain: ChainView): Promise<Found> {
  const listings = await listPools(chain, 'fees')
  const wanted = openIn(listings)
  const given = wanted.map(withFee).toSorted(highestFeeFirst).slice(0, maxPoolCommands)
  return waiting({ listings, wanted, given, concerns: () => true }, chain)
}

/** All commands that concern a key. */
async function concerning(account: string, chain: ChainView): Promise<Found> {
  const concerns = ({ keys }: Pick<PoolEntry, 'keys'>) => keys === undefined || keys.includes(account)
  const listings = await listPools(chain, 'keys')
  const wanted = openIn(listings).filter(concerns)
  const keys = wanted.reduce((sum, listed) => sum + (listed.keys?.length ?? 0), 0)
  if (wanted.length > maxAccountPoolCommands || keys > maxAccountPoolKeys) {
    throw tooManyCommands(wanted.length, 'More commands of this account wait than can be given at once.')
  }
  return waiting({ listings, wanted, given: wanted, concerns }, chain)
}

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

  query: queryReader(poolQuery, { key: keyOption }),

  input: ({ query }) => query,

  async run({ account }, chain) {
    const { count, unchecked, commands, nodes, tip } = await (account === undefined
      ? dearest(chain)
      : concerning(account, chain))
    const shown = commands
      .toSorted(highestFeeFirst)
      .map((pooled) => ('user' in pooled ? bareUser(pooled.user) : bareZkappFromNode(pooled.zkapp)))
    const body = {
      count,
      ...(unchecked > 0 && { unchecked }),
      commands: shown.map(({ command }) => command),
      searched: { nodes },
    }
    const cutFields = shown.flatMap(({ cutFields }) => cutFields).map((field) => `commands.${field}`)
    return withMissingFields({ status: 200, body, caching: current, tip }, lasting(cutFields), current)
  },
}
