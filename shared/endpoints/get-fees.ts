import { ask } from '../chain/actions/ask.ts'
import { searchedChain } from '../chain/actions/recent-commands.ts'
import type { Answered } from '../chain/outcome.ts'
import type { ChainView } from '../chain/port.ts'
import type { getFeesContract } from '../contract/endpoints/get-fees.ts'
import { briefStaleness, failureCaching } from '../http/answer-headers.ts'
import { ledgerNoncesIn } from '../mapping/command.ts'
import { percentile, sortedFees, suggestedFees } from '../mapping/fees.ts'
import { payerOf } from '../mapping/paid-zkapp.ts'
import { askPayers, bestTipOf, type PayerNonce, payerNonces, tipBlocks } from '../transactions/best-tip.ts'
import { nodeBusy } from '../upstream/errors.ts'
import { nodeQuery, nonEmptyChain, tipBlockFields } from '../upstream/node-query.ts'
import { called, count, listOf, nanomina, nullable, shape, shortText, type Wire } from '../upstream/wire.ts'
import type { Endpoint } from './endpoint.ts'

const paidUser = { fee: nanomina, from: shortText, nonce: count }
const userFees = listOf(shape(paidUser))
const queuedFees = listOf(shape({ ...paidUser, source: shape({ nonce: nullable(count) }) }))
const zkappPayer = shape({ body: shape({ fee: nanomina, nonce: count, publicKey: shortText }) })
const zkappFees = listOf(shape({ zkappCommand: shape({ feePayer: zkappPayer }) }))

const paidBlock = shape({
  ...tipBlockFields,
  transactions: shape({ userCommands: userFees, zkappCommands: zkappFees }),
})

const latestFees = nodeQuery('latestFees', '', {
  bestChain: searchedChain(paidBlock),
  pooledUserCommands: called('pooledUserCommands', queuedFees),
  pooledZkappCommands: called('pooledZkappCommands', zkappFees),
})

interface FeeOfPayer extends PayerNonce {
  /** In nanomina. */
  readonly fee: bigint
}

const feesOfPayers = (users: Wire<typeof userFees>, zkapps: Wire<typeof zkappFees>): readonly FeeOfPayer[] => [
  ...users,
  ...zkapps.map((zkapp) => ({ ...payerOf(zkapp), fee: zkapp.zkappCommand.feePayer.body.fee })),
]

const feesIn = (commands: readonly FeeOfPayer[]): readonly bigint[] => sortedFees(commands.map(({ fee }) => fee))

type Latest = Answered<Wire<typeof latestFees.data>>

/** The pool's commands that wait, and how many of them may be in a block by now. */
async function waitingIn({ data, node, tip }: Latest, chain: ChainView) {
  if (tip === undefined) throw nodeBusy('latestFees: the node shows no tip')
  const { pooledUserCommands, pooledZkappCommands } = data
  const queued = feesOfPayers(pooledUserCommands, pooledZkappCommands)
  const answer = { node, tip, nonces: ledgerNoncesIn(pooledUserCommands), blocks: tipBlocks(data.bestChain) }
  const shown = bestTipOf([answer])
  const open = queued
    .filter((each) => !(shown.isOver(each) || shown.isChecked(each)))
    .toSorted((left, right) => (left.fee > right.fee ? -1 : 1))
  const payers = open.map(({ from }) => from)
  const asked = await askPayers(payers, shown, chain)
  const best = bestTipOf([answer], asked.answers)
  const left = queued.filter((each) => !best.isOver(each))
  return { fees: feesIn(left), unchecked: left.filter((each) => !best.isChecked(each)).length }
}

const caching = { maxAgeSeconds: 15, ...briefStaleness }

/** GET /fees: what the latest commands paid, and what the next one should pay. */
export const getFees: Endpoint<typeof getFeesContract, object> = {
  name: 'getFees',
  method: 'GET',
  path: '/fees',
  tag: 'transactions',
  summary: 'What commands pay, and what to pay',
  caching: { 200: { complete: caching }, '5xx': { failure: failureCaching } },
  operations: [latestFees, payerNonces],

  input: () => ({}),

  async run(_input, chain) {
    const latest = await ask(chain, latestFees, {})
    const blocks = nonEmptyChain(latest.data.bestChain)
    const included = feesIn(
      blocks.flatMap(({ transactions }) => feesOfPayers(transactions.userCommands, transactions.zkappCommands)),
    )
    const { fees: pooled, unchecked } = await waitingIn(latest, chain)
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
        pool: { count: pooled.length, ...(unchecked > 0 && { unchecked }) },
        suggested: { economy: String(economy), normal: String(normal), fast: String(fast) },
      },
      caching,
      tip: latest.tip,
    }
  },
}
