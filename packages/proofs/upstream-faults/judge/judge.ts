// Judges an answer under a fault by the answer without it. It knows the contract's words about failures and missing fields,
// and no field of any answer.
import { shapeFaults } from '../baseline/contract.ts'
import { judgedEndpoints } from '../endpoints.ts'
import { at, type Path, textOf } from '../exact-json.ts'
import type { Fault } from '../fault.ts'
import type { Exchange } from '../setting/fault-server.ts'
import type { Received } from '../setting/service.ts'
import { bodyOf, formFaults, keptSeconds, missingIn } from './answer-form.ts'
import { compared, told } from './comparison.ts'
import type { Evidence } from './evidence.ts'
import { isTrue, rightFailures } from './failures.ts'

/** Fields that no indexer has. Whoever serves its block never has them, and names the first alone. */
const neverIndexed = {
  named: 'protocolState.blockchainState.snarkedLedgerHash',
  unnamed: ['block.snarkJobs.workIds', 'block.transactions.userCommands.id'],
  /** An indexer has these in an order of another kind. */
  ordered: /^block\.(?:transactions\.feeTransfer|snarkJobs)\b/,
}

/** Of a zkApp command; a node's block has it. */
const creationFees = 'transactions.zkappCommands.balanceChanges.implicitAccountCreationFee'

/** A block may have no epoch before its own that tells the length. */
const mayLackForEver: readonly string[] = [
  neverIndexed.named,
  'protocolState.consensusState.stakingEpochData.epochLength',
]

const placeOf = (path: Path): string => path.filter((step) => typeof step === 'string').join('.')

/** Without the name of the answer's only part. */
const nameOf = (path: Path): string => placeOf(path).replace(/^\w+\./, '')

/** The faults of an answer that lacks fields which the usual one has. */
export function partFaults(
  usual: Received,
  given: Received,
  { mayLeaveOut, mayBeIndexed }: Pick<Partial<Fault>, 'mayLeaveOut' | 'mayBeIndexed'> = {},
): readonly string[] {
  const [usualBody, body] = [bodyOf(usual), bodyOf(given)]
  const { absent, others } = compared(usualBody, body)
  const named = missingIn(given)
  // An account without a name looks like one whose name is not known.
  const isUnnamed = (path: Path) => placeOf(path) === 'account.username' && (mayLeaveOut || named.includes('username'))
  const isIndexed = named.includes(neverIndexed.named)
  /** A node names every reason, an indexer one of them. */
  const isOneReason = (path: Path) =>
    mayBeIndexed &&
    placeOf(path) === 'block.transactions.zkappCommands.failureReason' &&
    textOf(at(usualBody, ...path))
      .split(', ')
      .includes(textOf(at(body, ...path)))
  const isByIndexer = (path: Path) => isIndexed && (neverIndexed.ordered.test(placeOf(path)) || isOneReason(path))
  const wrong = others.filter((path) => !(isUnnamed(path) && at(body, ...path) === 'Unknown') && !isByIndexer(path))
  const unnamed = absent.filter(
    (path) => !named.includes(nameOf(path)) && !(isIndexed && neverIndexed.unnamed.includes(placeOf(path))),
  )
  const usuallyNamed = missingIn(usual)
  const lacking = [...absent, ...others.filter(isUnnamed)].map(nameOf)
  const invented = named.filter(
    (name) => !usuallyNamed.includes(name) && !lacking.includes(name) && name !== 'username',
  )
  const forgotten = usuallyNamed.filter((name) => !named.includes(name))
  const mayLast = mayBeIndexed ? [...mayLackForEver, creationFees] : mayLackForEver
  const isLasting = named.every((name) => usuallyNamed.includes(name) || mayLast.includes(name))
  return [
    ...told(usualBody, body, wrong),
    ...(mayLeaveOut ? [] : unnamed.map((path) => `${placeOf(path)} is absent without a word`)),
    ...invented.map((name) => `${name} is there, and called missing`),
    ...forgotten.map((name) => `${name} is not called missing`),
    ...(isLasting || keptSeconds(given) === 1 ? [] : [`kept ${keptSeconds(given)} s without all its fields`]),
  ]
}

/** Tell of the node that was asked, which a fault may hide. */
const aboutTips = /^x-(?:chain-(?:height|state-hash|time)|node-sync)$|^etag$/

/** The differences of two answers with the same body. */
function headerFaults(usual: Received, given: Received, isHarmless: boolean, mayBeShorter: boolean): readonly string[] {
  const names = [...new Set([...Object.keys(usual.headers), ...Object.keys(given.headers)])]
  return names.flatMap((name) => {
    const [wanted, got] = [usual.headers[name], given.headers[name]]
    const isShorter = name === 'cache-control' && keptSeconds(given) <= keptSeconds(usual)
    const isHidden = aboutTips.test(name) && got === undefined
    // What is final is tagged by its version, the same before that by its body.
    const isUnsettled = name === 'etag' && keptSeconds(given) < keptSeconds(usual)
    // Of a broadcast's outcome the truth decides.
    const isFree = name === 'retry-after' || name.startsWith('x-broadcast-')
    const isExcused = (!isHarmless && (isShorter || isHidden || isUnsettled || isFree)) || (mayBeShorter && isShorter)
    return wanted === got || isExcused ? [] : [`${name}: wanted ${wanted}, got ${got}`]
  })
}

const timesAsked = (exchanges: readonly Exchange[]): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(exchanges, ({ name }) => name)].map(([name, all]) => [name, all.length]))

/** Behind one address three daemons may have to be asked for what one of them does not know. */
const maxAsked = 4
/** The same for the blocks at two heights: the one that was asked for, and the one by which the indexer is judged. */
const maxHeightsAsked = 6
/** A single address is asked twice to describe its network, each with a repeat, and `/health` puts that question once by itself. */
const maxNetworksAsked = 5
const mostAskedOf: ReadonlyMap<string, number> = new Map([
  ['blockAtHeight', maxHeightsAsked],
  ['nodeNetwork', maxNetworksAsked],
])
/** Every sending to a node is a risk. */
const maxSent = 2

/** Without trouble every question is asked as often as ever, and with it twice as often. A broadcast goes on looking. */
function askingFaults({ usual, exchanges }: Evidence, isHarmless: boolean): readonly string[] {
  // A failure ends the questions that are still under way.
  const isCounted = isHarmless && usual.received.status < 400
  const usually = timesAsked(usual.exchanges)
  return [...timesAsked(exchanges)].flatMap(([name, times]) => {
    const known = usually.get(name) ?? 0
    if (!isCounted && name === 'findCommand') return []
    const mostAsked = mostAskedOf.get(name) ?? maxAsked
    const most = isCounted ? known : name.startsWith('send') ? maxSent : Math.max(mostAsked, 2 * known)
    return times > most ? [`${name} was put ${times} times, wanted ${most} at most`] : []
  })
}

function hashFaults(given: Received): readonly string[] {
  const named = given.headers['x-transaction-hash']
  const [command] = Object.values(Object(at(bodyOf(given), 'result')))
  const wanted = given.status === 201 ? at(command, 'hash') : undefined
  return named === wanted ? [] : [`x-transaction-hash: wanted ${wanted}, got ${named}`]
}

/** A caller that has either body keeps it when it sees the tag again. */
function tagFaults(usual: Received, given: Received): readonly string[] {
  const { etag } = given.headers
  if (etag === undefined || etag !== usual.headers.etag || given.text === usual.text) return []
  const { absent, others } = compared(bodyOf(usual), bodyOf(given))
  return absent.length + others.length === 0 ? [] : ['another body has the same entity tag']
}

/** @returns the faults of an answer in words, empty for a right one */
export function judging(evidence: Evidence): (given: Received) => readonly string[] {
  const { scenario, usual, exchanges, spoiling, turn } = evidence
  const endpoint = judgedEndpoints[scenario.endpoint]
  const spoilt = exchanges.find((exchange) => exchange.name === spoiling?.operation && !isTrue(exchange))
  const isDoubted = spoiling?.fault.mayCountAsNone === true || spoiling?.fault.condition !== undefined
  const isHarmless = spoilt === undefined && !isDoubted
  // An instance that was shown a greater height believes for a while that what comes after lags behind.
  const mayBeShorter = turn === 'next' && evidence.fault?.kind === 'list'
  // An instance makes up for what it could not learn.
  const asking = turn === 'fault' ? askingFaults(evidence, isHarmless) : []

  function contentFaults(given: Received): readonly string[] {
    const [usualBody, body] = [bodyOf(usual.received), bodyOf(given)]
    const { absent, others: differing } = compared(usualBody, body)
    // A failed broadcast tells the status of the node's answer; the form of its text is checked.
    const others = differing.filter((path) => !(scenario.signed !== undefined && path[0] === 'error'))
    const isSame = usual.received.status === given.status && absent.length + others.length === 0
    const headers = isSame || isHarmless ? headerFaults(usual.received, given, isHarmless, mayBeShorter) : []
    if (isHarmless) {
      const isStatus = usual.received.status === given.status
      const status = isStatus ? [] : [`wanted ${usual.received.status}, got ${given.status}`]
      return [...status, ...told(usualBody, body, [...absent, ...others]), ...headers]
    }
    const own = endpoint.truth?.(evidence, given)
    if (own !== undefined || isSame) return [...(own ?? []), ...headers]
    if (given.status === usual.received.status && given.status < 300)
      return [...partFaults(usual.received, given, spoiling?.fault ?? {}), ...shapeFaults(scenario.endpoint, given)]
    const anyExchange = spoilt ?? exchanges.find(({ name }) => name === spoiling?.operation)
    const failures =
      spoiling && anyExchange
        ? rightFailures(spoiling.fault, anyExchange, scenario, endpoint.tooLong !== undefined)
        : []
    return failures.includes(given.status)
      ? []
      : [`wanted ${[usual.received.status, ...failures].join(' or ')}, got ${given.status}`]
  }

  const { maxSeconds = Number.POSITIVE_INFINITY } = spoiling?.fault ?? {}
  const timeFaults = (given: Received) =>
    keptSeconds(given) > maxSeconds ? [`kept ${keptSeconds(given)} s, wanted ${maxSeconds} at most`] : []

  return (given) => [
    ...formFaults(endpoint, given),
    ...asking,
    ...hashFaults(given),
    ...tagFaults(usual.received, given),
    ...timeFaults(given),
    ...contentFaults(given),
  ]
}
