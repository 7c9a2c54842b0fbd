// The requests of an explorer's visitors and of an attacker, and the chain that they look at.
import { createRandom, type Random } from '../../local/chain/random.ts'
import { viewerRequest } from '../viewer-request.ts'
import type { TimedRequest } from './cache.ts'
import { blockAt, frontierBlocks } from './learned-answers.ts'
import { idOf, targets } from './targets.ts'

export interface Load {
  /** Requests of visitors an hour on average, broadcasts aside. */
  readonly hourly: number
  /** Requests a second on each kind of target of an attacker, if there is one. */
  readonly attackRate?: number
  readonly durationMs: number
}

export const hourMs = 3_600_000

/** Parts of the visitors' requests; the rest are accounts. Of the blocks, some are deep, and only the indexer has them. */
const shares = { blocks: 0.4, summary: 0.25, block: 0.2 }
const finalBlocks = 0.1

/** Of the visitors' requests, those with an unknown query key, with superfluous slashes, and with a broadcast beside them. */
const oddities = { unknownKey: 0.02, slashes: 0.02, broadcast: 0.002 }

/** @returns random ranks from 0, the most frequent one, by Zipf's law with exponent 1 */
function createZipf(random: Random, ranks: number): () => number {
  let sum = 0
  const upTo = Array.from({ length: ranks }, (_, rank) => (sum += 1 / (rank + 1)))
  return () => {
    const drawn = random() * sum
    return upTo.findIndex((part) => part >= drawn)
  }
}

/** The height of the tip, with a block every two minutes. */
export const tipAt = (at: number): number => 1000 + Math.floor(at / 120_000)

/** Requests in the order of their times, which are random: at equal distances they would fall in step with a throttle. */
export function* traffic({ hourly, attackRate = 0, durationMs }: Load): Generator<TimedRequest> {
  const random = createRandom('traffic')
  const depth = createZipf(random, frontierBlocks)
  const account = createZipf(random, 1000)
  const finalBlock = createZipf(random, 300)

  const visited = (at: number): [question: string, asks: string] => {
    const drawn = random()
    if (drawn < shares.blocks)
      return drawn < shares.blocks / 2 ? ['/blocks', 'blocks 1'] : ['/blocks?limit=10', 'blocks 10']
    if (drawn < shares.blocks + shares.summary) return ['/summary', 'summary']
    if (drawn >= shares.blocks + shares.summary + shares.block) {
      return [`/accounts/${idOf('public_key', `a${account()}`)}`, 'account']
    }
    if (random() < finalBlocks) return [`/blocks/${idOf('state_hash', `f${finalBlock()}`)}`, 'final block']
    const below = depth()
    return [`/blocks/${idOf('state_hash', `b${tipAt(at) - below}`)}`, blockAt(below)]
  }
  const spelt = (question: string, at: number): string => {
    const [path = '', query = path === '/blocks' ? 'limit=1' : ''] = question.split('?')
    const unknown = random() < oddities.unknownKey ? `&utm_id=${at}` : ''
    return `${random() < oddities.slashes ? `/${path}/` : path}?${query}${unknown}`
  }
  const requestOf = (method: string, question: string, target: string, asks: string, isHostile = false) => ({
    // One is the default.
    ...{ ...viewerRequest(method, target), at, question: question.replace(/\?limit=1$/, ''), asks, isHostile },
  })

  const [visits, attacks] = [hourly / hourMs, (attackRate * targets.length) / 1000]
  let [at, attacked] = [0, 0]
  while (true) {
    at -= Math.log(1 - random()) / (visits + attacks)
    if (at >= durationMs) return
    const attack = targets[attacked % targets.length]
    if (attack !== undefined && random() * (visits + attacks) < attacks) {
      const question = attack.target(Math.floor(attacked / targets.length))
      yield requestOf('GET', question, question, attack.asks, true)
      attacked += 1
      continue
    }
    const [question, asks] = visited(at)
    yield requestOf('GET', question, spelt(question, at), asks)
    const broadcast = '/broadcast/transaction'
    if (random() < oddities.broadcast) yield requestOf('POST', broadcast, broadcast, 'broadcast')
  }
}
