// The code of the viewer function, as CloudFront would run it.
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import { transformSync } from 'esbuild'
import fc from 'fast-check'
import { dialect, viewerFunctionCode } from '../../../infra/edge/viewer-function.ts'
import type { ViewerRequest } from '../../../infra/edge/viewer-request.ts'
import { admit } from '../../../shared/admission/admit.ts'
import { refusalAnswer } from '../../../shared/admission/refusal.ts'
import { routeRules } from '../../../shared/admission/routes.ts'
import { cors, crossOriginHeaders, preflightHeaders } from '../../../shared/http/cors.ts'
import { viewerRequest } from '../../../verification/viewer-request.ts'
import { asked, hostile } from '../../shared/admission/hostile.ts'

const code = viewerFunctionCode()
const run = runInNewContext(`${code}\n(event) => JSON.stringify(handler(JSON.parse(event)))`)

/** The part of CloudFront's event that the function reads, and cookies, which it hands on. */
const eventOf = (request: ViewerRequest) => ({ request: { cookies: { seen: { value: '1' } }, ...request } })

const answerTo = (method: string, target: string, headers: Readonly<Record<string, string>> = {}) =>
  JSON.parse(run(JSON.stringify(eventOf(viewerRequest(method, target, headers)))))

const valuesOf = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }]))

describe('the viewer function', () => {
  test('passes a request on in its one spelling, and the rest of it unchanged', () => {
    const headers = { host: 'explorer.example.org', 'if-none-match': 'W/"x"' }
    expect(answerTo('GET', '//blocks/?limit=0012&limit%20=1&utm_source=x', headers)).toEqual({
      method: 'GET',
      uri: '/blocks',
      querystring: { limit: { value: '10' } },
      headers: valuesOf(headers),
      cookies: { seen: { value: '1' } },
    })
  })

  test('refuses with body, media type, cache time and cross-origin headers of the service', () => {
    expect(answerTo('GET', '/blocks/x')).toEqual({
      statusCode: 404,
      headers: {
        'content-type': { value: 'application/json' },
        'cache-control': { value: 'public, max-age=5, stale-if-error=0' },
        'access-control-allow-origin': { value: '*' },
        'access-control-expose-headers': { value: cors.exposeHeaders.join(',') },
      },
      body: { encoding: 'text', data: '{"message":"No blocks found for that state hash."}' },
    })
  })

  test('decides as admission does for hostile requests', () => {
    fc.assert(
      fc.property(hostile, ({ method, target, headers }) => {
        const request = viewerRequest(method, target, headers)
        const admission = admit(routeRules, asked(method, target, headers))
        const answered = answerTo(method, target, headers)
        if (admission.kind === 'admitted') {
          const { path, query } = admission
          expect(answered).toEqual({ ...eventOf(request).request, uri: path, querystring: valuesOf(query) })
        } else if (admission.kind === 'preflight') {
          expect(answered).toEqual({ statusCode: 204, headers: valuesOf(preflightHeaders) })
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
})

test('the code of the viewer function is less than 10 KB of ASCII, in the dialect of the runtime', () => {
  expect(code).toMatch(/^[\n -~]+$/)
  expect(code.length).toBeLessThan(10_240)
  expect(code).toMatch(/\nfunction handler\(event\)\{/)
  expect(transformSync(code, dialect).code).toBe(transformSync(code, { target: 'esnext' }).code)
})
