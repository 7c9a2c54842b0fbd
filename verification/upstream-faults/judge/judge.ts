// Decides from the upstreams' real answers if an answer of the service is right. It knows the rules and the contract, not
// the service's mapping.
import { judgedEndpoints } from '../endpoints.ts'
import { at, isObject } from '../exact-json.ts'
import { cut } from '../fault.ts'
import type { Exchange } from '../setting/fault-server.ts'
import type { Received } from '../setting/service.ts'
import { bodyOf, formFaults } from './answer-form.ts'
import { differences } from './differences.ts'
import type { Evidence } from './evidence.ts'
import type { Right } from './rights/right.ts'
import { digitsOf } from './sent/scalars.ts'
import { sentIn } from './sent/sent.ts'
import { list } from './sent/values.ts'

/** A later answer of the node to the same question replaces an earlier one, except about the blocks that it holds. */
const superseding = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ upstream, name, variables }, index) => {
    const isSame = (later: Exchange) =>
      later.name === name && JSON.stringify(later.variables) === JSON.stringify(variables)
    const isLookUp = name === 'blockByStateHash' || name === 'blockByHeight'
    return upstream === 'indexer' || isLookUp || !exchanges.slice(index + 1).some(isSame)
  })

/** The differences between an answer and this right one. */
function distance(right: Right, { status, headers }: Received, body: unknown): readonly string[] {
  const outcome = headers['x-broadcast-outcome']
  if (status !== right.status) return [`wanted ${right.status}, got ${status}`]
  if (right.outcome !== outcome) return [`wanted the outcome ${right.outcome}, got ${outcome}`]
  const named = (headers['x-missing-fields'] ?? '').split(',').filter(Boolean).sort().join()
  const missing = [...(right.missing ?? [])].sort().join()
  const wrongNames = named === missing ? [] : [`wanted x-missing-fields "${missing}", got "${named}"`]
  const { maxSeconds = Number.POSITIVE_INFINITY } = right
  const keptSeconds = Number(/max-age=(\d+)/.exec(headers['cache-control'] ?? '')?.[1] ?? 0)
  const wrongTime = keptSeconds > maxSeconds ? [`is kept ${keptSeconds} s, wanted ${maxSeconds} at most`] : []
  const isBrief = right.isBrief ?? (missing !== '' && right.isLasting !== true)
  const isWronglyBrief = status === 200 && (keptSeconds === 1) !== isBrief
  const wrongBrevity = isWronglyBrief ? [`is kept ${keptSeconds} s, wanted ${isBrief ? 'one' : 'more'}`] : []
  const wrongHeaders = [...wrongNames, ...wrongTime, ...wrongBrevity]
  return right.body === undefined ? wrongHeaders : [...wrongHeaders, ...differences(right.body, body)]
}

/** Questions for a command's fate. */
const looks: readonly string[] = ['commandByHash', 'latestCommands', 'commandByTerms', 'findCommand']

/** Questions for what waits in the pools of several daemons. */
const poolLooks: readonly string[] = ['poolFees', 'poolHashes', 'poolCommands']

/**
 * The chain may have changed since the service asked for tips and held blocks, and another daemon behind the address may hold
 * a command. The service asks before each walk if the indexer has the ledger, and repeats a question that was turned away
 * for a walk.
 */
const mayChange = ({ name, delivered }: Exchange): boolean =>
  [...looks, ...poolLooks, 'nodeTip', 'blockByStateHash', 'blockByHeight', 'blockAtHeight', 'stakingLedger'].includes(
    name,
  ) ||
  (delivered.state === 'answer' && delivered.status === 408 && delivered.text === '')

/**
 * A question whose answer came is put once, where the answer cannot change, and once more to a node, since behind its
 * address another daemon may answer better; only a broadcast looks again. Questions of the request before may still be
 * under way, so later ones are not counted.
 */
const maxTimes = { node: 2, indexer: 1 } as const

function repeated({ scenario, exchanges, earlier }: Evidence): readonly string[] {
  if (scenario.signed !== undefined || earlier.length > 0) return []
  const answered = exchanges.filter((exchange) => exchange.delivered.state === 'answer' && !mayChange(exchange))
  const times = Map.groupBy(answered, ({ name, variables }) => `${name} ${JSON.stringify(variables)}`)
  return [...times].flatMap(([key, all]) =>
    all.some(({ upstream }) => all.length > maxTimes[upstream]) ? [`${key.slice(0, 60)} was put too often`] : [],
  )
}

function hashFaults(received: Received, body: unknown): readonly string[] {
  const named = received.headers['x-transaction-hash']
  if (received.status !== 201) return named === undefined ? [] : ['a hash in the header of a failure']
  const [command] = isObject(at(body, 'result')) ? Object.values(at(body, 'result') as object) : []
  return at(command, 'hash') === named ? [] : ['the hash in the header is another than in the body']
}

/** True if a node's tip is dated ahead of the clock, which may be wrong itself: then caches may keep the answer for a second. */
const isTipAhead = (exchanges: readonly Exchange[], nowMs: number): boolean =>
  exchanges
    .filter(({ upstream }) => upstream === 'node')
    .flatMap((exchange) => list(sentIn(exchange).data, 'bestChain'))
    .some((tip) => BigInt(digitsOf(at(tip, 'protocolState', 'blockchainState', 'date')) ?? '0') > BigInt(nowMs))

/** Finds the faults of any answer to the request that left this evidence. */
function judgeOf(evidence: Evidence): (received: Received) => readonly string[] {
  const { scenario } = evidence
  const endpoint = judgedEndpoints[scenario.endpoint]
  const exchanges = scenario.signed === undefined ? superseding(evidence.exchanges) : evidence.exchanges
  const strictly = endpoint.rights({ ...evidence, exchanges })
  const isBriefToo = isTipAhead(exchanges, scenario.nowMs ?? Date.now())
  const rights = isBriefToo ? [...strictly, ...strictly.map((right) => ({ ...right, isBrief: true }))] : strictly
  const questions = repeated(evidence)
  return (received) => {
    const body = bodyOf(received)
    const faults = [...formFaults(endpoint, received), ...questions, ...hashFaults(received, body)]
    const distances = rights.map((right) => distance(right, received, body))
    const [nearest = ['no answer is right: a question was never put']] = distances.toSorted(
      (left, right) => left.length - right.length,
    )
    if (nearest.length === 0) return faults
    const wanted = new Set(distances.filter((each) => each.length === 1).flat())
    return [...faults, wanted.size > 1 ? [...wanted].join(' or ') : nearest.slice(0, 3).join('; ')]
  }
}

/** @returns the faults of an answer in words, empty for a right one */
export function judging(evidence: Evidence): (received: Received) => readonly string[] {
  const strict = judgeOf(evidence)
  const { mayCountAsNone, exchanges } = evidence
  if (mayCountAsNone === undefined) return strict
  const none = exchanges.map((one) => (one.name === mayCountAsNone ? { ...one, delivered: cut } : one))
  const lenient = judgeOf({ ...evidence, exchanges: none })
  return (received) => {
    const faults = strict(received)
    return faults.length > 0 && lenient(received).length === 0 ? [] : faults
  }
}
