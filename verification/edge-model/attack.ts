// An attacker who wants each request to cost the node something. Every request is another one, so that no cache has it.
import { createRandom } from '../../local/chain/random.ts'
import type { TimedRequest } from './cache.ts'
import { accountPath, blockPath, unknownLabel } from './ids.ts'
import { viewerRequest } from './viewer-request.ts'

/** Targets of a kind, other ones in each turn; some with a method before the target. */
type Kind = (turn: number) => readonly string[]

const zeros = (turn: number): string => '0'.repeat(1 + (turn % 500))
const slashes = (turn: number): string => '/'.repeat(1 + (turn % 900))

/** Requests that are not well-formed. Those with an answer at all ask for what visitors ask for, in other words. */
export const malformed: readonly Kind[] = [
  // Limits.
  (turn) => [`/blocks?limit=${11 + turn}`, `/blocks?limit=${'9'.repeat(3 + (turn % 90))}`],
  (turn) => [`/blocks?limit=${zeros(turn)}1`, `/blocks?limit=${zeros(turn)}10`],
  (turn) => [`-${turn}`, `${turn}.5`, `a${turn}`, zeros(turn), `%31${turn}x`].map((limit) => `/blocks?limit=${limit}`),
  // Repeated keys, and unknown ones.
  (turn) => [`/blocks?limit=1&limit=${turn}`, `/blocks?limit=10&%6Cimit=${turn}`, `/summary?a=${turn}&a=${turn}`],
  (turn) => [`/summary?_=${turn}`, `/?_=${turn}`, `/blocks?limit=10&page=${turn}`, `/blocks?Limit=${turn}`],
  (turn) => [`/blocks?limit%00=${turn}`, `/summary?limit=${turn}`],
  // Encodings, case, slashes.
  (turn) => [`/summary%3Fx=${turn}`, `/%73ummary?x=${turn}`, `/blocks%2F${turn}`, `/blocks/%33N${turn}`],
  (turn) => [`/summary%00${turn}`, `/summary%${turn}`],
  (turn) => [`/Summary?x=${turn}`, `/BLOCKS?limit=${turn}`, `/Accounts/B62q${turn}`],
  (turn) => [`/${slashes(turn)}summary`, `//blocks${slashes(turn)}`, `/blocks/${slashes(turn)}?limit=10`],
  // Ids.
  (turn) => [`/blocks/3N${turn}`, blockPath(`${turn}`).replace('x', '0'), blockPath(`${turn}`).replace('3N', '4N')],
  (turn) => [`${blockPath(`${turn}`)}1`, accountPath(`${turn}`).replace('x', 'l'), `/accounts/B62q${turn}`],
  (turn) => [accountPath(`${turn}`).toLowerCase()],
  // Paths and methods.
  (turn) => [`/${turn}`, `/summary/${turn}`, `/blocks/${turn}/${turn}`],
  (turn) => [`DELETE /summary?x=${turn}`, `PUT /blocks/${turn}`, `OPTIONS /blocks?limit=${turn}`],
]

/** Ids of the right form that nobody has, and files that the docs page does not have. */
export const unknownIds: readonly Kind[] = [
  (turn) => [blockPath(`${unknownLabel}${turn}`)],
  (turn) => [accountPath(`${unknownLabel}${turn}`)],
  (turn) => [`/docs/${turn}.js`],
]

interface Attack {
  readonly seed: string
  readonly variants: readonly Kind[]
  /** Requests a second. */
  readonly rate: number
  readonly durationMs: number
}

/** Requests as a Poisson process, each kind as often as the others; at equal distances they would fall in step with a throttle. */
export function* attack({ seed, variants, rate, durationMs }: Attack): Generator<TimedRequest> {
  const random = createRandom(`${seed} attack`)
  for (let at = 0, sent = 0; ; sent += 1) {
    at -= Math.log(1 - random()) * (1000 / rate)
    if (at >= durationMs) return
    const turn = Math.floor(sent / variants.length)
    const targets = variants[sent % variants.length]?.(turn) ?? []
    const [target = '/', method = 'GET'] = (targets[turn % targets.length] ?? '/').split(' ').reverse()
    yield { ...viewerRequest(method, target), at, isHostile: true }
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
