// Holds an answer of the service against what it should be.
import { parseExactJson } from '../../shared/json.ts'
import { type Difference, differences } from './differences.ts'

export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * `incomplete`: right as far as it goes, and what it lacks is named. `nobody knows`: a block that only the indexer
 * could have, asked for while it was away.
 */
export type Verdict = 'complete' | 'incomplete' | 'nobody knows' | '5xx' | 'wrong'

export interface Judgement {
  readonly verdict: Verdict
  /** Why it is none of the good ones. */
  readonly reason?: string
}

/** What only an indexer knows. */
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

const isAbsence = ({ key, actual }: Difference): boolean =>
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

/** What is wrong with a body that names these fields as missing; nothing for a right one. */
function faultsOf(expected: object, body: unknown, named: ReadonlySet<string>): readonly string[] {
  const found = differences(expected, body)
  const absent = found.filter((difference) => named.has(difference.key) && isAbsence(difference))
  const absentKeys = new Set(absent.map(({ key }) => key))
  // A username that is missing looks like one that nobody has.
  const present = [...named].filter((name) => name !== 'username' && !absentKeys.has(name))
  return [
    ...found
      .filter((difference) => !absent.includes(difference))
      .map(({ path, expected, actual }) => `${path}: expected ${show(expected)}, got ${show(actual)}`),
    ...present.map((name) => `${name} is called missing and is there`),
  ]
}

/**
 * @param candidates the complete bodies that would be right, one for each state of the chain that may have been seen
 * @param mayBeUnknown whether 503 is right too: nobody can know
 */
export function judge(received: Received, candidates: readonly object[], mayBeUnknown: boolean): Judgement {
  const { status, headers, text } = received
  const wrong = (reason: string): Judgement => ({ verdict: 'wrong', reason })
  if (status === 503 && mayBeUnknown) return { verdict: 'nobody knows' }
  if (status >= 500) return { verdict: '5xx', reason: `${status} ${text}` }
  if (status !== 200) return wrong(`${status} ${text}`)

  const named = new Set(headers.get('x-missing-fields')?.split(',') ?? [])
  const foreign = [...named].filter((name) => !indexerFields.has(name))
  if (foreign.length > 0) return wrong(`x-missing-fields names ${foreign.join()}, which the node knows`)
  const isForOneSecond = headers.get('cache-control')?.startsWith('public, max-age=1,') === true
  if (isForOneSecond !== named.size > 0) return wrong(`cache-control: ${headers.get('cache-control')}`)

  const body = parsed(text)
  const [fewest = ['no answer would be right']] = candidates
    .map((candidate) => faultsOf(candidate, body, named))
    .toSorted((left, right) => left.length - right.length)
  if (fewest.length > 0) return wrong(fewest.slice(0, 2).join('; '))
  return { verdict: named.size > 0 ? 'incomplete' : 'complete' }
}
