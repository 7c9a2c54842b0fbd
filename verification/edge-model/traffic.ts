// The requests of an explorer's visitors and of an attacker, and the chain that they look at.
import { createRandom, integerBetween, type Random } from '../../local/chain/random.ts'
import { publicKeyForm, stateHashForm } from '../../shared/contract/forms.ts'
import type { TimedRequest } from './cache.ts'
import { blockAt, frontierBlocks } from './service.ts'
import { idOf, type Target, targets } from './targets.ts'
import { viewerRequest } from './viewer-request.ts'

const blockPath = (label: string): string => `/blocks/${idOf(stateHashForm, label)}`
const accountPath = (label: string): string => `/accounts/${idOf(publicKeyForm, label)}`

export const hourMs = 3_600_000
const slotMs = 90_000
const filledSlots = 0.75

/** Of a hundred requests; the rest are accounts. */
const shares = { blocks: 40, summary: 25, block: 20 }

/** Of a thousand look-ups of blocks, those of one that only the indexer has. */
const finalLookUps = 100

const accounts = 1000
const finalBlocks = 300

/** Per thousand requests: an unknown query key, superfluous slashes, and an additional broadcast. */
const oddities = { unknownKey: 20, slashes: 20, broadcast: 2 }

/** @returns random ranks from 0, the most frequent one, by Zipf's law with exponent 1 */
function createZipf(random: Random, ranks: number): () => number {
  let sum = 0
  const upTo = Array.from({ length: ranks }, (_, rank) => (sum += 1 / (rank + 1)))
  return () => {
    const drawn = random() * sum
    return upTo.findIndex((part) => part >= drawn)
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

/** The times of a Poisson process; at equal distances, requests would fall in step with a throttle. */
function* times(random: Random, betweenMs: number, durationMs: number): Generator<number> {
  let at = 0
  while (true) {
    at -= Math.log(1 - random()) * betweenMs
    if (at >= durationMs) return
    yield at
  }
}

const broadcast = { method: 'POST', uri: '/broadcast/transaction', querystring: {}, asks: 'broadcast' }

/**
 * Requests in the order of their times.
 *
 * @param hourly requests an hour on average, broadcasts aside
 */
export function* visitors(
  seed: string,
  hourly: number,
  durationMs: number,
  tipAt: (at: number) => number,
): Generator<TimedRequest> {
  const random = createRandom(`${seed} requests`)
  const [depths, keys, finals] = [frontierBlocks, accounts, finalBlocks].map((ranks) => createZipf(random, ranks))
  const happens = (ofThousand: number): boolean => random() * 1000 < ofThousand
  const drawn = (at: number): { readonly uri: string; readonly limit?: string; readonly asks: string } => {
    const share = integerBetween(random, 1, 100)
    if (share <= shares.blocks) {
      const limit = random() < 0.5 ? '1' : '10'
      return { uri: '/blocks', limit, asks: `blocks ${limit}` }
    }
    if (share <= shares.blocks + shares.summary) return { uri: '/summary', asks: 'summary' }
    if (share > shares.blocks + shares.summary + shares.block) {
      return { uri: accountPath(String(keys?.())), asks: 'account' }
    }
    if (happens(finalLookUps)) return { uri: blockPath(`f${finals?.()}`), asks: 'final block' }
    const depth = depths?.() ?? 0
    return { uri: blockPath(String(tipAt(at) - depth)), asks: blockAt(depth) }
  }
  let sent = 0
  for (const at of times(random, hourMs / hourly, durationMs)) {
    const { uri, limit, asks } = drawn(at)
    yield {
      ...{ at, method: 'GET', uri: happens(oddities.slashes) ? `/${uri}/` : uri, asks },
      querystring: {
        ...(limit !== undefined && { limit: { value: limit } }),
        ...(happens(oddities.unknownKey) && { utm_id: { value: String(sent) } }),
      },
    }
    if (happens(oddities.broadcast)) yield { ...broadcast, at }
    sent += 1
  }
}

/**
 * Each kind of request as often as the others.
 *
 * @param rate requests a second of each kind
 */
export function* attack(seed: string, rate: number, durationMs: number): Generator<TimedRequest> {
  let sent = 0
  for (const at of times(createRandom(`${seed} attack`), 1000 / (rate * targets.length), durationMs)) {
    const { asks, target } = targets[sent % targets.length] as Target
    yield { ...viewerRequest('GET', target(Math.floor(sent / targets.length))), at, asks, isHostile: true }
    sent += 1
  }
}
