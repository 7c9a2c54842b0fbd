// Hits minute by minute, for a chart of an hour.
import { isHit, routeOf } from './figures.ts'
import type { ServedAnswer } from './model.ts'

/** GET requests to one route in one minute, counted from 0. */
export interface Minute {
  readonly route: string
  readonly minute: number
  readonly requests: number
  /** Answered without waiting for a call of their own to the origin. */
  readonly hits: number
}

const minuteMs = 60_000

/** Counts answers one by one. */
export function createMinutes(): { add(served: ServedAnswer): void; rows(): readonly Minute[] } {
  const minutes = new Map<string, Minute>()
  return {
    add(served) {
      const { request } = served
      if (request.method !== 'GET') return
      const route = routeOf(request)
      const minute = Math.floor(request.at / minuteMs)
      const key = `${route} ${minute}`
      const { requests, hits } = minutes.get(key) ?? { requests: 0, hits: 0 }
      minutes.set(key, { route, minute, requests: requests + 1, hits: hits + (isHit(served) ? 1 : 0) })
    },
    rows: () => [...minutes.values()],
  }
}
