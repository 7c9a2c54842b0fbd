// The ways in which an answer breaks between node and service.

import { WireError } from '../../../../shared/upstream/errors.ts'
import type { Reply } from '../../../../shared/upstream/query.ts'
import { pick, type Random } from '../../../testnet/random.ts'
import type { GraphQlAnswer } from '../../node-answers.ts'

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

type Break = (answer: GraphQlAnswer, random: Random) => Reply

const nothing: Break = () => {
  throw new WireError('unreachable', 'the connection broke')
}

/** Makes of the answer to an executed operation what the port returns or throws. */
export const breaks = {
  'null data': () => ({ status: 200, data: null, errors: [] }),
  'errors with data': ({ data, errors }, random) => ({
    status: 200,
    data: random() < 0.5 ? data : null,
    errors: [...errors, 'Did not fetch typename'],
  }),
  cut: nothing,
  reset: nothing,
  'HTTP 502': () => ({ status: 502, data: undefined, errors: [] }),
  'time-out': () => {
    throw new WireError('timeout', 'time-out')
  },
  HTML: () => ({ status: 200, data: undefined, errors: [] }),
  'wrong type': ({ data }, random) => ({
    status: 200,
    data: data === null ? undefined : corrupted(random, data),
    errors: [],
  }),
  'mixed up': ({ data, errors }) => ({ status: 200, data: mixedUp(data), errors }),
  slow: (answer) => ({ status: 200, ...answer }),
} satisfies Record<string, Break>

export type BrokenAnswer = keyof typeof breaks

export const brokenAnswers = Object.keys(breaks) as readonly BrokenAnswer[]

/** A request that reaches its node only after the service has given up on it. */
export const late = 'late'

/** Signs for the service that an operation has reached no node. */
export const lostRequests = ['reset', 'HTTP 502', 'time-out'] as const
