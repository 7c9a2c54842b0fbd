import { ask } from '../chain/actions/ask.ts'
import { requiredNetwork } from '../chain/actions/network.ts'
import type { getSummaryContract } from '../contract/endpoints/get-summary.ts'
import type { Answer } from '../http/answer.ts'
import { briefStaleness, failureCaching } from '../http/answer-headers.ts'
import { docsLinks } from '../http/docs-page.ts'
import { type LockedSupply, lockedNanominaAt } from '../mapping/locked-supply.ts'
import { lockedSupplyTable } from '../mapping/locked-supply-table.ts'
import { chainSummary, type NodeTip, summaryFromNode } from '../mapping/summary.ts'
import { type Network, networkQuery } from '../upstream/network.ts'
import { nonEmptyChain } from '../upstream/node-query.ts'
import type { Endpoint } from './endpoint.ts'

/** The tip's age and height, for metrics; nothing from a node that does not give its slot duration. */
function observation({ protocolState }: NodeTip, { constants }: Network): Pick<Answer, 'observed'> {
  if (constants === undefined) return {}
  const { blockchainState, consensusState } = protocolState
  return {
    observed: {
      tipHeight: consensusState.blockchainLength,
      tipAtMs: blockchainState.date,
      slotDurationMs: constants.slotMs,
    },
  }
}

const caching = { maxAgeSeconds: 5, ...briefStaleness }

/**
 * GET /summary with a table of locked supply.
 *
 * @param lockedSupply off-chain locks by slot, which no upstream knows; mainnet's on-chain vesting ended in February 2025
 */
export function summaryWith(lockedSupply: readonly LockedSupply[]): Endpoint<typeof getSummaryContract, object> {
  const table = lockedSupply.map(({ slot, lockedNanomina }) => `${slot}:${lockedNanomina}`).join()
  return {
    name: 'getSummary',
    method: 'GET',
    path: '/summary',
    alias: '/',
    links: docsLinks,
    tag: 'blockchain',
    summary: 'Summary of the current chain',
    caching: { 200: { complete: caching }, '5xx': { failure: failureCaching } },
    operations: [chainSummary, networkQuery],

    input: () => ({}),

    async run(_input, chain) {
      chain.networks.start()
      const { bestChain, genesisBlock } = (await ask(chain, chainSummary, {})).data
      const [tip] = nonEmptyChain(bestChain)
      const network = await requiredNetwork(chain, genesisBlock.stateHash)
      const locked = lockedNanominaAt(lockedSupply, tip.protocolState.consensusState.slotSinceGenesis)
      return {
        status: 200,
        body: summaryFromNode(tip, network.chainId, locked),
        caching,
        version: ['node', tip.stateHash, network.chainId, table],
        ...observation(tip, network),
      }
    },
  }
}

/** GET /summary: the chain at its best tip. */
export const getSummary = summaryWith(lockedSupplyTable)
