// How an answer can break between node and service, in the shapes in which the port returns it.
import { pick, type Random } from '../../../local/chain/random.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { Reply } from '../../../shared/upstream/query.ts'
import type { GraphQlAnswer } from '../chain/answers.ts'

/** What can happen to the answer of an operation that a node has executed. */
export const brokenAnswers = [
  'null data',
  'errors with data',
  'cut',
  'reset',
  '502',
  'time-out',
  'HTML',
  'wrong type',
  'mixed up',
  'slow',
] as const

/** A request that reaches its node only after the service has given up on it. */
export const late = 'late'

export type BrokenAnswer = (typeof brokenAnswers)[number]

/** How the service notices that an operation has reached no node. */
export const lostRequests = ['reset', '502', 'time-out'] as const

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The data with one value of another type. */
function corrupted(random: Random, data: Readonly<Record<string, unknown>>): object {
  const key = pick(random, Object.keys(data))
  const value = data[key]
  const isDeeper = isRecord(value) && Object.keys(value).length > 0 && random() < 0.7
  return { ...data, [key]: isDeeper ? corrupted(random, value) : pick(random, ['', true, -1, [{}]]) }
}

/** The answer to a mutation, with another command of the same shape; the answer to a search does not change. */
function mixedUp(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { hash, amount } = value
  if (typeof hash === 'string' && typeof amount === 'string') {
    return { ...value, amount: `${amount}1`, hash: `${hash}x` }
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mixedUp(inner)]))
}

/**
 * The reply that the port returns.
 *
 * @throws WireError where no complete answer came
 */
export function breakAnswer(random: Random, how: BrokenAnswer, { data, errors }: GraphQlAnswer): Reply {
  switch (how) {
    case 'null data':
      return { status: 200, data: null, errors: [] }
    case 'errors with data':
      return { status: 200, data: random() < 0.5 ? data : null, errors: [...errors, 'Did not fetch typename'] }
    case 'wrong type':
      return { status: 200, data: data === null ? undefined : corrupted(random, data), errors: [] }
    case 'mixed up':
      return { status: 200, data: mixedUp(data), errors }
    case 'HTML':
      return { status: 200, data: undefined, errors: [] }
    case '502':
      return { status: 502, data: undefined, errors: [] }
    case 'time-out':
      throw new WireError('timeout', how)
    case 'slow':
      return { status: 200, data, errors }
    default:
      throw new WireError('unreachable', how)
  }
}
