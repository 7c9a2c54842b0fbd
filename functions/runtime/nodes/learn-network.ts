// Learns which network a node is on.
import { WireError } from '../../../shared/upstream/errors.ts'
import type { CallLimits } from '../../../shared/upstream/query.ts'
import { dataOf } from '../../../shared/upstream/reply.ts'
import { note, type Pool, portAt } from './pool-parts.ts'
import { askedForGenesis, isOfOtherNetwork, needsGenesis, nodeGenesisQuery, withGenesis } from './rules/network.ts'

/** The first listed node decides which network it is. When it is slow, the instance's first answer waits no longer. */
const firstListedPatienceMs = 500

/** The names of the nodes that are out, which what one node says can change for all. */
const otherNetworks = ({ ports, state }: Pool): readonly string[] =>
  ports.filter((_port, index) => isOfOtherNetwork(state, index)).map(({ name }) => name)

/** Asks one node, where that is due. Its failure changes nothing. */
async function learnGenesis(pool: Pool, index: number, limits: CallLimits): Promise<void> {
  const { clock } = pool
  const { signal, watch } = limits
  const startedAt = clock.now()
  if (!needsGenesis(pool.state, index, startedAt)) return
  pool.state = askedForGenesis(pool.state, index, startedAt)
  const othersBefore = otherNetworks(pool)
  const noteOutcome = (outcome: number | string) => {
    const durationMs = clock.now() - startedAt
    note(pool, index, { operation: nodeGenesisQuery.name, why: 'network', outcome, durationMs }, watch)
  }
  try {
    const reply = await portAt(pool, index).query(nodeGenesisQuery, {}, limits)
    pool.state = withGenesis(pool.state, index, dataOf(nodeGenesisQuery, {}, reply))
    noteOutcome(reply.status)
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    // It was not the node's fault, so that the next question may ask at once.
    if (signal?.aborted) pool.state = askedForGenesis(pool.state, index, Number.NEGATIVE_INFINITY)
    noteOutcome(signal?.aborted ? 'cancelled' : error.fault)
    return
  }
  for (const other of otherNetworks(pool)) {
    if (!othersBefore.includes(other)) watch?.noticed('other-network', other)
  }
}

/** Learns the network of a node, and of the first listed one while no network is known at all. */
export async function learnNetwork(pool: Pool, index: number, limits: CallLimits): Promise<void> {
  const isKnown = index === 0 || pool.state.nodes.some(({ genesis }) => genesis !== undefined)
  const limitMs = Math.min(firstListedPatienceMs, limits.limitMs ?? firstListedPatienceMs)
  await Promise.all([
    learnGenesis(pool, index, limits),
    ...(isKnown ? [] : [learnGenesis(pool, 0, { ...limits, limitMs })]),
  ])
}
