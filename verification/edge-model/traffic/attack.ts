// An attacker who wants each request to cost the node something. Every request is another one, so that no cache has it.
import { createRandom } from '../../../local/chain/random.ts'
import type { TimedRequest } from '../cache.ts'
import { accountPath, blockPath, unknownLabel } from './ids.ts'
import { viewerRequest } from './viewer-request.ts'

type Variant = (turn: number) => readonly [target: string, method?: string]

/**
 * Requests that are not well-formed, by what is odd about them. Those with an answer at all ask for what visitors ask for, in
 * other words.
 */
export const malformed: Readonly<Record<string, readonly Variant[]>> = {
  'limits above ten': [
    (turn) => [`/blocks?limit=${11 + turn}`],
    (turn) => [`/blocks?limit=${'9'.repeat(3 + (turn % 90))}`],
  ],
  'limits with zeros': [
    (turn) => [`/blocks?limit=${'0'.repeat(1 + (turn % 500))}1`],
    (turn) => [`/blocks?limit=${'0'.repeat(1 + (turn % 500))}10`],
  ],
  'limits that are none': [
    (turn) => [`/blocks?limit=-${turn}`],
    (turn) => [`/blocks?limit=${turn}.5`],
    (turn) => [`/blocks?limit=a${turn}`],
    (turn) => [`/blocks?limit=${'0'.repeat(1 + (turn % 500))}`],
    (turn) => [`/blocks?limit=%31${turn}x`],
  ],
  'repeated keys': [
    (turn) => [`/blocks?limit=1&limit=${turn}`],
    (turn) => [`/blocks?limit=10&%6Cimit=${turn}`],
    (turn) => [`/summary?a=${turn}&a=${turn}`],
  ],
  'unknown keys': [
    (turn) => [`/summary?_=${turn}`],
    (turn) => [`/blocks?limit=10&page=${turn}`],
    (turn) => [`/blocks?Limit=${turn}`],
    (turn) => [`/blocks?limit%00=${turn}`],
    (turn) => [`/summary?limit=${turn}`],
  ],
  encodings: [
    (turn) => [`/summary%3Fx=${turn}`],
    (turn) => [`/%73ummary?x=${turn}`],
    (turn) => [`/blocks%2F${turn}`],
    (turn) => [`/blocks/%33N${turn}`],
    (turn) => [`/summary%00${turn}`],
    (turn) => [`/summary%${turn}`],
  ],
  case: [(turn) => [`/Summary?x=${turn}`], (turn) => [`/BLOCKS?limit=${turn}`], (turn) => [`/Accounts/B62q${turn}`]],
  slashes: [
    (turn) => [`${'/'.repeat(2 + (turn % 900))}summary`],
    (turn) => [`//blocks${'/'.repeat(1 + (turn % 900))}`],
    (turn) => [`/blocks//${'/'.repeat(turn % 900)}?limit=10`],
  ],
  'malformed ids': [
    (turn) => [`/blocks/3N${turn}`],
    (turn) => [blockPath(`${turn}`).replace('x', '0')],
    (turn) => [blockPath(`${turn}`).replace('3N', '4N')],
    (turn) => [`${blockPath(`${turn}`)}1`],
    (turn) => [accountPath(`${turn}`).replace('x', 'l')],
    (turn) => [accountPath(`${turn}`).toLowerCase()],
    (turn) => [`/accounts/B62q${turn}`],
  ],
  'unknown paths': [(turn) => [`/${turn}`], (turn) => [`/summary/${turn}`], (turn) => [`/blocks/${turn}/${turn}`]],
  'other methods': [
    (turn) => [`/summary?x=${turn}`, 'DELETE'],
    (turn) => [`/blocks/${turn}`, 'PUT'],
    (turn) => [`/blocks?limit=${turn}`, 'OPTIONS'],
  ],
}

/** Ids of the right form that nobody has, and files that the docs page does not have. */
export const unknownIds: Readonly<Record<string, readonly Variant[]>> = {
  'unknown hashes': [(turn) => [blockPath(`${unknownLabel}${turn}`)]],
  'unknown keys': [(turn) => [accountPath(`${unknownLabel}${turn}`)]],
  'unknown files': [(turn) => [`/docs/${turn}.js`]],
}

interface Attack {
  readonly seed: string
  readonly variants: Readonly<Record<string, readonly Variant[]>>
  /** Requests a second. */
  readonly rate: number
  readonly durationMs: number
}

/** Requests as a Poisson process, each kind as often as the others; at equal distances they would fall in step with a throttle. */
export function* attack({ seed, variants, rate, durationMs }: Attack): Generator<TimedRequest> {
  const random = createRandom(`${seed} attack`)
  const kinds = Object.values(variants)
  if (kinds.length === 0) return
  for (let at = 0, sent = 0; ; sent += 1) {
    at -= Math.log(1 - random()) * (1000 / rate)
    if (at >= durationMs) return
    const kind = kinds[sent % kinds.length] ?? []
    const turn = Math.floor(sent / kinds.length)
    const [target, method = 'GET'] = kind[turn % kind.length]?.(turn) ?? ['/']
    yield { ...viewerRequest(method, target), at, isHostile: true }
  }
}

/** Two sequences as one, in the order of their times. */
export function* merged(first: Iterable<TimedRequest>, second: Iterable<TimedRequest>): Generator<TimedRequest> {
  const rest = second[Symbol.iterator]()
  let next = rest.next()
  for (const request of first) {
    while (!next.done && next.value.at <= request.at) {
      yield next.value
      next = rest.next()
    }
    yield request
  }
  for (; !next.done; next = rest.next()) yield next.value
}
