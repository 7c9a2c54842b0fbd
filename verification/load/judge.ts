// Compares an answer of the service with what it should be.
import { parseExactJson } from '../../shared/mapping/json.ts'
import type { ExpectedBody } from './complete.ts'
import { type Difference, differences } from './differences.ts'

export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * `incomplete`: correct, and `x-missing-fields` names every field that is missing. `unknowable`: a 503 for a block that
 * only the indexer has, asked for during an outage.
 */
export type Verdict = 'complete' | 'incomplete' | 'unknowable' | '5xx' | 'wrong'

export interface Judgement {
  readonly verdict: Verdict
  /** Of `5xx` and `wrong`. */
  readonly reason?: string
}

/** The fields that only an indexer knows. */
const indexerFields: ReadonlySet<string> = new Set([
  'receivedTime',
  'totalTx',
  'totalBlocks',
  'totalSnarks',
  'username',
  'epochStakingAccount',
  'nextEpochStakingAccount',
  'epochDelegators',
  'nextEpochDelegators',
  'epochTotalStakingBalance',
  'nextEpochTotalStakingBalance',
])

/** An indexer has it wrong in every block, so the block is complete without it. */
const snarkedLedgerHash = 'protocolState.blockchainState.snarkedLedgerHash'

const lacksSnarkedLedger = (body: ExpectedBody): boolean =>
  'block' in body && body.block.protocolState.blockchainState.snarkedLedgerHash === undefined

const isMissing = ({ key, actual }: Difference): boolean =>
  actual === undefined || (key === 'username' && actual === 'Unknown')

const show = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? String(item) : item)) ?? 'nothing'

function parsed(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}

/** The faults of a body whose missing fields are announced; empty for a right one. */
function faultsOf(expected: ExpectedBody, body: unknown, announced: ReadonlySet<string>): readonly string[] {
  const found = differences(expected, body)
  const missing = found.filter((difference) => announced.has(difference.key) && isMissing(difference))
  const missingKeys = new Set(missing.map(({ key }) => key))
  // A missing username looks like that of an account without one.
  const present = [...announced].filter((name) => name !== 'username' && !missingKeys.has(name))
  return [
    ...found
      .filter((difference) => !missing.includes(difference))
      .map(({ path, expected, actual }) => `${path}: expected ${show(expected)}, got ${show(actual)}`),
    ...present.map((name) => `${name} is announced as missing but present`),
  ]
}

/**
 * @param expectedBodies the complete bodies that would be right, one for each state in which the chain may have been
 *   read
 * @param mayBeUnknowable whether a 503 is right too
 * @param isBehind whether the answer is older than one that was given before, so that it may be kept for a second only
 */
export function judge(
  received: Received,
  expectedBodies: readonly ExpectedBody[],
  mayBeUnknowable: boolean,
  isBehind = false,
): Judgement {
  const { status, headers, text } = received
  const wrong = (reason: string): Judgement => ({ verdict: 'wrong', reason })
  if (status === 503 && mayBeUnknowable) return { verdict: 'unknowable' }
  if (status >= 500) return { verdict: '5xx', reason: `${status} ${text}` }
  if (status !== 200) return wrong(`${status} ${text}`)

  const announced = new Set(headers.get('x-missing-fields')?.split(',') ?? [])
  const isSnarkedLedgerNamed = announced.delete(snarkedLedgerHash)
  const knownToNode = [...announced].filter((name) => !indexerFields.has(name))
  if (knownToNode.length > 0) return wrong(`x-missing-fields names ${knownToNode.join()}, which the node knows`)
  const isForOneSecond = headers.get('cache-control')?.startsWith('public, max-age=1,') === true
  if (isForOneSecond !== announced.size > 0 && !(isForOneSecond && isBehind))
    return wrong(`cache-control: ${headers.get('cache-control')}`)

  const body = parsed(text)
  const [fewest = ['no answer would be right']] = expectedBodies
    .filter((expected) => lacksSnarkedLedger(expected) === isSnarkedLedgerNamed)
    .map((expected) => faultsOf(expected, body, announced))
    .toSorted((left, right) => left.length - right.length)
  if (fewest.length > 0) return wrong(fewest.slice(0, 2).join('; '))
  return { verdict: announced.size > 0 ? 'incomplete' : 'complete' }
}
