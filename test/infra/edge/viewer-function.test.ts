// Runs the code of the viewer function in Node.
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import { viewerFunctionCode } from '../../../infra/edge/viewer-function.ts'
import { collapseSlashes } from '../../../shared/agreements/paths.ts'

interface ViewerRequest {
  readonly method: string
  readonly uri: string
  readonly querystring: Readonly<Record<string, object>>
  readonly headers: object
}

const code = viewerFunctionCode(['limit'])

/** The request that the viewer function returns. */
function handled(request: ViewerRequest): ViewerRequest {
  const text: string = runInNewContext(`${code}; JSON.stringify(handler(${JSON.stringify({ request })}))`)
  return JSON.parse(text)
}

const get = { method: 'GET', uri: '/blocks', querystring: {}, headers: { host: { value: 'explorer.example.org' } } }

describe('the viewer function', () => {
  test.each([
    '/',
    '//',
    '/summary',
    '/summary/',
    '//accounts///B62qabc//',
    '/blocks/%2F%2f',
    '',
    `/${'/'.repeat(1000)}x`,
  ])('changes the path %j as the service does', (uri) => {
    expect(handled({ ...get, uri })).toEqual({ ...get, uri: collapseSlashes(uri) })
  })

  test('collapses slashes', () => {
    expect(handled({ ...get, uri: '//accounts//B62qabc/' }).uri).toBe('/accounts/B62qabc')
  })

  test('keeps the known query keys, repeated ones too, and drops the others', () => {
    const limit = { value: '1', multiValue: [{ value: '1' }, { value: '2' }] }
    const querystring = { utm_source: { value: 'x' }, limit, Limit: { value: '3' }, __proto__: { value: 'x' } }
    expect(handled({ ...get, querystring })).toEqual({ ...get, querystring: { limit } })
  })

  test('changes nothing else', () => {
    const post = { ...get, method: 'POST', uri: '/broadcast/transaction' }
    expect(handled(post)).toEqual(post)
  })

  test('is small enough and plain JavaScript without types', () => {
    expect(Buffer.byteLength(code)).toBeLessThan(10_240)
    expect(code).toMatch(/^function collapseSlashes\(path\) \{\n/)
  })
})
