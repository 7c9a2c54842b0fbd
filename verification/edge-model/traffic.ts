// The requests of an explorer's visitors and of an attacker, and the chain that they look at.
import { createRandom } from '../../local/chain/random.ts'
import { idOf } from '../unheld-values.ts'
import { viewerRequest } from '../viewer-request.ts'
import type { TimedRequest } from './cache.ts'
import { blockAt, frontierBlocks } from './learned-answers.ts'
import { targets } from './targets.ts'

export interface Load {
  /** Requests of visitors an hour on average, broadcasts aside. */
  readonly hourly: number
  /** Requests a second on each kind of target of an attacker, if there is one. */
  readonly attackRate?: number
  readonly durationMs: number
}

export const hourMs = 3_600_000

/** Of an hour's visits, those with a broadcast beside them. */
const broadcasts = 0.002

/** The height of the tip, with a block every two minutes. */
export const tipAt = (at: number): number => 1000 + Math.floor(at / 120_000)

/** Requests in the order of their times, which are random: at equal distances they would fall in step with a throttle. */
export function* traffic({ hourly, attackRate = 0, durationMs }: Load): Generator<TimedRequest> {
  const random = createRandom('traffic')
  /** From 0, the most frequent one: nearly Zipf's law with exponent 1. */
  const rank = (ranks: number): number => Math.round((2 * ranks + 1) ** random() / 2) - 1

  const visited = (at: number): [question: string, asks: string] => {
    const drawn = random()
    if (drawn < 0.2) return ['/blocks', 'blocks 1']
    if (drawn < 0.4) return ['/blocks?limit=10', 'blocks 10']
    if (drawn < 0.65) return ['/summary', 'summary']
    if (drawn < 0.83) {
      const depth = rank(frontierBlocks)
      return [`/blocks/${idOf('state_hash', `b${tipAt(at) - depth}`)}`, blockAt(depth)]
    }
    // So deep that only the indexer has it.
    if (drawn < 0.85) return [`/blocks/${idOf('state_hash', `f${rank(300)}`)}`, 'final block']
    return [`/accounts/${idOf('public_key', `a${rank(1000)}`)}`, 'account']
  }
  const requestOf = (at: number, method: string, target: string, asks: string, isHostile = false): TimedRequest => {
    // One is the default.
    const question = target.replace(/\?limit=1$/, '')
    return { ...viewerRequest(method, target), at, question, asks, isHostile }
  }

  const [visits, attacks] = [hourly / hourMs, (attackRate * targets.length) / 1000]
  const pause = () => -Math.log(1 - random()) / (visits + attacks)
  let attacked = 0
  for (let at = pause(); at < durationMs; at += pause()) {
    const attack = targets[attacked % targets.length]
    if (attack !== undefined && random() * (visits + attacks) < attacks) {
      yield requestOf(at, 'GET', attack.target(Math.floor(attacked / targets.length)), attack.asks, true)
      attacked += 1
      continue
    }
    yield requestOf(at, 'GET', ...visited(at))
    if (random() < broadcasts) yield requestOf(at, 'POST', '/broadcast/transaction', 'broadcast')
  }
}
