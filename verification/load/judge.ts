// Compares an answer of the service with what it should be.
import { at, isObject, parseJson } from '../upstream-faults/exact-json.ts'
import { differences } from '../upstream-faults/judge/differences.ts'

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
  'epochDelegatorCount',
  'nextEpochDelegatorCount',
  'epochTotalStakingBalance',
  'nextEpochTotalStakingBalance',
])

/** An indexer has it wrong in every block, so the block is complete without it. */
const snarkedLedgerHash = 'protocolState.blockchainState.snarkedLedgerHash'

const lacksSnarkedLedger = (body: object): boolean =>
  at(body, 'block') !== undefined && at(body, 'block', ...snarkedLedgerHash.split('.')) === undefined

/** An indexer does not show what pays the fee for a new account, so neither does a block of it with an applied zkApp command. */
const creationFees = 'transactions.zkappCommands.balanceChanges.implicitAccountCreationFee'

function lacksCreationFees(body: object): boolean {
  const commands = at(body, 'block', 'transactions', 'zkappCommands')
  const hasApplied = Array.isArray(commands) && commands.some((command) => at(command, 'failureReason') === undefined)
  return hasApplied && lacksSnarkedLedger(body)
}

/** For an indexer's block, the service reads it with a second query, which can fail alone. */
const epochLength = 'protocolState.consensusState.stakingEpochData.epochLength'

/** The body without its staking epoch length, in a list; an empty list if it has none. */
function withoutEpochLength(body: object): readonly object[] {
  const keys = ['block', ...epochLength.split('.')]
  if (at(body, ...keys) === undefined) return []
  const without = (value: unknown, [key = '', ...further]: readonly string[]): object => {
    const { [key]: inner, ...others } = Object(value)
    return further.length === 0 ? others : { ...others, [key]: without(inner, further) }
  }
  return [without(body, keys)]
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/**
 * The expected value without the announced fields that the actual one lacks.
 *
 * @param lacking receives their names
 */
function withoutMissing(
  expected: unknown,
  actual: unknown,
  announced: ReadonlySet<string>,
  lacking: Set<string>,
): unknown {
  const inner = (value: unknown, key: string | number) => withoutMissing(value, at(actual, key), announced, lacking)
  if (Array.isArray(expected)) return expected.map(inner)
  if (!isObject(expected)) return expected
  const kept = Object.entries(expected).flatMap(([key, value]) => {
    const found = at(actual, key)
    const isMissing = announced.has(key) && (found === undefined || (key === 'username' && found === 'Unknown'))
    if (!isMissing) return [[key, inner(value, key)]]
    lacking.add(key)
    return found === undefined ? [] : [[key, found]]
  })
  return Object.fromEntries(kept)
}

/** The faults of a body whose missing fields are announced; empty for a right one. */
function faultsOf(expected: object, body: unknown, announced: ReadonlySet<string>): readonly string[] {
  // A missing username looks like that of an account without one.
  const lacking = new Set(['username'])
  const complete = announced.size === 0 ? expected : withoutMissing(expected, body, announced, lacking)
  const faults = differences(complete, body)
  const present = [...announced].filter((name) => !lacking.has(name))
  return [...faults, ...present.map((name) => `${name} is announced as missing but present`)]
}

/**
 * @param expectedBodies the complete bodies that would be right, one for each state in which the chain may have been
 *   read
 * @param mayBeUnknowable whether a 503 is right too
 * @param isBehind whether the answer is older than one that was given before, so that it may be kept for a second only
 */
export function judge(
  received: Received,
  expectedBodies: readonly object[],
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
  const areCreationFeesNamed = announced.delete(creationFees)
  const isEpochLengthNamed = isSnarkedLedgerNamed && announced.delete(epochLength)
  const knownToNode = [...announced].filter((name) => !indexerFields.has(name))
  if (knownToNode.length > 0) return wrong(`x-missing-fields names ${knownToNode.join()}, which the node knows`)
  const isIncomplete = announced.size > 0 || isEpochLengthNamed
  const isForOneSecond = headers.get('cache-control')?.startsWith('public, max-age=1,') === true
  if (isForOneSecond !== isIncomplete && !(isForOneSecond && isBehind))
    return wrong(`cache-control: ${headers.get('cache-control')}`)

  const body = parsed(text)
  const candidates = expectedBodies
    .filter(
      (expected) =>
        lacksSnarkedLedger(expected) === isSnarkedLedgerNamed && lacksCreationFees(expected) === areCreationFeesNamed,
    )
    .flatMap((expected) => (isEpochLengthNamed ? withoutEpochLength(expected) : [expected]))
  // Most answers are right, and the first candidate shows it.
  const faultsIn = (expected: object) => faultsOf(expected, body, announced)
  if (!candidates.some((expected) => faultsIn(expected).length === 0)) {
    const [fewest = ['no answer would be right']] = candidates
      .map(faultsIn)
      .toSorted((left, right) => left.length - right.length)
    return wrong(fewest.slice(0, 2).join('; '))
  }
  return { verdict: isIncomplete ? 'incomplete' : 'complete' }
}
