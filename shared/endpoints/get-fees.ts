import { ask } from '../chain/actions/ask.ts'
import { latestBlocks } from '../chain/actions/recent-commands.ts'
import type { getFeesContract } from '../contract/endpoints/get-fees.ts'
import { briefStaleness, failureCaching } from '../http/answer-headers.ts'
import { percentile, sortedFees, suggestedFees } from '../mapping/fees.ts'
import { nodeQuery, nonEmptyChain } from '../upstream/node-query.ts'
import { called, count, hash, instant, listOf, nanomina, shape, type Wire } from '../upstream/wire.ts'
import type { Endpoint } from './endpoint.ts'

const userFees = listOf(shape({ fee: nanomina }))
const zkappFees = listOf(shape({ zkappCommand: shape({ feePayer: shape({ body: shape({ fee: nanomina }) }) }) }))

const paidBlock = shape({
  protocolState: shape({
    blockchainState: shape({ date: instant }),
    consensusState: shape({ blockHeight: count }),
  }),
  stateHash: hash,
  transactions: shape({ userCommands: userFees, zkappCommands: zkappFees }),
})

const latestFees = nodeQuery('latestFees', '', {
  bestChain: latestBlocks(paidBlock),
  pooledUserCommands: called('pooledUserCommands', userFees),
  pooledZkappCommands: called('pooledZkappCommands', zkappFees),
})

/** In nanomina. */
const feesOf = (users: Wire<typeof userFees>, zkapps: Wire<typeof zkappFees>): readonly bigint[] => [
  ...users.map(({ fee }) => fee),
  ...zkapps.map(({ zkappCommand }) => zkappCommand.feePayer.body.fee),
]

const caching = { maxAgeSeconds: 15, ...briefStaleness }

/** GET /fees: what the latest commands paid, and what the next one should pay. */
export const getFees: Endpoint<typeof getFeesContract, object> = {
  name: 'getFees',
  method: 'GET',
  path: '/fees',
  tag: 'transactions',
  summary: 'What commands pay, and what to pay',
  caching: { 200: { complete: caching }, '5xx': { failure: failureCaching } },
  operations: [latestFees],

  input: () => ({}),

  async run(_input, chain) {
    const { bestChain, pooledUserCommands, pooledZkappCommands } = (await ask(chain, latestFees, {})).data
    const blocks = nonEmptyChain(bestChain)
    const included = sortedFees(
      blocks.flatMap(({ transactions }) => feesOf(transactions.userCommands, transactions.zkappCommands)),
    )
    const pooled = sortedFees(feesOf(pooledUserCommands, pooledZkappCommands))
    const [min, median, p75] = [included[0], percentile(included, 50), percentile(included, 75)]
    const { economy, normal, fast } = suggestedFees(included, pooled)
    return {
      status: 200,
      body: {
        blocks: blocks.length,
        included: {
          count: included.length,
          ...(min !== undefined && { min: String(min) }),
          ...(median !== undefined && { median: String(median) }),
          ...(p75 !== undefined && { p75: String(p75) }),
        },
        pool: { count: pooled.length },
        suggested: { economy: String(economy), normal: String(normal), fast: String(fast) },
      },
      caching,
    }
  },
}
