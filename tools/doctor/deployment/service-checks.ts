// Checks of the deployed service's bodies: its height against the node's, and exact numbers.
import { type Labelled, type Reads, ServiceError } from '../../../packages/client/src/client.ts'
import type { Health } from '../../../shared/contract/health.ts'
import { minaDecimal } from '../../../shared/mapping/amounts.ts'
import { count, listOf, nanomina, shape, text, type Wire, type WireType } from '../../../shared/upstream/wire.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import type { Tip } from '../upstreams/node-facts.ts'
import { reasonOf } from './probe.ts'

const summaryBody = shape({ blockchainLength: count, chainId: text, stateHash: text, totalCurrency: text })

const blockBody = shape({
  blockHeight: count,
  creator: text,
  stateHash: text,
  protocolState: shape({ consensusState: shape({ totalCurrency: nanomina }) }),
})

const withCommands = shape({ transactions: shape({ userCommands: listOf(shape({ hash: text })) }) })

export type SummaryBody = Wire<typeof summaryBody>
export type BlockBody = Wire<typeof blockBody>

/** No answer at all, and why. */
export interface Unanswered {
  readonly failure: string
}

/** The client believes the contract; the doctor does not. */
async function bodyOf<Body>(
  reading: Promise<Labelled<unknown>>,
  type: WireType<Body>,
): Promise<Body | Unanswered | undefined> {
  try {
    return type.read((await reading).value, '')
  } catch (error) {
    const isUnanswered = error instanceof ServiceError && error.status === 0
    return isUnanswered ? { failure: reasonOf(error.cause) } : undefined
  }
}

/** The summary; undefined for any other answer. */
export const readSummary = (service: Pick<Reads, 'summary'>): Promise<SummaryBody | Unanswered | undefined> =>
  bodyOf(service.summary(), summaryBody)

/** A block; undefined for any other answer, and for none. */
export async function readBlock(service: Pick<Reads, 'block'>, stateHash: string): Promise<BlockBody | undefined> {
  const block = await bodyOf(service.block(stateHash), blockBody)
  return block && 'failure' in block ? undefined : block
}

/** A command of the latest blocks; undefined where they have none, or for any other answer. */
export async function readTransactionHash(service: Pick<Reads, 'blocks'>): Promise<string | undefined> {
  const blocks = await bodyOf(service.blocks({ limit: 10 }), listOf(withCommands))
  if (blocks === undefined || 'failure' in blocks) return undefined
  return blocks.flatMap(({ transactions }) => transactions.userCommands)[0]?.hash
}

/** Compares the total currency, whose 19 digits do not survive a floating-point number on the way. */
export function exactnessFinding(summary: SummaryBody, block: BlockBody): Finding {
  const subject = 'exact numbers'
  const inBlock = minaDecimal(block.protocolState.consensusState.totalCurrency)
  if (inBlock === summary.totalCurrency) return ok(subject, `${inBlock} MINA in block and summary`)
  return fail(
    subject,
    `the total currency is ${inBlock} MINA in the block and ${summary.totalCurrency} MINA in the summary`,
    'look for a proxy or filter between the service and here that parses and prints JSON',
  )
}

/** Past this distance a cache or the service's node is stuck. */
const maxBlocksBehind = 2

/** @param node the tip of the stage's node, read before the summary */
export function heightFinding(summary: SummaryBody, node: Tip): Finding {
  const subject = 'service height'
  const behind = node.height - summary.blockchainLength
  if (behind <= maxBlocksBehind) return ok(subject, `${summary.blockchainLength}, the node is at ${node.height}`)
  return warn(
    subject,
    `${summary.blockchainLength}, ${behind} blocks behind the node`,
    'check that the service uses this node, and that no cache keeps answers beyond their max-age',
  )
}

/** Passes on the service's view of its upstreams, which the doctor may not reach itself. */
export function healthFinding({ status, tipAgeSlots, nodes, indexer, refusedQuestions }: Health): Finding {
  const subject = 'service health'
  const says = [
    `${status}: ${nodes.synced} of ${nodes.listed} nodes synced`,
    ...(tipAgeSlots === undefined ? [] : [`slots since the tip ${tipAgeSlots}`]),
    ...(indexer === undefined ? [] : [indexerWords(indexer)]),
    ...(refusedQuestions === undefined ? [] : [`a node does not know all fields of ${refusedQuestions.join(' and ')}`]),
  ].join(', ')
  if (status === 'ok') return ok(subject, says)
  return warn(
    subject,
    says,
    'examine the one that is not: npm run doctor -- --stage X, from a network that reaches them',
  )
}

const indexerWords = ({ lag }: NonNullable<Health['indexer']>): string =>
  lag === undefined ? 'no answer of an indexer on their network' : `the indexer ${lag} blocks behind`
