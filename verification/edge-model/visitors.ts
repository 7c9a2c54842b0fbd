// An explorer's visitors, and the chain that they look at.
import { createRandom, integerBetween, type Random } from '../../local/chain/random.ts'
import type { TimedRequest } from './cache.ts'
import { accountPath, blockPath, finalLabel } from './ids.ts'
import { frontierBlocks } from './learned-answers.ts'

export const hourMs = 3_600_000
const slotMs = 90_000
const filledSlots = 0.75

/** Of a hundred requests; the rest are accounts. */
const shares = { blocks: 40, summary: 25, block: 20 }

/** Of a hundred look-ups of blocks, those of one that only the indexer has. */
const finalLookUps = 10

const accounts = 1000
const finalBlocks = 300

/** Per thousand requests: an unknown query key, superfluous slashes, and an additional broadcast. */
const oddities = { unknownKey: 20, slashes: 20, broadcast: 2 }

/** @returns random ranks from 0, the most frequent one, by Zipf's law with exponent 1 */
function createZipf(random: Random, ranks: number): () => number {
  const upTo: number[] = []
  for (let rank = 0; rank < ranks; rank += 1) upTo.push((upTo.at(-1) ?? 0) + 1 / (rank + 1))
  const sum = upTo.at(-1) ?? 0
  return () => {
    const drawn = random() * sum
    let [low, high] = [0, ranks - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((upTo[middle] ?? 0) < drawn) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** @returns the height of the tip at each time of an hour in which three of four slots have a block */
export function createTip(seed: string): (at: number) => number {
  const random = createRandom(`${seed} slots`)
  let height = 1000
  const heights = Array.from({ length: hourMs / slotMs }, () => {
    if (random() < filledSlots) height += 1
    return height
  })
  return (at) => heights[Math.floor(at / slotMs)] ?? height
}

interface Visitors {
  readonly seed: string
  /** Requests an hour on average, broadcasts aside. */
  readonly hourly: number
  readonly durationMs: number
  readonly tipAt: (at: number) => number
}

/** Requests in the order of their times, as a Poisson process. */
export function* visitors({ seed, hourly, durationMs, tipAt }: Visitors): Generator<TimedRequest> {
  const random = createRandom(`${seed} requests`)
  const depth = createZipf(random, frontierBlocks)
  const account = createZipf(random, accounts)
  const final = createZipf(random, finalBlocks)
  const happens = (ofThousand: number): boolean => random() * 1000 < ofThousand
  const drawn = (at: number): { readonly uri: string; readonly limit?: string } => {
    const share = integerBetween(random, 1, 100)
    if (share <= shares.blocks) return { uri: '/blocks', limit: random() < 0.5 ? '1' : '10' }
    if (share <= shares.blocks + shares.summary) return { uri: '/summary' }
    if (share > shares.blocks + shares.summary + shares.block) return { uri: accountPath(String(account())) }
    return { uri: blockPath(happens(10 * finalLookUps) ? `${finalLabel}${final()}` : String(tipAt(at) - depth())) }
  }

  for (let at = 0, sent = 0; ; sent += 1) {
    at -= Math.log(1 - random()) * (hourMs / hourly)
    if (at >= durationMs) return
    const { uri, limit } = drawn(at)
    yield {
      at,
      method: 'GET',
      uri: happens(oddities.slashes) ? `/${uri}/` : uri,
      querystring: {
        ...(limit !== undefined && { limit: { value: limit } }),
        ...(happens(oddities.unknownKey) && { utm_id: { value: String(sent) } }),
      },
    }
    if (happens(oddities.broadcast)) {
      yield { at, method: 'POST', uri: '/broadcast/transaction', querystring: {} }
    }
  }
}
