// Random requests, most of them meant to look like one that has an answer, or to be another spelling of one.
import fc from 'fast-check'
import { parseTarget } from '../../../local/gateway/target.ts'
import { unheldText } from '../../../packages/proofs/unheld-values.ts'
import type { RawRequest } from '../../../shared/admission/admit.ts'
import { filledPath, impossibleValues, unheldValues } from '../../../shared/contract/parameters.ts'
import type { QueryDeclaration, QueryOption } from '../../../shared/contract/query/kinds.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'

export interface Hostile {
  readonly method: string
  /** Path and query as a client sends them. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
}

const values = [
  {
    state_hash: '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ',
    public_key: 'B62qpge4uMq4Vv5Rvc8Gw9qSquUYd6xoW1pz7HQkMSHm6h1o7pvLPAN',
    hash: '5Juafq9LLfg4c3FtmX3kMgpRuBKJFbcTqojHsqryKwdLCuVxv7Ph',
    height: '360000',
    cursor: '360000-3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ',
  },
  unheldValues,
  impossibleValues,
]

const servedPaths = [...new Set(endpoints.flatMap(({ path }) => values.map((each) => filledPath(path, each))))]

/** Each endpoint that has options, with things that somebody may have. */
const pathsWithOptions = endpoints.flatMap(({ path, query }) =>
  query === undefined ? [] : [{ path: filledPath(path, unheldValues), options: query.options }],
)

const byte = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
const pathText = fc.string({ unit: byte.filter((character) => !'?#'.includes(character)), maxLength: 60 })
const queryText = fc.string({ unit: byte.filter((character) => character !== '#'), maxLength: 12 })

const encoded = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`

/** @param place of the changed character, in hundredths of the text */
const changedAt = (text: string, place: number, change: (character: string) => string): string => {
  const at = Math.floor((place * text.length) / 100)
  return text.slice(0, at) + change(text.charAt(at)) + text.slice(at + 1)
}

type Change = (text: string) => string

const changeAt = (place: number): fc.Arbitrary<Change> =>
  fc
    .constantFrom<Change>(
      () => '//',
      encoded,
      () => '',
      (character) => character + character,
      (character) => character.toUpperCase(),
      () => '0',
      () => 'z',
    )
    .map((change) => (text) => changedAt(text, place, change))

const change = fc.oneof(
  fc.constantFrom<Change>(
    (text) => text.replace('/', '//'),
    (text) => `${text}/`,
  ),
  fc.integer({ min: 0, max: 99 }).chain(changeAt),
)

const path = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(
        fc.constantFrom('/', '/blocks', ...pathsWithOptions.map(({ path }) => path), ...servedPaths),
        fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(change, { maxLength: 3 })),
      )
      .map(([served, changes]) => changes.reduce((text, apply) => apply(text), served)),
  },
  { weight: 1, arbitrary: pathText.map((text) => `/${text}`) },
)

/** Keys that no path has, among them those with a hint. */
export const unknownOptions = ['page', 'height', 'order', 'minHeight', 'key', 'limit[]', 'Limit', 'x'.repeat(60)]

const oddKey = fc.constantFrom(
  ...['l%69mit', '%6C%69%6D%69%74', 'limit%00', 'limit%', '+limit', 'limi', '__proto__', 'constructor', 'utm_x', 't'],
)
const oddValue = fc.oneof(
  fc.integer({ min: 0, max: 14 }).map(String),
  fc.constantFrom('%31', '%30%35', '%3', '%FF', '', '-1', '+1', '1+', '1.0', '1e1', '1,2', '0x1', '9'.repeat(400), '٣'),
  queryText,
)

/** Texts of an option that have a meaning, and changed ones. */
const textOf = (option: QueryOption): fc.Arbitrary<string> => {
  const known = fc.integer({ min: 0, max: 14 }).map((turn) => unheldText(option, turn))
  return fc.oneof(
    { weight: 4, arbitrary: known },
    fc.tuple(known, fc.integer({ min: 1, max: 9 })).map(([text, zeros]) => '0'.repeat(zeros) + text),
    fc.tuple(known, change).map(([text, apply]) => apply(text)),
    { weight: 2, arbitrary: oddValue },
  )
}

type Pairs = readonly (readonly [key: string, value: string])[]

/** All options of an endpoint, or one: each endpoint's are drawn for its own path, so that a further one starves none. */
const ownPairs = (options: QueryDeclaration): fc.Arbitrary<Pairs> => {
  const pairs = Object.entries(options).map(([name, option]) =>
    textOf(option).map((text): Pairs[number] => [name, text]),
  )
  return fc.oneof(fc.tuple(...pairs), ...pairs.map((pair) => pair.map((each) => [each])))
}
const targetWithOptions = fc
  .oneof(...pathsWithOptions.map(({ path, options }) => fc.tuple(fc.constant(path), ownPairs(options))))
  .map(([path, pairs]) => `${path}?${pairs.map((pair) => pair.join('=')).join('&')}`)

const optionNames = [...new Set(pathsWithOptions.flatMap(({ options }) => Object.keys(options)))]
const anyKey = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('limit', ...optionNames) },
  { weight: 2, arbitrary: fc.constantFrom(...unknownOptions) },
  oddKey,
)
const pair = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(anyKey, oddValue).map((each) => each.join('=')) },
  fc.constantFrom('limit', '', '=', '=1', 'utm_source=x', 'x=%zz', '?limit=2'),
  queryText,
)
const query = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  fc.array(pair, { minLength: 1, maxLength: 3 }).map((pairs) => `?${pairs.join('&')}`),
)

const method = fc.oneof(
  { weight: 12, arbitrary: fc.constant('GET') },
  { weight: 5, arbitrary: fc.constantFrom('HEAD', 'POST', 'OPTIONS') },
  fc.constantFrom('PUT', 'DELETE', 'PATCH'),
)
const headers = fc.record(
  {
    origin: fc.constant('https://wallet.example'),
    'access-control-request-method': fc.constant('POST'),
    'access-control-request-headers': fc.constantFrom('baggage,traceparent', 'authorization'),
  },
  { requiredKeys: [] },
)

export const hostile: fc.Arbitrary<Hostile> = fc.record({
  method,
  target: fc.oneof(
    { weight: 3, arbitrary: fc.tuple(path, query).map((parts) => parts.join('')) },
    { weight: 2, arbitrary: targetWithOptions },
  ),
  headers,
})

/** A request as admission sees it; the target comes percent-encoded. */
export function asked(method: string, target: string, headers: RawRequest['headers'] = {}): RawRequest {
  const { path, query } = parseTarget(target)
  return { method, headers, path, query: (max) => (query.length > max ? undefined : query) }
}
