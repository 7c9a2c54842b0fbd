// Checks of a node: whether it is on the configured chain, is synced, has a recent tip and a correct clock, and whether its words arrive.
import { unheldValues } from '../../../shared/contract/parameters.ts'
import { maxEmptySlots, unremarkableEmptySlots } from '../../../shared/contract/tip-age.ts'
import { chainOf, chainWithId, loneChain, nameOf } from '../../../shared/deployment/networks.ts'
import { missingBlock } from '../../../shared/upstream/node-errors.ts'
import { isBootstrapping, isRefusedLoad, rustNode, saysOnly } from '../../../shared/upstream/node-query.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import type { ClockReading, NodeFacts, NodeStatus, Tip } from './node-facts.ts'
import { questionFinding } from './question.ts'

export type Network = 'mainnet' | 'devnet'

/** The chain as the settings describe it, if they do. */
export interface Expected {
  /** Those of the chains before and after a hard fork, in the order of time. */
  readonly chainIds?: readonly string[]
  readonly network?: Network
  /** The pins, in the order of time. */
  readonly genesisStateHashes?: readonly string[]
}

/** Devnet transactions are signed as `testnet`, and some daemons report that name. */
const namesOf: Readonly<Record<Network, readonly string[]>> = { mainnet: ['mainnet'], devnet: ['devnet', 'testnet'] }

/** A clock that is set by NTP is off by far less. */
const clockToleranceMs = 5000

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 100) / 10} s`

const hourMs = 3_600_000

const span = (milliseconds: number): string =>
  milliseconds < hourMs ? seconds(milliseconds) : `${Math.floor(milliseconds / hourMs)} h`

/**
 * @param chainId as node or service report it
 * @param genesis state hash of the genesis block beside it, where that is known
 */
export function chainIdFinding(subject: string, chainId: string, expected: Expected, genesis?: string): Finding {
  const { chainIds: wanted, genesisStateHashes: pins = [] } = expected
  const known = chainWithId(chainId)
  const named = known === undefined ? chainId : `${chainId}, ${nameOf(known)}`
  if (wanted === undefined) return ok(subject, `${named} (none configured to compare with)`)
  const pinned = genesis === undefined ? undefined : wanted[pins.indexOf(genesis)]
  const fitting = pinned === undefined ? wanted : [pinned]
  if (fitting.some((one) => one.toLowerCase() === chainId.toLowerCase())) return ok(subject, `${named}, as configured`)
  return fail(
    subject,
    `${named}, but ${fitting.join(', then ')} is configured`,
    'point the stage to a node of that chain; after a hard fork, set the new chain id in its settings',
  )
}

const rustFinding = fail('node', rustNode.is, `${rustNode.remedy}: the service leaves this node out`)

/** The pins come first: that a chain has ended must not hide that it is not the stage's. */
function genesisFinding(genesis: string, expected: Expected): Finding {
  const { genesisStateHashes: pins, network } = expected
  const subject = 'node genesis'
  const known = chainOf(genesis)
  const named = known === undefined ? genesis : `${genesis}, ${nameOf(known)}`
  if (pins !== undefined && !pins.includes(genesis)) {
    const remedy = 'take the node out; after a hard fork, set the new genesisStateHash in the settings'
    return fail(subject, `${named}, but ${pins.join(', then ')} is pinned`, remedy)
  }
  if (known !== undefined && network !== undefined && known.network !== network) {
    return fail(subject, `${named}, but the network is ${network}`, 'point the stage to a node of that network')
  }
  if (known?.until !== undefined) return warn(subject, named, 'upgrade the node: a hard fork has ended its chain')
  if (pins === undefined) return ok(subject, `${named} (genesisStateHash pins none)`)
  const isLast = pins.at(-1) === genesis
  return ok(subject, isLast ? `${named}, as pinned` : `${named}, as pinned, and ${pins.at(-1)} after a hard fork`)
}

function genesisFindings(tip: NodeFacts['tip'], { chainId }: NodeStatus, expected: Expected): readonly Finding[] {
  if ('missing' in tip) return []
  const lone = loneChain(tip.genesisStateHash, chainId)
  const remedy = 'take it out, and install the release of the present chain anew: its upgrade at a hard fork went wrong'
  const finding = genesisFinding(tip.genesisStateHash, expected)
  if (lone === undefined) return [finding]
  // Whatever else the genesis block says is of the chain that it once was.
  return [...(finding.level === 'fail' ? [finding] : []), fail('node chain', lone, remedy)]
}

function networkFinding(name: string | undefined, { network: wanted }: Expected): Finding {
  const subject = 'node network'
  if (name === undefined) {
    return warn(subject, 'the node does not say which network it is on', 'compare the chain id with a known one')
  }
  if (wanted === undefined) return ok(subject, `${name} (none configured to compare with)`)
  if (namesOf[wanted].includes(name.replace(/^mina:/, ''))) return ok(subject, `${name}, as configured`)
  return fail(subject, `${name}, but ${wanted} is configured`, 'point the stage to a node of that network')
}

function syncFinding({ syncStatus }: NodeStatus): Finding {
  const subject = 'node sync'
  switch (syncStatus) {
    case 'SYNCED':
      return ok(subject, syncStatus)
    case 'CATCHUP':
      return warn(subject, `${syncStatus}: it serves blocks, but not yet the newest`, 'wait until it is SYNCED')
    case 'BOOTSTRAP':
      return fail(
        subject,
        `${syncStatus}: it has no blocks yet, and the service answers 503 unless another node serves`,
        'wait until it is SYNCED, ten minutes to an hour after its start',
      )
    default:
      return fail(subject, `${syncStatus}: it has no peers`, "check the node's network access and its peer list")
  }
}

function tipFinding(
  { tip, asked }: NodeFacts,
  { consensusConfiguration }: NodeStatus,
  limitMs: number,
  now: number,
): Finding {
  const subject = 'node tip'
  if ('missing' in tip && tip.failed !== undefined) return questionFinding(subject, asked, tip.failed, limitMs)
  if ('missing' in tip) return fail(subject, tip.missing, 'wait until the node is SYNCED, then run the doctor again')
  const { slotDuration } = consensusConfiguration
  const slots = Math.floor((now - tip.date) / slotDuration)
  const age = `height ${tip.height}, ${slots} slots of ${seconds(slotDuration)} old`
  if (slots > maxEmptySlots) {
    return fail(
      subject,
      `${age}, more than ${maxEmptySlots}`,
      "check the node's peers and the chain's own health; a hard fork may have left this version of the node behind",
    )
  }
  if (slots > unremarkableEmptySlots) {
    const remedy = 'compare with another node or a public explorer: so many empty slots in a row can be chance'
    return warn(subject, age, remedy)
  }
  if (slots < -1) {
    const says = `height ${tip.height}, ${-slots} slots in the future`
    return warn(subject, says, 'check both clocks; on the day of a hard fork its chain may be yet to begin')
  }
  return ok(subject, age)
}

/** The least by which the node's clock is ahead of this machine's, in milliseconds; negative where it is behind. */
function aheadMs({ askedAt, answeredAt, from, to }: ClockReading): number {
  if (from > answeredAt) return from - answeredAt
  return to < askedAt ? to - askedAt : 0
}

function clockFinding(clocks: readonly ClockReading[]): Finding {
  const subject = 'node clock'
  const [worst] = clocks.toSorted((left, right) => Math.abs(aheadMs(right)) - Math.abs(aheadMs(left)))
  if (worst === undefined) return warn(subject, 'the node reports no time', 'compare the clocks by hand')
  const skewMs = aheadMs(worst)
  const sources = clocks.map(({ source }) => source).join(' and ')
  if (Math.abs(skewMs) <= clockToleranceMs) return ok(subject, `agrees with this machine, by ${sources}`)
  const direction = skewMs > 0 ? 'ahead of' : 'behind'
  return fail(
    subject,
    `at least ${span(Math.abs(skewMs))} ${direction} this machine, by ${worst.source}`,
    'set both clocks by NTP; the ages of blocks are wrong until then, and a node with a wrong clock loses its peers',
  )
}

const unmasked =
  "let what stands before it pass the node's error messages on as they are: maskedErrors: false in GraphQL Yoga, include_subgraph_errors in Apollo Router, a DataFetcherExceptionHandler in graphql-java; until then every unknown block is a 502, and every refused command unknown"

/** Only the node's own words say that it lacks a block, or why it refuses a command. */
function wordsFinding({ ofUnheldBlock: reply }: NodeFacts): readonly Finding[] {
  if (reply === undefined || isBootstrapping(reply) || isRefusedLoad(reply)) return []
  const subject = 'node words'
  const isMissing = saysOnly(reply, (message) => missingBlock(message) === unheldValues.state_hash)
  if (isMissing) return [ok(subject, 'arrive as it says them')]
  const words = reply.errors.join(' | ') || `no error, HTTP ${reply.status}`
  return [fail(subject, `of a block that it does not hold it says: ${words}`, unmasked)]
}

/**
 * The findings on a node. Nothing else matters about one that the service leaves out.
 *
 * @param limitMs the time-out for one call to the node
 * @param now this machine's clock, ms since 1970
 */
export function nodeFindings(facts: NodeFacts, expected: Expected, limitMs: number, now: number): Finding[] {
  if (facts.isRust) return [rustFinding]
  const reached = questionFinding('node', facts.asked, facts.status, limitMs)
  if (facts.status.state === 'failed') return [reached]
  const { daemonStatus } = facts.status.data
  return [
    reached,
    chainIdFinding('node chain id', daemonStatus.chainId, expected, tipIn(facts)?.genesisStateHash),
    networkFinding(facts.network, expected),
    ...genesisFindings(facts.tip, daemonStatus, expected),
    syncFinding(daemonStatus),
    tipFinding(facts, daemonStatus, limitMs, now),
    clockFinding(facts.clocks),
    ...wordsFinding(facts),
  ]
}

/** The node's tip; undefined where it has none. */
export const tipIn = ({ tip }: NodeFacts): Tip | undefined => ('missing' in tip ? undefined : tip)
