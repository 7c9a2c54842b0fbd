// Single requests; properties.test.ts has the rules that hold for all.
import { describe, expect, test } from '@jest/globals'
import { admit } from '../../../shared/admission/admit.ts'
import { routeRules } from '../../../shared/admission/routes.ts'
import { foreignOptions } from '../../../shared/contract/query-option.ts'
import { getAccount } from '../../../shared/endpoints/get-account.ts'
import { getBlock } from '../../../shared/endpoints/get-block.ts'
import { cacheControlOf } from '../../../shared/http/answer-headers.ts'
import { asked } from './hostile.ts'

const stateHash = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
const publicKey = 'B62qpge4uMq4Vv5Rvc8Gw9qSquUYd6xoW1pz7HQkMSHm6h1o7pvLPAN'

/** The spelling of an admitted request, the refusal of another. */
function outcomeOf(method: string, target: string, headers = {}) {
  const admission = admit(routeRules, asked(method, target, headers))
  if (admission.kind !== 'admitted') return admission
  const query = Object.entries(admission.query).map(([key, value]) => `${key}=${value}`)
  return [admission.path, ...query].join('?')
}

const refused = (status: number, message: string, cacheControl: string) => ({
  kind: 'refused',
  refusal: { status, message, cacheControl },
})

test.each([
  ['GET', '//summary///', '/summary'],
  ['GET', '/', '/summary'],
  ['HEAD', '//?x=1', '/summary'],
  ['HEAD', '/summary?limit=5&x=%zz&&=&flag', '/summary'],
  ['GET', '/blocks/?limit=1', '/blocks'],
  ['GET', '/blocks?limit=0001', '/blocks'],
  ['GET', '/blocks?x=1&limit=007&__proto__=2&constructor=3', '/blocks?limit=7'],
  ['GET', '/blocks?limit=10', '/blocks?limit=10'],
  ['GET', `/blocks?limit=${'%39'.repeat(32)}`, '/blocks?limit=10'],
  ['GET', `${'/'.repeat(249)}summary`, '/summary'],
  ['GET', `/blocks?limit=2${'&x'.repeat(31)}`, '/blocks?limit=2'],
  ['GET', '/blocks?%6C%69%6D%69%74=%30%37', '/blocks?limit=7'],
  ['GET', '/blocks?Limit=3', '/blocks'],
  ['GET', `/accounts//${publicKey}?limit=2`, `/accounts/${publicKey}`],
  ['POST', '//broadcast//transaction?x', '/broadcast/transaction'],
  ['HEAD', '/docs/page-0123456789abcdef.js?limit=2', '/docs/page-0123456789abcdef.js'],
  ['GET', '/docs/page-0123456789abcdef.css', '/docs/page-0123456789abcdef.css'],
  ['GET', '/openapi.json', '/openapi.json'],
])('%s %s has the one spelling %s', (method, target, expected) => {
  expect(outcomeOf(method, target)).toBe(expected)
})

const transactionHash = '5Juafq9LLfg4c3FtmX3kMgpRuBKJFbcTqojHsqryKwdLCuVxv7Ph'
const foreign = [
  'key',
  'from',
  'to',
  'page',
  'offset',
  'before',
  'after',
  'cursor',
  'height',
  'minHeight',
  'maxHeight',
  'canonical',
]

test.each([
  ...['/blocks', `/blocks/${stateHash}`, '/blocks/height/7', `/accounts/${publicKey}`, `/accounts/${publicKey}/tokens`],
  ...[`/accounts/${publicKey}/transactions`, `/transactions/${transactionHash}`],
  ...['/', '/summary', '/fees', '/pool', '/health', '/network'],
])('GET and HEAD %s refuse each option of another service by its name, with what to use', (path) => {
  const names = foreign.filter((name) => {
    const isOfTransaction = path.startsWith('/transactions') && ['from', 'to'].includes(name)
    return !isOfTransaction && !(path.endsWith('/transactions') && name === 'before')
  })
  for (const name of names) {
    const expected = refused(400, `${name} is not an option here: ${foreignOptions[name]}`, 'no-store')
    expect([name, outcomeOf('GET', `${path}?${name}=5&x=1`)]).toEqual([name, expected])
    expect([name, outcomeOf('HEAD', `${path}?x=%zz&%${name.charCodeAt(0).toString(16)}${name.slice(1)}`)]).toEqual([
      name,
      expected,
    ])
  }
})

test.each([
  ['GET', '/blocks?Height=5&min_height=5&pages=2&heigh=1', '/blocks'],
  ['GET', '/docs?page=2', '/docs'],
  ['GET', '/openapi.json?key=x', '/openapi.json'],
  ['POST', '/broadcast/transaction?key=x&page=2', '/broadcast/transaction'],
])(
  '%s %s is admitted as %s: other keys are dropped, and all where the query is not read',
  (method, target, expected) => {
    expect(outcomeOf(method, target)).toBe(expected)
  },
)

test('a route without options reads none of 4,000 keys', () => {
  expect(outcomeOf('GET', `/summary?${'x&'.repeat(4000)}`)).toBe('/summary')
})

test.each([
  ['GET', `${'/'.repeat(250)}summary`],
  ['POST', '/'],
  ['POST', '/docs'],
  ['GET', '/docs/a/b'],
  ['GET', '/docs/%2e%2e'],
  ['GET', '/docs/page-0123456789abcde.js'],
  ['GET', '/docs/page-0123456789abcdefa.js'],
  ['GET', '/docs/page-0123456789abcdeF.js'],
  ['GET', '/docs/page-0123456789abcdef.html'],
  ['GET', '/docs/other-0123456789abcdef.js'],
  ['GET', '/docs/page'],
  ['GET', '/Summary'],
  ['GET', '/summary%3Fx=1'],
  ['GET', '/%'],
  ['GET', `/blocks%2F${stateHash}`],
  ['GET', '/blocks/a/b'],
  ['HEAD', '/broadcast/transaction'],
  ['DELETE', '/blocks/x'],
  ['OPTIONS', '/summary'],
])('%s %s is 404, since no route matches', (method, target) => {
  expect(outcomeOf(method, target)).toEqual(refused(404, 'Not Found', 'no-store'))
})

test.each([
  ['/blocks/x', getBlock],
  [`/blocks/%33${stateHash.slice(1)}`, getBlock],
  [`/blocks/${stateHash}1`, getBlock],
  [`/blocks/${stateHash.slice(0, -1)}0`, getBlock],
  [`/blocks/jx${stateHash.slice(2)}`, getBlock],
  [`/accounts/${stateHash}`, getAccount],
  [`/accounts/${publicKey.slice(0, -1)}%`, getAccount],
])('%s is refused as its endpoint refuses what has the wrong form', (target, { identifier }) => {
  const { body, caching } = identifier?.unknown ?? {}
  const expected = refused(404, body?.message ?? '', cacheControlOf(caching))
  expect([outcomeOf('GET', target), outcomeOf('HEAD', target)]).toEqual([expected, expected])
})

test.each([
  ...['limit=', 'limit=000', 'limit=-1', 'limit=1.0', 'limit=%31%zz', 'limit=%D9%A3', 'limit= 1', 'limit=1%0A'],
  ...[`limit=${'1'.repeat(33)}`, `limit=${'%31'.repeat(33)}`],
  ...['limit=1&limit=1', 'limit&limit', 'limit=2&x=1&%6cimit=2'],
])('GET /blocks?%s is refused', (query) => {
  const expected = refused(400, 'limit must be a whole number, 1 or more, given once', 'no-store')
  expect(outcomeOf('GET', `/blocks?${query}`)).toEqual(expected)
})

test.each(['&x', '&limit=1'])(
  '33 keys are refused where the route has options: the 32 after the first are %s',
  (key) => {
    expect(outcomeOf('GET', `/blocks?limit=2${key.repeat(32)}`)).toEqual(
      refused(400, 'the query must have at most 32 keys', 'no-store'),
    )
  },
)

test('a preflight of a browser is one on every path, with its own method only', () => {
  const asking = { origin: 'https://wallet.example', 'access-control-request-method': 'POST' }
  for (const path of ['/summary', '/nowhere', '/blocks/%']) {
    expect(outcomeOf('OPTIONS', path, asking)).toEqual({ kind: 'preflight' })
  }
  expect(outcomeOf('GET', '/nowhere', asking)).toMatchObject({ kind: 'refused' })
})

describe('of several routes', () => {
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
