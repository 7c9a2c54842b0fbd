// Rules that hold for every request. The functions themselves say what a request means. What is checked for each of thousands of
// requests is checked by node:assert, since each call of Jest's `expect` makes all its matchers anew.
import assert from 'node:assert/strict'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Admission, admit } from '../../../shared/admission/admit.ts'
import { refusalAnswer } from '../../../shared/admission/refusal.ts'
import { routeRules } from '../../../shared/admission/routes.ts'
import type { RouteRule } from '../../../shared/admission/rule.ts'
import { queryText } from '../../../shared/contract/parameters.ts'
import { kinds } from '../../../shared/contract/query/kinds.ts'
import { faultText, problemOf } from '../../../shared/contract/query/read-options.ts'
import { readQuery } from '../../../shared/contract/query/read-query.ts'
import { answerOf, noRoute } from './deployed.ts'
import { asked, type Hostile, hostile, unknownOptions } from './hostile.ts'

const admission = ({ method, target, headers }: Hostile): Admission<RouteRule> =>
  admit(routeRules, asked(method, target, headers))

type Admitted = Extract<Admission<RouteRule>, { readonly kind: 'admitted' }>
const spelling = ({ path, query }: Admitted): string => path + queryText(query)

const isEncoded = ({ target }: Hostile): boolean => target.split('?')[0]?.includes('%') === true

/** The edge repeats such a key as it came, and a gateway decodes it in some way. */
function hasUndecodableKey({ target }: Hostile): boolean {
  const keys = target
    .split('?')
    .slice(1)
    .join('?')
    .split('&')
    .map((pair) => pair.split('=')[0] ?? '')
  return keys.some((key) => {
    try {
      return decodeURIComponent(key).includes('%')
    } catch {
      return true
    }
  })
}

const answerKinds = new Map<string, number>()
const spellings = new Map<string, string>()
const meanings = new Map<string, string>()

/** Checks a request, and says of which kind it was. */
async function check(request: Hostile): Promise<string> {
  const decided = admission(request)
  if (isEncoded(request)) {
    const status = decided.kind === 'refused' ? decided.refusal.status : decided.kind
    assert([400, 404, 'preflight'].includes(status), `status ${status}`)
    return `encoded ${decided.kind}`
  }
  const answer = await answerOf(request)
  if (decided.kind === 'refused') {
    const refusal = refusalAnswer(decided.refusal)
    const { 'content-length': _, ...headers } = answer.headers
    assert.equal(answer.status, refusal.status)
    if (request.method !== 'HEAD' && !hasUndecodableKey(request)) assert.equal(answer.body, refusal.body)
    assert.deepEqual({ ...refusal.headers, ...headers }, { ...refusal.headers })
    return decided.refusal.message
  }
  const kind = `${decided.kind} ${answer.status}`
  // Checksums, and bodies of broadcasts, are for the functions to check.
  assert(['preflight 204', 'admitted 503', 'admitted 404', 'admitted 400'].includes(kind), kind)
  if (decided.kind === 'preflight') return kind
  if (answer.status === 404) assert.notDeepEqual(answer, noRoute)
  const hasChecked = decided.rule.path.includes('{cursor}') || Object.keys(decided.query).length > 0
  if (answer.status === 400) assert(request.method === 'POST' || hasChecked)
  assert.deepEqual(admission({ ...request, target: spelling(decided) }), decided)
  // Ids with a wrong checksum are never asked for: each is its own question.
  const question = answer.meaning.endsWith(' ') ? `${answer.meaning}${spelling(decided)}` : answer.meaning
  const key = `${request.method} ${spelling(decided)}`
  assert.deepEqual([key, meanings.get(key) ?? question], [key, question])
  assert.deepEqual([question, spellings.get(question) ?? key], [question, key])
  meanings.set(key, question)
  spellings.set(question, key)
  const isCanonical = spelling(decided) === request.target
  return answer.status === 503 ? `${kind}, ${isCanonical ? 'canonical' : 'another spelling'}` : kind
}

test('every request is admitted normalised, or refused word for word as the service would', async () => {
  const counted = async (request: Hostile) => {
    const kind = await check(request)
    answerKinds.set(kind, (answerKinds.get(kind) ?? 0) + 1)
  }
  await fc.assert(fc.asyncProperty(hostile, counted), { seed: 12, numRuns: 6_000 })

  const refusals = routeRules.flatMap(({ parameters = {}, options = {} }) => [
    ...Object.values(parameters).flatMap(({ refusal }) => refusal?.message ?? []),
    ...Object.entries(options).map(([at, option]) => faultText([{ at, problem: problemOf(kinds, option) }])),
  ])
  const given = Object.fromEntries(unknownOptions.map((name) => [name, '5']))
  const foreign = ['/summary', '/blocks', '/accounts'].flatMap((path) => readQuery({}, given, path).faults)
  const admitted = ['admitted 503, canonical', 'admitted 503, another spelling', 'admitted 404', 'admitted 400']
  const wanted = [
    'encoded refused',
    'preflight 204',
    'Not Found',
    ...refusals,
    ...foreign.map((fault) => faultText([fault])),
    ...admitted,
  ]
  const timesOf = (text: string) =>
    [...answerKinds].reduce((sum, [kind, times]) => sum + (kind.split('; ').includes(text) ? times : 0), 0)
  expect(wanted.filter((kind) => timesOf(kind) === 0)).toEqual([])
  expect(spellings.size).toBeGreaterThan(25)
})
