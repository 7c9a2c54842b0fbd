import type { Endpoint } from '../endpoint.ts'
import { nodeTip, summaryFromNode } from '../mapping/summary.ts'
import { called, listOf, nullable, operation, shape, text } from '../mapping/wire.ts'
import { dataOf, listed } from '../reply.ts'

const chainSummary = operation(
  'node',
  'query',
  'chainSummary',
  '',
  shape({
    bestChain: called('bestChain(maxLength: 1)', nullable(listOf(nodeTip))),
    daemonStatus: shape({ chainId: text }),
  }),
)

/** What is locked on chain; mainnet's vesting ended in February 2025, and no upstream knows off-chain locks. */
const lockedNanomina = 0n

/** GET /summary: the chain as its best tip tells it. */
export const getSummary: Endpoint<object> = {
  name: 'getSummary',
  method: 'GET',
  path: '/summary',
  tag: 'blockchain',
  summary: 'Summary of the current chain',
  operations: [chainSummary],

  input: () => ({}),

  async run(_input, ask) {
    const { bestChain, daemonStatus } = dataOf(chainSummary, await ask(chainSummary, {}))
    const [tip] = listed(bestChain)
    return { status: 200, body: summaryFromNode(tip, daemonStatus.chainId, lockedNanomina), maxAgeSeconds: 5 }
  },
}
