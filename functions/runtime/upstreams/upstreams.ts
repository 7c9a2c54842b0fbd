// The parts from which a function is built: a chain over the nodes and the indexer of its settings.
import { createChain } from '../../../shared/chain/chain.ts'
import type { ChainOptions, Clock } from '../../../shared/chain/outside.ts'
import type { Chain } from '../../../shared/chain/port.ts'
import { createLedgerScans } from '../../../shared/upstream/ledger-scans.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import type { Settings } from '../settings/settings.ts'
import { createQuery } from './graphql.ts'

/** The time of this machine. */
export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds)
    return () => clearTimeout(timer)
  },
}

/**
 * The nodes and the indexer over HTTP, for a chain. A query is repeated once when its connection breaks, unless it is a
 * repeat already, and when its key was refused and there is a new one now; a mutation never.
 */
export function portsOver(
  { node, nodes, indexer, indexerStakes = true, extension, genesisStateHash }: Settings,
  clock = systemClock,
): ChainOptions {
  // Several nodes may answer at one address, and nothing shows whether they do.
  const all = nodes ?? [{ ...node, name: 'node', sharedAddress: true }]
  return {
    nodes: all.map((each) => ({
      name: each.name,
      sharedAddress: each.sharedAddress,
      query: createQuery(each, extension),
    })),
    indexer: indexer && createQuery(indexer, extension),
    scans: indexer && indexerStakes ? createLedgerScans(clock.now, indexer.timeoutMs) : undefined,
    clock,
    random: Math.random,
    genesisStateHash,
  }
}

/** Sends questions straight to the first node and the indexer, past the chain's rules: for the doctor. */
export function queryOver(settings: Settings): QueryUpstream {
  const { nodes, indexer } = portsOver(settings)
  return async (operation, ...question) => {
    const query = operation.upstream === 'indexer' ? indexer : nodes[0]?.query
    if (query === undefined) throw new Error(`${operation.name}: no ${operation.upstream} is configured`)
    return query(operation, ...question)
  }
}

/** The parts of a function except the parser of bodies, which not every bundle holds. */
export const portsOf = (
  settings: Settings,
): { readonly chain: Chain; readonly originSecrets: Settings['originSecrets'] } => ({
  chain: createChain(portsOver(settings)),
  originSecrets: settings.originSecrets,
})
