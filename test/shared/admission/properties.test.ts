// Rules that hold for every request. The functions themselves say what a request means.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Admission, admit } from '../../../shared/admission/admit.ts'
import { refusalAnswer } from '../../../shared/admission/refusal.ts'
import { routeRules } from '../../../shared/admission/routes.ts'
import type { RouteRule } from '../../../shared/admission/rule.ts'
import { asked } from './asked.ts'
import { answerOf, noRoute } from './deployed.ts'
import { type Hostile, hostile } from './hostile.ts'

const runs = { seed: 12, numRuns: 5000 }

const admission = ({ method, target, headers }: Hostile): Admission<RouteRule> =>
  admit(routeRules, asked(method, target, headers))

type Admitted = Extract<Admission<RouteRule>, { readonly kind: 'admitted' }>
const spelling = ({ path, query }: Admitted): string => {
  const pairs = Object.entries(query).map((pair) => pair.join('='))
  return [path, ...pairs].join('?')
}

const isEncoded = ({ target }: Hostile): boolean => target.split('?')[0]?.includes('%') === true

/** Checks a property, and that the requests were of the kinds that it is about. */
async function holds(property: (request: Hostile) => Promise<string>): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(hostile, async (request) => {
      const kind = await property(request)
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
    }),
    runs,
  )
  return counts
}

const often = (counts: ReadonlyMap<string, number>, ...kinds: readonly string[]): void => {
  for (const kind of kinds) expect([kind, (counts.get(kind) ?? 0) > 20]).toEqual([kind, true])
}

describe('every request', () => {
  test('that is admitted is admitted again in its one spelling, unchanged', async () => {
    const counts = await holds(async (request) => {
      const first = admission(request)
      if (first.kind !== 'admitted') return first.kind
      expect(admission({ ...request, target: spelling(first) })).toEqual(first)
      return spelling(first) === request.target ? 'canonical' : 'another spelling'
    })
    often(counts, 'canonical', 'another spelling', 'refused', 'preflight')
  })

  test('with percent-encoding in its path is a preflight or not found', async () => {
    const counts = await holds(async (request) => {
      if (!isEncoded(request)) return 'other path'
      const decided = admission(request)
      if (decided.kind !== 'refused') expect(decided.kind).toBe('preflight')
      else expect(decided.refusal.status).toBe(404)
      return 'encoded path'
    })
    often(counts, 'encoded path')
  })

  test('with another path is admitted, or refused word by word as the service would', async () => {
    const counts = await holds(async (request) => {
      if (isEncoded(request)) return 'encoded path'
      const decided = admission(request)
      const answer = await answerOf(request)
      if (decided.kind === 'refused') {
        const refusal = refusalAnswer(decided.refusal)
        expect(answer.status).toBe(refusal.status)
        if (request.method !== 'HEAD') expect(answer.body).toBe(refusal.body)
        const { 'content-length': _, ...headers } = answer.headers
        expect(refusal.headers).toMatchObject(headers)
        return decided.refusal.message
      }
      const kind = `${decided.kind} ${answer.status}`
      // Checksums, and bodies of broadcasts, are for the functions to check.
      expect(['preflight 204', 'admitted 503', 'admitted 404', 'admitted 400']).toContain(kind)
      if (answer.status === 404) expect(answer).not.toMatchObject(noRoute)
      if (answer.status === 400) expect(request.method).toBe('POST')
      return kind
    })
    const messages = routeRules.flatMap(({ parameters = {}, options = [] }) =>
      [...Object.values(parameters), ...options].map(({ refusal }) => refusal.message),
    )
    often(counts, 'preflight 204', 'admitted 503', 'admitted 404', 'admitted 400', 'Not Found', ...messages)
  })

  test('has the same spelling as another one exactly if it means the same', async () => {
    const spellings = new Map<string, string>()
    const meanings = new Map<string, string>()
    const counts = await holds(async (request) => {
      const decided = admission(request)
      if (decided.kind !== 'admitted') return decided.kind
      const { meaning } = await answerOf(request)
      // Ids with a wrong checksum are never asked for: each is its own question.
      const question = meaning.endsWith(' ') ? `${meaning}${decided.path}` : meaning
      const key = `${request.method} ${spelling(decided)}`
      expect([key, meanings.get(key) ?? question]).toEqual([key, question])
      expect([question, spellings.get(question) ?? key]).toEqual([question, key])
      meanings.set(key, question)
      spellings.set(question, key)
      return 'admitted'
    })
    often(counts, 'admitted')
    expect(spellings.size).toBeGreaterThan(25)
  })
})
