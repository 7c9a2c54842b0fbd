// An hour of an explorer's visitors, and the origin that answers them.
import { createRandom, integerBetween, type Random } from '../../local/chain/random.ts'
import { accountPath, blockPath, labelOf } from './ids.ts'
import { frontierBlocks, type LearnedAnswers } from './learned-answers.ts'
import type { Origin, TimedRequest } from './model.ts'

export const hourMs = 3_600_000
const slotMs = 90_000
const filledSlots = 0.75

/** Of a hundred requests; the rest are accounts. */
const shares = { blocks: 40, summary: 25, block: 20 }

const accounts = 1000
const originLatencyMs = 150
const originErrors = 0.01

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

/** The height of the tip in each slot of the hour. */
function tipHeights(seed: string): readonly number[] {
  const random = createRandom(`${seed} slots`)
  let height = 1000
  return Array.from({ length: hourMs / slotMs }, () => {
    if (random() < filledSlots) height += 1
    return height
  })
}

export interface Hour {
  readonly requests: Iterable<TimedRequest>
  readonly origin: Origin
}

/**
 * Requests in the order of their times, as a Poisson process.
 *
 * @param mean their number, broadcasts aside
 */
export function createHour(seed: string, mean: number, learned: LearnedAnswers): Hour {
  const heights = tipHeights(seed)
  const tipAt = (at: number): number => heights[Math.floor(at / slotMs)] ?? 0
  const failing = createRandom(`${seed} origin`)

  function* requests(): Generator<TimedRequest> {
    const random = createRandom(`${seed} requests`)
    const depth = createZipf(random, frontierBlocks)
    const account = createZipf(random, accounts)
    const drawn = (at: number): { readonly uri: string; readonly limit?: string } => {
      const share = integerBetween(random, 1, 100)
      if (share <= shares.blocks) return { uri: '/blocks', limit: random() < 0.5 ? '1' : '10' }
      if (share <= shares.blocks + shares.summary) return { uri: '/summary' }
      if (share <= shares.blocks + shares.summary + shares.block) return { uri: blockPath(String(tipAt(at) - depth())) }
      return { uri: accountPath(String(account())) }
    }
    const happens = (ofThousand: number): boolean => random() * 1000 < ofThousand

    for (let at = 0, sent = 0; sent < mean; sent += 1) {
      at = Math.min(hourMs - 1, at - Math.log(1 - random()) * (hourMs / mean))
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

  const answerTo = ({ method, uri, at }: TimedRequest) => {
    if (method === 'POST') return learned.broadcast
    if (uri === '/blocks') return learned.blocks
    if (uri === '/summary') return learned.summary
    if (uri.startsWith('/accounts/')) return learned.account
    return learned.blockByDepth[tipAt(at) - Number(labelOf(uri))] ?? learned.failure
  }
  return {
    requests: { [Symbol.iterator]: requests },
    origin: (request) => ({
      ...(request.method === 'GET' && failing() < originErrors ? learned.failure : answerTo(request)),
      latencyMs: originLatencyMs,
    }),
  }
}
