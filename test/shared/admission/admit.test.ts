// Single requests; properties.test.ts has the rules that hold for all.
import { describe, expect, test } from '@jest/globals'
import { type Admission, admit } from '../../../shared/admission/admit.ts'
import { routeRules } from '../../../shared/admission/routes.ts'
import type { RouteRule } from '../../../shared/admission/rule.ts'
import { getAccount } from '../../../shared/endpoints/get-account.ts'
import { getBlock } from '../../../shared/endpoints/get-block.ts'
import { cacheControlOf } from '../../../shared/http/caching.ts'
import { asked } from './asked.ts'

const stateHash = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
const publicKey = 'B62qpge4uMq4Vv5Rvc8Gw9qSquUYd6xoW1pz7HQkMSHm6h1o7pvLPAN'
const noBlock = 'No blocks found for that state hash.'
const noAccount = 'No account found for that public key.'

const admission = (method: string, target: string, headers = {}) => admit(routeRules, asked(method, target, headers))

function spelling(admission: Admission<RouteRule>): string {
  if (admission.kind !== 'admitted') throw new Error('not admitted')
  const query = Object.entries(admission.query).map(([key, value]) => `${key}=${value}`)
  return [admission.path, ...query].join('?')
}

describe('a request with an answer has one spelling', () => {
  test.each([
    ['GET', '/summary', '/summary'],
    ['HEAD', '/summary', '/summary'],
    ['GET', '//summary///', '/summary'],
    ['GET', '/summary?limit=5&x=%zz&&=&flag', '/summary'],
    ['GET', '/blocks', '/blocks'],
    ['GET', '/blocks/?limit=1', '/blocks'],
    ['GET', '/blocks?limit=0001', '/blocks'],
    ['HEAD', '/blocks?limit=1&utm_source=x', '/blocks'],
    ['GET', '/blocks?x=1&limit=7&__proto__=2&constructor=3', '/blocks?limit=7'],
    ['GET', '/blocks?limit=007', '/blocks?limit=7'],
    ['GET', '/blocks?limit=10', '/blocks?limit=10'],
    ['GET', '/blocks?limit=11', '/blocks?limit=10'],
    ['GET', `/blocks?limit=${'9'.repeat(32)}`, '/blocks?limit=10'],
    ['GET', `/blocks?limit=${'%39'.repeat(32)}`, '/blocks?limit=10'],
    ['GET', `${'/'.repeat(249)}summary`, '/summary'],
    ['GET', `/summary?${'x&'.repeat(4000)}`, '/summary'],
    ['GET', `/blocks?limit=2${'&x'.repeat(31)}`, '/blocks?limit=2'],
    ['GET', '/blocks?li%6Dit=%30%37', '/blocks?limit=7'],
    ['GET', '/blocks?Limit=3', '/blocks'],
    ['GET', `/blocks/${stateHash}/`, `/blocks/${stateHash}`],
    ['GET', `/accounts//${publicKey}?limit=2`, `/accounts/${publicKey}`],
    ['POST', '//broadcast//transaction?x', '/broadcast/transaction'],
    ['POST', '/broadcast/delegation/', '/broadcast/delegation'],
    ['GET', '//docs/?x=1', '/docs'],
    ['HEAD', '/docs/viewer-0123456789abcdef.js?limit=2', '/docs/viewer-0123456789abcdef.js'],
    ['GET', '/openapi.json', '/openapi.json'],
  ])('%s %s is %s', (method, target, expected) => {
    expect(spelling(admission(method, target))).toBe(expected)
  })
})

describe('a request without an answer is refused as the service would', () => {
  const refused = (status: number, message: string, cacheControl: string) => ({
    kind: 'refused',
    refusal: { status, message, cacheControl },
  })
  const notFound = refused(404, 'Not Found', 'no-store')

  test.each([
    ['GET', '/'],
    ['GET', '/nowhere'],
    ['GET', `${'/'.repeat(250)}summary`],
    ['POST', '/docs'],
    ['GET', '/docs/a/b'],
    ['GET', '/docs/%2e%2e'],
    ['GET', '/docs%2Fpage.js'],
    ['GET', '/Summary'],
    ['GET', '/summary/x'],
    ['GET', '/summary%3Fx=1'],
    ['GET', '/%73ummary'],
    ['GET', '/%'],
    ['GET', `/blocks%2F${stateHash}`],
    ['GET', '/blocks/a/b'],
    ['GET', '/{state_hash}'],
    ['GET', '/broadcast/transaction'],
    ['HEAD', '/broadcast/transaction'],
    ['POST', '/summary'],
    ['PUT', `/blocks/${stateHash}`],
    ['DELETE', '/blocks/x'],
    ['OPTIONS', '/summary'],
  ])('%s %s is 404, since no route matches', (method, target) => {
    expect(admission(method, target)).toEqual(notFound)
  })

  test.each([
    ['/blocks/x', noBlock],
    [`/blocks/%33${stateHash.slice(1)}`, noBlock],
    [`/blocks/${stateHash.slice(1)}`, noBlock],
    [`/blocks/${stateHash}1`, noBlock],
    [`/blocks/${stateHash.slice(0, -1)}0`, noBlock],
    [`/blocks/jx${stateHash.slice(2)}`, noBlock],
    ['/blocks/{state_hash}', noBlock],
    [`/blocks/${publicKey}`, noBlock],
    [`/accounts/${stateHash}`, noAccount],
    [`/accounts/${'B'.repeat(80)}`, noAccount],
    [`/accounts/${publicKey.slice(0, -1)}%`, noAccount],
    [`/accounts/b${publicKey.slice(1)}`, noAccount],
  ])('%s has the wrong form', (target, message) => {
    for (const method of ['GET', 'HEAD']) {
      const { caching } = (message === noBlock ? getBlock : getAccount).identifier?.unknown ?? {}
      expect(admission(method, target)).toEqual(refused(404, message, cacheControlOf(caching)))
    }
  })

  test.each([
    '',
    '0',
    '000',
    '-1',
    '+1',
    '1.0',
    '1e1',
    '%31%zz',
    '٣',
    '%D9%A3',
    '1,2',
    ' 1',
    '1%0A',
    '0x1',
    '1'.repeat(33),
    '%31'.repeat(33),
  ])('limit=%s is refused', (limit) => {
    const expected = refused(400, 'limit must be a whole number, 1 or more, given once', 'no-store')
    expect(admission('GET', `/blocks?limit=${limit}`)).toEqual(expected)
  })

  test.each(['limit=1&limit=2', 'limit=1&limit=1', 'limit&limit', 'limit=2&x=1&%6cimit=2'])(
    'two limits are refused: %s',
    (query) => {
      expect(admission('GET', `/blocks?${query}`)).toMatchObject({ kind: 'refused', refusal: { status: 400 } })
    },
  )
})

test('a query of more than 32 keys is refused, repeated ones included, where the route has options', () => {
  for (const key of ['&x', '&limit=1']) {
    expect(admission('GET', `/blocks?limit=2${key.repeat(32)}`)).toEqual({
      kind: 'refused',
      refusal: { status: 400, message: 'the query must have at most 32 keys', cacheControl: 'no-store' },
    })
  }
})

test('a browser that asks for permission is a preflight on every path', () => {
  const asking = { origin: 'https://wallet.example', 'access-control-request-method': 'POST' }
  for (const path of ['/summary', '/broadcast/transaction', '/nowhere', '/blocks/%']) {
    expect(admission('OPTIONS', path, asking)).toEqual({ kind: 'preflight' })
  }
  expect(admission('GET', '/nowhere', asking)).toMatchObject({ kind: 'refused' })
})

describe('routes', () => {
  const rules = [
    { methods: ['GET'], path: '/{anything}' },
    { methods: ['GET'], path: '/a/{id}' },
    { methods: ['POST'], path: '/a/{id}' },
    { methods: ['GET'], path: '/a/latest' },
    { methods: ['GET'], path: '/a/{id}/b/{other}' },
  ]
  const found = (method: string, target: string) => {
    const admission = admit(rules, asked(method, target))
    return admission.kind === 'admitted' ? [admission.rule.path, admission.parameters] : admission.kind
  }

  test.each([
    ['GET', '/a/latest', ['/a/latest', {}]],
    ['GET', '/a/1', ['/a/{id}', { id: '1' }]],
    ['POST', '/a/latest', ['/a/{id}', { id: 'latest' }]],
    ['GET', '/a', ['/{anything}', { anything: 'a' }]],
    ['GET', '/a/1/b/2', ['/a/{id}/b/{other}', { id: '1', other: '2' }]],
    ['GET', '/a/%31', 'refused'],
    ['GET', '/', 'refused'],
  ])('the most specific one serves %s %s', (method, target, expected) => {
    expect(found(method, target)).toEqual(expected)
  })
})
