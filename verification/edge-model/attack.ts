// An attacker who wants each request to cost the node something. Every request is another one, so that no cache has it.
import { createRandom } from '../../local/chain/random.ts'
import { memoFromText } from '../../shared/mapping/command.ts'
import type { TimedRequest } from './cache.ts'
import { accountPath, blockPath, heightPath, transactionPath, unknownLabel, unreachedHeight } from './ids.ts'
import { viewerRequest } from './viewer-request.ts'

const key = accountPath(unknownLabel).slice('/accounts/'.length)

/** All terms of a payment, in the form that the edge admits. */
const termsOfTurn = (turn: number): string =>
  `from=${key}&nonce=${turn}&valid_until=4294967295&to=${key}&fee=1&memo=${memoFromText('')}&amount=1`

/** Ids of the right form that nobody has, one with endless terms, heights, and files that the docs page does not have, another one in each turn. */
const targets: readonly ((turn: number) => string)[] = [
  (turn) => blockPath(`${unknownLabel}${turn}`),
  (turn) => accountPath(`${unknownLabel}${turn}`),
  (turn) => transactionPath(`${unknownLabel}${turn}`),
  // One hash, endless terms: each is another cache key.
  (turn) => `${transactionPath(unknownLabel)}?${termsOfTurn(turn)}`,
  (turn) => heightPath(1 + turn),
  (turn) => heightPath(unreachedHeight + turn),
  (turn) => `/docs/${turn}.js`,
]

interface Attack {
  readonly seed: string
  /** Requests a second. */
  readonly rate: number
  readonly durationMs: number
}

/** Requests as a Poisson process, each kind as often as the others; at equal distances they would fall in step with a throttle. */
export function* attack({ seed, rate, durationMs }: Attack): Generator<TimedRequest> {
  const random = createRandom(`${seed} attack`)
  for (let at = 0, sent = 0; ; sent += 1) {
    at -= Math.log(1 - random()) * (1000 / rate)
    if (at >= durationMs) return
    const target = targets[sent % targets.length]?.(Math.floor(sent / targets.length)) ?? '/'
    yield { ...viewerRequest('GET', target), at, isHostile: true }
  }
}

/** Two sequences as one, in the order of their times. */
export function* merged(first: Iterable<TimedRequest>, second: Iterable<TimedRequest>): Generator<TimedRequest> {
  const rest = second[Symbol.iterator]()
  let next = rest.next()
  for (const request of first) {
    for (; !next.done && next.value.at <= request.at; next = rest.next()) yield next.value
    yield request
  }
  for (; !next.done; next = rest.next()) yield next.value
}
