// Checks of the deployed service's bodies: its height against the node's, and exact numbers.
import { parseExactJson } from '../../shared/mapping/json.ts'
import { minaDecimal } from '../../shared/mapping/units.ts'
import { count, nanomina, shape, text, type Wire, type WireType } from '../../shared/upstream/wire.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import type { Tip } from '../upstreams/node-facts.ts'
import type { Probe } from './probe.ts'

const summaryBody = shape({ blockchainLength: count, chainId: text, stateHash: text, totalCurrency: text })

const blockBody = shape({
  block: shape({
    creator: text,
    stateHash: text,
    protocolState: shape({ consensusState: shape({ totalCurrency: nanomina }) }),
  }),
})

export type SummaryBody = Wire<typeof summaryBody>
export type BlockBody = Wire<typeof blockBody>['block']

function bodyOf<Body>(answer: Probe, type: WireType<Body>): Body | undefined {
  if ('failure' in answer || answer.status !== 200) return undefined
  try {
    return type.read(parseExactJson(answer.text), '')
  } catch {
    return undefined
  }
}

/** The body of `GET /summary`; undefined for any other answer. */
export const readSummary = (answer: Probe): SummaryBody | undefined => bodyOf(answer, summaryBody)

/** The block in an answer; undefined for any other answer. */
export const readBlock = (answer: Probe): BlockBody | undefined => bodyOf(answer, blockBody)?.block

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
const mostBlocksBehind = 2

/** @param node the tip of the stage's node, read before the summary */
export function heightFinding(summary: SummaryBody, node: Tip): Finding {
  const subject = 'service height'
  const behind = node.height - summary.blockchainLength
  if (behind <= mostBlocksBehind) return ok(subject, `${summary.blockchainLength}, the node is at ${node.height}`)
  return warn(
    subject,
    `${summary.blockchainLength}, ${behind} blocks behind the node`,
    'check that the service uses this node, and that no cache keeps answers beyond their max-age',
  )
}
