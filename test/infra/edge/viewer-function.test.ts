// The code of the viewer function, as CloudFront would run it. Its steps are counted rather than timed; `npm run bench --
// viewer-function` times the same requests in njs.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { expect, test } from '@jest/globals'
import { transformSync } from 'esbuild'
import fc from 'fast-check'
import { dialect, viewerFunctionCode } from '../../../infra/edge/viewer-function.ts'
import type { ViewerRequest } from '../../../infra/edge/viewer-request.ts'
import { costlyTargets } from '../../../packages/proofs/bench/viewer-function/costly-targets.ts'
import { viewerRequest } from '../../../packages/proofs/viewer-request.ts'
import { admit } from '../../../shared/admission/admit.ts'
import { refusalAnswer } from '../../../shared/admission/refusal.ts'
import { routeRules } from '../../../shared/admission/routes.ts'
import { crossOriginHeaders, preflightHeaders } from '../../../shared/http/cors.ts'
import { asked, hostile } from '../../shared/admission/hostile.ts'
import type { Count } from './count-steps.ts'

const code = viewerFunctionCode()
const run = runInNewContext(`${code}\n(event) => JSON.stringify(handler(JSON.parse(event)))`)

/** The part of CloudFront's event that the function reads, and cookies, which it hands on. */
const eventOf = (request: ViewerRequest) => ({ request: { cookies: { seen: { value: '1' } }, ...request } })

const answerTo = (method: string, target: string, headers: Readonly<Record<string, string>> = {}) =>
  JSON.parse(run(JSON.stringify(eventOf(viewerRequest(method, target, headers)))))

const valuesOf = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }]))

test('the viewer function decides as admission does for hostile requests', () => {
  fc.assert(
    fc.property(hostile, ({ method, target, headers }) => {
      const request = viewerRequest(method, target, headers)
      const admission = admit(routeRules, asked(method, target, headers))
      const answered = answerTo(method, target, headers)
      if (admission.kind === 'admitted') {
        const { path, query } = admission
        expect(answered).toEqual({ ...eventOf(request).request, uri: path, querystring: valuesOf(query) })
      } else if (admission.kind === 'preflight') {
        const asks = headers['access-control-request-headers']
        const allowed = { 'access-control-allow-headers': asks ?? preflightHeaders['access-control-allow-headers'] }
        expect(answered).toEqual({ statusCode: 204, headers: valuesOf({ ...preflightHeaders, ...allowed }) })
      } else {
        const { status, headers: own, body } = refusalAnswer(admission.refusal)
        expect(answered).toEqual({
          statusCode: status,
          headers: valuesOf({ ...own, ...crossOriginHeaders }),
          ...(method !== 'HEAD' && { body: { encoding: 'text', data: body } }),
        })
      }
    }),
    { seed: 12, numRuns: 3000 },
  )
})

test('the code of the viewer function is less than 10 KB of ASCII, in the dialect of the runtime', () => {
  expect(code).toMatch(/^[\n -~]+$/)
  expect(code.length).toBeLessThan(10_240)
  expect(code).toMatch(/\nfunction handler\(event\)\{/)
  expect(transformSync(code, dialect).code).toBe(transformSync(code, { target: 'esnext' }).code)
})

/** The same in every run. */
function stepsOf(targets: readonly string[]): readonly number[] {
  const count: Count = { code, requests: targets.map((target) => viewerRequest('GET', target)) }
  const script = fileURLToPath(new URL('count-steps.ts', import.meta.url))
  const command = ['--no-opt', '--no-maglev', '--no-sparkplug', script]
  return JSON.parse(execFileSync(process.execPath, command, { input: JSON.stringify(count), encoding: 'utf8' }))
}

const [ordinary = 0, ...costly] = stepsOf(['/summary', ...Object.values(costlyTargets)])

test.each(Object.keys(costlyTargets).map((name, index) => [name, costly[index]]))(
  'the viewer function takes at most six times the steps of /summary for %s',
  (_name, steps) => {
    expect(ordinary).toBeGreaterThan(50)
    expect(steps).toBeLessThan(6 * ordinary)
  },
)
