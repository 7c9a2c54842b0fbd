// Single requests; properties.test.ts has the rules that hold for all.
import { describe, expect, test } from '@jest/globals'
import { admit } from '../../../shared/admission/admit.ts'
import { routeRules } from '../../../shared/admission/routes.ts'
import { isMeaningless } from '../../../shared/contract/query/read-options.ts'
import { getAccount } from '../../../shared/endpoints/get-account.ts'
import { getBlock } from '../../../shared/endpoints/get-block.ts'
import { getBlocksBefore } from '../../../shared/endpoints/get-blocks-before.ts'
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
  ['HEAD', '//?_=1', '/summary'],
  ['HEAD', '/summary?UTM_Source=%zz&&=&t', '/summary'],
  ['GET', '/blocks/?limit=1', '/blocks'],
  ['GET', '/blocks?limit=0001', '/blocks'],
  ['GET', '/blocks?ref=1&limit=007&__proto__=2', '/blocks?limit=7'],
  ['GET', '/blocks?limit=10', '/blocks?limit=10'],
  ['GET', `/blocks?limit=${'%39'.repeat(32)}`, '/blocks?limit=10'],
  ['GET', `${'/'.repeat(249)}summary`, '/summary'],
  ['GET', `/blocks?limit=2${'&v'.repeat(31)}`, '/blocks?limit=2'],
  ['GET', '/blocks?%6C%69%6D%69%74=%30%37', '/blocks?limit=7'],
  ['GET', `/accounts//${publicKey}?%5f=2`, `/accounts/${publicKey}`],
  ['POST', '//broadcast//transaction?x', '/broadcast/transaction'],
  ['HEAD', '/docs/page-0123456789abcdef.js?limit=2', '/docs/page-0123456789abcdef.js'],
  ['GET', '/docs/page-0123456789abcdef.css', '/docs/page-0123456789abcdef.css'],
  ['GET', '/openapi.json', '/openapi.json'],
])('%s %s has the one spelling %s', (method, target, expected) => {
  expect(outcomeOf(method, target)).toBe(expected)
})

const transactionHash = '5Juafq9LLfg4c3FtmX3kMgpRuBKJFbcTqojHsqryKwdLCuVxv7Ph'
const optionsOf = (path: string): string => {
  const admission = admit(routeRules, asked('GET', path))
  const { options = {} } = admission.kind === 'admitted' ? admission.rule : {}
  return Object.keys(options).join(', ') || 'none'
}

const unknownOptions = [
  ...['publicKey', 'order', 'count', 'token', 'Limit', 'limit[]', 'BEFORE', 'constructor', 'page.size'],
  ...['canonical', 'x', 'a'.repeat(46)],
]

test.each([
  ...['/blocks', `/blocks/${stateHash}`, '/blocks/height/7', `/accounts/${publicKey}`, `/accounts/${publicKey}/tokens`],
  ...[`/accounts/${publicKey}/transactions`, `/transactions/${transactionHash}`],
  ...['/', '/summary', '/fees', '/pool', '/health', '/network'],
])('GET and HEAD %s refuse an option that they do not have by its name, and name those that they have', (path) => {
  for (const name of unknownOptions) {
    const expected = refused(400, `${name} is not an option here (options here: ${optionsOf(path)})`, 'no-store')
    expect([name, outcomeOf('GET', `${path}?${name}=5&utm_source=1`)]).toEqual([name, expected])
    const encodedName = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`
    expect([name, outcomeOf('HEAD', `${path}?_=%zz&${encodedName}`)]).toEqual([name, expected])
  }
})

const blockPaths = ['/blocks', `/blocks/${stateHash}`, '/blocks/height/7', `/blocks/before/7-${stateHash}`]
const accountPaths = ['', '/tokens', '/transactions'].map((rest) => `/accounts/${publicKey}${rest}`)
const pages = ['page', 'before', 'offset', 'skip', 'cursor']
const heights = ['height', 'minHeight', 'maxHeight']

test.each([
  [pages, blockPaths, ': use GET /blocks/before/{cursor}'],
  [heights, blockPaths, ': use GET /blocks/height/{height}'],
  [pages, accountPaths, ': use GET /accounts/{public_key}/transactions?before={next}'],
  [heights, accountPaths, ''],
  [[...pages, ...heights], ['/pool', '/fees', '/summary', `/transactions/${transactionHash}`], ''],
])('%j are refused on %j, each with the right way of that path: "%s"', (names, paths, way) => {
  for (const path of paths) {
    for (const name of names.filter((name) => !optionsOf(path).split(', ').includes(name))) {
      const expected = refused(
        400,
        `${name} is not an option here${way} (options here: ${optionsOf(path)})`,
        'no-store',
      )
      expect([path, name, outcomeOf('GET', `${path}?${name}=5`)]).toEqual([path, name, expected])
    }
  }
})

test.each([
  ['a'.repeat(49), `${'a'.repeat(48)}…`],
  ['%61'.repeat(100), `${'%61'.repeat(16)}…`],
  ['%1b[2J%e2%80%ae', '?[2J?'],
])('the refusal repeats of the key %s only %s', (name, echo) => {
  const expected = refused(400, `${echo} is not an option here (options here: none)`, 'no-store')
  expect(outcomeOf('GET', `/summary?${name}=5`)).toEqual(expected)
})

test('every unknown option is named, and the faults of known ones too', () => {
  const here = 'is not an option here (options here: limit)'
  const expected = refused(400, `limit must be a whole number, 1 or more, given once; a ${here}; b ${here}`, 'no-store')
  expect(outcomeOf('GET', '/blocks?a=1&limit=0&b=2&a=3')).toEqual(expected)
})

test.each([
  ...['utm_source', 'UTM_CAMPAIGN', '_', '_ga', '__cf_chl', 'fbclid', 'FBCLID', 'gclid', 'msclkid', 'ref', 't', 'ts'],
  ...['timestamp', 'cb', 'v', 'nocache', '%75tm_source', `utm_${'a'.repeat(100)}`],
])('%s, which a tracker or a cache buster adds, is dropped', (name) => {
  expect(outcomeOf('GET', `/blocks?${name}=5&limit=3&${name}`)).toBe('/blocks?limit=3')
})

test('no option of an endpoint has the name of a tracker or a cache buster', () => {
  const names = routeRules.flatMap(({ options = {} }) => Object.keys(options))
  expect(names.filter(isMeaningless)).toEqual([])
})

test.each([
  ['GET', '/docs?page=2', '/docs'],
  ['GET', '/openapi.json?key=x', '/openapi.json'],
  ['POST', '/broadcast/transaction?key=x&page=2', '/broadcast/transaction'],
])('%s %s is admitted as %s, since its query is not read', (method, target, expected) => {
  expect(outcomeOf(method, target)).toBe(expected)
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
  [`/blocks/before/7-${stateHash}1`, getBlocksBefore],
  [`/blocks/before/07-${stateHash}`, getBlocksBefore],
])('%s is refused as its endpoint refuses what has the wrong form', (target, { identifier }) => {
  const { status = 0, body, caching } = identifier?.unknown ?? {}
  const expected = refused(status, body?.message ?? '', cacheControlOf(caching))
  expect([outcomeOf('GET', target), outcomeOf('HEAD', target)]).toEqual([expected, expected])
})

test.each([
  ...['limit=', 'limit=000', 'limit=-1', 'limit=1.0', 'limit=%31%zz', 'limit=%D9%A3', 'limit= 1', 'limit=1%0A'],
  ...[`limit=${'1'.repeat(33)}`, `limit=${'%31'.repeat(33)}`],
  ...['limit=1&limit=1', 'limit&limit', 'limit=2&_=1&%6cimit=2'],
])('GET /blocks?%s is refused', (query) => {
  const expected = refused(400, 'limit must be a whole number, 1 or more, given once', 'no-store')
  expect(outcomeOf('GET', `/blocks?${query}`)).toEqual(expected)
})

test.each(['/blocks?limit=2', '/summary?v'])('33 keys are refused, whatever they are: %s and 32 more', (target) => {
  for (const key of ['&x', '&limit=1', '&_']) {
    const expected = refused(400, 'the query must have at most 32 keys', 'no-store')
    expect(outcomeOf('GET', target + key.repeat(32))).toEqual(expected)
  }
})

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
