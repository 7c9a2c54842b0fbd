import { type Answer, briefOutageSeconds, type Endpoint } from '../endpoint.ts'
import { lockedSupplyTable } from '../locked-supply-table.ts'
import { bestTip } from '../mapping/best-chain.ts'
import { type LockedSupply, lockedNanominaAt } from '../mapping/locked-supply.ts'
import { type NodeTip, nodeTip, summaryFromNode } from '../mapping/summary.ts'
import { count, nullable, operation, shape, text, type Wire } from '../mapping/wire.ts'
import { dataOf, listed } from '../reply.ts'

const chainSummary = operation(
  'node',
  'query',
  'chainSummary',
  '',
  shape({
    bestChain: bestTip(nodeTip),
    daemonStatus: shape({ chainId: text, consensusConfiguration: nullable(shape({ slotDuration: count })) }),
  }),
)

type ConsensusConfiguration = Wire<typeof chainSummary.data>['daemonStatus']['consensusConfiguration']

/** What the tip tells those who watch the chain; nothing where the node keeps its slot duration to itself. */
function observation({ protocolState }: NodeTip, configuration: ConsensusConfiguration): Pick<Answer, 'observed'> {
  if (configuration === null) return {}
  const { blockchainState, consensusState } = protocolState
  return {
    observed: {
      tipHeight: consensusState.blockchainLength,
      tipAtMs: blockchainState.date,
      slotDurationMs: configuration.slotDuration,
    },
  }
}

/**
 * GET /summary with a table of locked supply.
 *
 * @param lockedSupply off-chain locks by slot, which no upstream knows; mainnet's on-chain vesting ended in February 2025
 */
export const summaryWith = (lockedSupply: readonly LockedSupply[]): Endpoint<object> => ({
  name: 'getSummary',
  method: 'GET',
  path: '/summary',
  tag: 'blockchain',
  summary: 'Summary of the current chain',
  operations: [chainSummary],

  input: () => ({}),

  async run(_input, ask) {
    const { bestChain, daemonStatus } = dataOf(chainSummary, {}, await ask(chainSummary, {}))
    const [tip] = listed(bestChain)
    const locked = lockedNanominaAt(lockedSupply, tip.protocolState.consensusState.slotSinceGenesis)
    return {
      status: 200,
      body: summaryFromNode(tip, daemonStatus.chainId, locked),
      maxAgeSeconds: 5,
      staleIfErrorSeconds: briefOutageSeconds,
      ...observation(tip, daemonStatus.consensusConfiguration),
    }
  },
})

/** GET /summary: the chain as its best tip tells it. */
export const getSummary = summaryWith(lockedSupplyTable)
