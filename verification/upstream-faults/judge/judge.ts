// Whether an answer is right, from what the upstreams really sent. Knows the rules and the contract, not the service's
// own mapping.

import { judgedEndpoints } from '../endpoints.ts'
import { at, isObject } from '../exact-json.ts'
import { cut } from '../fault.ts'
import type { Exchange } from '../setting/fault-server.ts'
import type { Received } from '../setting/service.ts'
import { bodyOf, formFaults } from './answer-form.ts'
import { differences } from './differences.ts'
import type { Evidence } from './evidence.ts'
import type { Right } from './rights/right.ts'

/** An answer of the node is replaced by a later one to the same question, but for whether it holds a block. */
const superseding = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ upstream, name, variables, document }, index) => {
    const isSame = (later: Exchange) =>
      later.name === name && JSON.stringify(later.variables) === JSON.stringify(variables)
    const isOfBlock = document.includes('block(stateHash:')
    return upstream === 'indexer' || isOfBlock || !exchanges.slice(index + 1).some(isSame)
  })

/** Why an answer is not this right one. */
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

/**
 * Tips and held blocks: the chain may have changed since they were asked for. Whether the indexer has a ledger is asked
 * before each walk, and what it turned away for a walk is put again.
 */
const mayChange = ({ name, document, variables, delivered }: Exchange): boolean =>
  /block\((?:stateHash|height):/.test(document) ||
  name === 'stakingLedger' ||
  (delivered.state === 'answer' && delivered.status === 408 && delivered.text === '') ||
  (Object.keys(variables).length === 0 && document.includes('bestChain') && !document.includes('daemonStatus'))

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

function faultsOf(evidence: Evidence): readonly string[] {
  const { scenario, received } = evidence
  const endpoint = judgedEndpoints[scenario.endpoint]
  const exchanges = scenario.signed === undefined ? superseding(evidence.exchanges) : evidence.exchanges
  const body = bodyOf(received)
  const faults = [...formFaults(endpoint, received), ...repeated(evidence), ...hashFaults(received, body)]
  const distances = endpoint.rights({ ...evidence, exchanges }).map((right) => distance(right, received, body))
  const [nearest = ['no answer is right: a question was never put']] = distances.toSorted(
    (left, right) => left.length - right.length,
  )
  if (nearest.length === 0) return faults
  const wanted = new Set(distances.filter((each) => each.length === 1).flat())
  return [...faults, wanted.size > 1 ? [...wanted].join(' or ') : nearest.slice(0, 3).join('; ')]
}

/** What is wrong with an answer, in words; nothing for a right one. */
export function judge(evidence: Evidence): readonly string[] {
  const faults = faultsOf(evidence)
  const { mayCountAsNone, exchanges } = evidence
  if (faults.length === 0 || mayCountAsNone === undefined) return faults
  const none = exchanges.map((one) => (one.name === mayCountAsNone ? { ...one, delivered: cut } : one))
  return faultsOf({ ...evidence, exchanges: none }).length === 0 ? [] : faults
}
