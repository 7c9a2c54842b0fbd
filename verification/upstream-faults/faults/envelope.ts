// Faults of the GraphQL envelope, and words about what a node holds.
import { at, isObject } from '../exact-json.ts'
import { answers, type Fault, type FaultKind, type TrueExchange, type Upstream } from '../fault.ts'
import { secret } from '../judge/answer-form.ts'

/** What a fault makes of the answer's JSON. */
type Row = readonly [name: string, body: (exchange: TrueExchange) => unknown]

const fixed = (body: unknown) => () => body
const dataOf = ({ json }: TrueExchange): unknown => at(json, 'data')
const error = { message: secret }
const beside =
  (...errors: readonly unknown[]) =>
  (exchange: TrueExchange) => ({ data: dataOf(exchange), errors })
const alone =
  (...errors: readonly unknown[]) =>
  () => ({ data: null, errors })

const envelopeRows: readonly Row[] = [
  ['answers an empty object', fixed({})],
  ['answers a bare text', fixed('Syntax Error: Expected Name')],
  ['answers null', fixed(null)],
  ['answers true', fixed(true)],
  ['answers a list of answers', ({ json }) => [json]],
  ['answers data: null', fixed({ data: null })],
  ['answers data: {}', fixed({ data: {} })],
  ['answers data: []', fixed({ data: [] })],
  ['answers data as text', (exchange) => ({ data: JSON.stringify(dataOf(exchange)) })],
  ['answers data in a list', (exchange) => ({ data: [dataOf(exchange)] })],
  ['answers data in data', ({ json }) => ({ data: json })],
  ['forgets the key data', (exchange) => dataOf(exchange)],
  ['answers with capitals', (exchange) => ({ DATA: dataOf(exchange) })],
  ['answers an error alone', alone(error)],
  ['answers an error without data', fixed({ errors: [error] })],
  ['answers an error beside data', beside(error)],
  ['answers an empty list of errors beside data', beside()],
  ['answers an empty list of errors alone', fixed({ errors: [] })],
  ['answers errors: null beside data', (exchange) => ({ data: dataOf(exchange), errors: null })],
  ['answers errors: null alone', fixed({ errors: null })],
  ['answers an error that is text', alone(secret)],
  ['answers an error that is null', alone(null)],
  ['answers an error without a message', alone({ code: 1 })],
  ['answers an error whose message is a number', alone({ message: 1 })],
  ['answers errors as an object', fixed({ data: null, errors: error })],
  ['answers errors as a text', fixed({ data: null, errors: secret })],
  ['answers a missing variable', alone({ message: 'Missing variable `x`' })],
  ['adds extensions', ({ json }) => ({ ...(isObject(json) ? json : {}), extensions: { cost: 1 } })],
  ['takes one root field away', (exchange) => ({ data: withoutFirst(dataOf(exchange)) })],
  ['makes each root field null', (exchange) => ({ data: nulled(dataOf(exchange)) })],
]

const textRows: readonly (readonly [name: string, text: (exchange: TrueExchange) => string])[] = [
  ['answers nothing', () => ''],
  ['answers spaces', () => '   '],
  ['answers HTML', () => `<html>${secret}</html>`],
  ['answers half a JSON', ({ text }) => text.slice(0, text.length / 2)],
  ['lacks the last brace', ({ text }) => text.slice(0, -1)],
  ['writes something behind the answer', ({ text }) => `${text}${secret}`],
  ['answers twice', ({ text }) => `${text}\n${text}`],
  ['answers in single quotes', ({ text }) => text.replaceAll('"', "'")],
  ['answers with a trailing comma', ({ text }) => `${text.slice(0, -1)},}`],
  ['answers NaN', () => '{"data":NaN}'],
  ['answers JavaScript', ({ text }) => `callback(${text})`],
]

const withoutFirst = (data: unknown): unknown =>
  isObject(data) ? Object.fromEntries(Object.entries(data).slice(1)) : null
const nulled = (data: unknown): unknown =>
  isObject(data) ? Object.fromEntries(Object.keys(data).map((key) => [key, null])) : null

const strange = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
const notHeld = (hash: unknown) => ({ message: `Block with state hash ${hash} not found in transition frontier` })
const asked = ({ variables }: TrueExchange): unknown => variables.stateHash ?? strange

const wordRows: readonly Row[] = [
  ['says that it does not hold another block', alone(notHeld(strange))],
  ['says so beside the block', beside(notHeld(strange))],
  ['says so of no block', alone(notHeld(''))],
  ['says that it does not hold this block, without data', (exchange) => ({ errors: [notHeld(asked(exchange))] })],
  ['says that it does not hold this block', (exchange) => ({ data: null, errors: [notHeld(asked(exchange))] })],
  ['says so beside this block', (exchange) => ({ data: dataOf(exchange), errors: [notHeld(asked(exchange))] })],
  ['says so, and that it bootstraps', (exchange) => ({ data: null, errors: [notHeld(asked(exchange)), booting] })],
  ['says so in the middle of other words', (exchange) => alone({ message: `x ${notHeld(asked(exchange)).message}` })()],
  ['says so on a second line', (exchange) => alone({ message: `${secret}\n${notHeld(asked(exchange)).message}` })()],
  ['says so of this and of another block', (exchange) => alone(notHeld(asked(exchange)), notHeld(strange))()],
  ['says "not found"', alone({ message: 'not found' })],
  [
    'says that the height is not there',
    alone({ message: 'Could not find block in transition frontier with height 5' }),
  ],
  [
    'says so as the Rust node of another block',
    alone({ message: `Could not find block with hash: \`${strange}\` in transition frontier` }),
  ],
]

const booting = { message: 'Could not obtain transition frontier' }

const bootRows: readonly Row[] = [
  ['bootstraps', alone(booting)],
  [
    'has no best chain',
    (exchange) => ({
      data: nulled(dataOf(exchange)),
      errors: [{ message: 'Could not obtain best chain from transition frontier' }],
    }),
  ],
  ['says beside data that it bootstraps', beside(booting)],
]

const rowFaults = (upstream: Upstream, kind: FaultKind, rows: readonly Row[]): readonly Fault[] =>
  rows.map(([name, body]) => ({
    name: `${upstream} ${name}`,
    kind,
    upstream,
    hits: () => true,
    sending: (exchange) => answers(JSON.stringify(body(exchange)) ?? ''),
  }))

export const envelopeFaults = (upstream: Upstream): readonly Fault[] => [
  ...rowFaults(upstream, 'envelope', [...envelopeRows, ...bootRows]),
  ...textRows.map(
    ([name, text]): Fault => ({
      name: `${upstream} ${name}`,
      kind: 'envelope',
      upstream,
      hits: () => true,
      sending: (exchange) => answers(text(exchange)),
    }),
  ),
  ...rowFaults(upstream, 'not-found words', wordRows),
]
