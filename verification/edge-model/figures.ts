// Figures on the answers that visitors get, by what they asked for rather than by the caches' keys.
import { type Answer, promisedBy } from './cache.ts'
import type { ServedAnswer } from './network.ts'

/**
 * Of a route: requests, those answered with 200 and with 429 (`starved`), those that waited for no call of their own (`hits`),
 * those that waited for their own call or another's, and the oldest answers, while none failed and in place of an error.
 */
const noRequests = { requests: 0, answered: 0, starved: 0, hits: 0, waits: 0, oldestMs: 0, oldestOnErrorMs: 0 }

/** The contract's not-found answers have a max-age; a 404 without one is an error. */
const isError = (answer: Answer): boolean =>
  answer.status >= 400 && !(answer.status === 404 && promisedBy(answer).maxAge > 0)

/** Faults that no visitor may ever see, each with the check that detects it. */
const mishaps: Readonly<Record<string, (served: ServedAnswer) => boolean>> = {
  'accounts older than 5 s': ({ request, answer, ageMs }) =>
    request.asks === 'account' && !isError(answer) && ageMs > 5000,
  'errors that a cache kept past 1 s': ({ answer, keptMs }) => isError(answer) && keptMs > 1000,
  'answers older than they allow': ({ answer, keptMs, isForError }) => {
    const { maxAge, whileRevalidating, onError = 0 } = promisedBy(answer)
    // The error for which a copy stands in is kept for a second, and the copy with it.
    return !isError(answer) && keptMs > 1000 * (maxAge + (isForError ? onError + 1 : whileRevalidating))
  },
  'answers to another question': ({ request, answer }) => answer.givenFor.question !== request.question,
  'broadcasts that did not reach the service': ({ request, by }) => request.method === 'POST' && by !== 'origin',
  'broadcasts where answers are kept': ({ request, policy }) => request.method === 'POST' && policy.maxTtl > 0,
}

/** Counts answers one by one. */
export function createFigures() {
  const never = Object.fromEntries(Object.keys(mishaps).map((name) => [name, 0]))
  /** GET requests by route: `/blocks`, `/blocks/{}`, `/accounts/{}`, `/summary`. */
  const routes = new Map<string, typeof noRequests>()

  function add(served: ServedAnswer): void {
    const { request, answer, by, waitMs, ageMs, isForError } = served
    for (const [name, happened] of Object.entries(mishaps)) never[name] = (never[name] ?? 0) + Number(happened(served))
    if (request.method === 'POST') return
    const route = request.question.replace(/\?.*/, '').replace(/^(\/[^/]+)\/.+/, '$1/{}')
    const figures = routes.get(route) ?? { ...noRequests }
    routes.set(route, figures)
    figures.requests += 1
    figures.answered += Number(answer.status === 200)
    figures.starved += Number(answer.status === 429)
    figures.hits += Number(by !== 'origin')
    figures.waits += Number(waitMs > 0)
    const oldest = isForError ? 'oldestOnErrorMs' : 'oldestMs'
    if (!isError(answer)) figures[oldest] = Math.max(figures[oldest], ageMs)
  }
  return { never, routes, add }
}
