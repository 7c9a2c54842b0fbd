// Faults of the GraphQL envelope, and words about the blocks that a node holds.
import { at, isObject } from '../exact-json.ts'
import { answers, type Fault, faultsOf, type Row, type TrueExchange, type Upstream } from '../fault.ts'
import { secret } from '../judge/answer-form.ts'

const says = (name: string, text: (exchange: TrueExchange) => string): Row => [
  name,
  (exchange) => answers(text(exchange)),
]
/** @param body the same for every question, or made from the true exchange */
const json = (name: string, body: unknown): Row =>
  says(name, (exchange) => JSON.stringify(typeof body === 'function' ? body(exchange) : body) ?? '')

const dataOf = (exchange: TrueExchange): unknown => at(exchange.json, 'data')
const withData = (name: string, make: (data: unknown) => unknown): Row =>
  json(name, (exchange: TrueExchange) => make(dataOf(exchange)))

/** Errors, each fixed or made from the true exchange. */
type Errors = readonly (object | string | null | ((exchange: TrueExchange) => object))[]
const made = (errors: Errors, exchange: TrueExchange) =>
  errors.map((error) => (typeof error === 'function' ? error(exchange) : error))
const alone = (name: string, ...errors: Errors): Row =>
  json(name, (exchange: TrueExchange) => ({ data: null, errors: made(errors, exchange) }))
const beside = (name: string, ...errors: Errors): Row =>
  json(name, (exchange: TrueExchange) => ({ data: dataOf(exchange), errors: made(errors, exchange) }))

const nulled = (data: unknown): unknown =>
  isObject(data) ? Object.fromEntries(Object.keys(data).map((key) => [key, null])) : null
const withoutFirst = (data: unknown): unknown =>
  isObject(data) ? Object.fromEntries(Object.entries(data).slice(1)) : null

const error = { message: secret }
const booting = { message: 'Could not obtain transition frontier' }

const envelopeRows: readonly Row[] = [
  json('answers an empty object', {}),
  json('answers a bare text', 'Syntax Error: Expected Name'),
  json('answers null', null),
  json('answers true', true),
  json('answers a list of answers', (exchange: TrueExchange) => [exchange.json]),
  json('answers data: null', { data: null }),
  json('answers data: {}', { data: {} }),
  json('answers data: []', { data: [] }),
  withData('answers data as text', (data) => ({ data: JSON.stringify(data) })),
  withData('answers data in a list', (data) => ({ data: [data] })),
  json('answers data in data', (exchange: TrueExchange) => ({ data: exchange.json })),
  withData('forgets the key data', (data) => data),
  withData('answers with capitals', (data) => ({ DATA: data })),
  alone('answers an error alone', error),
  json('answers an error without data', { errors: [error] }),
  beside('answers an error beside data', error),
  beside('answers an empty list of errors beside data'),
  json('answers an empty list of errors alone', { errors: [] }),
  withData('answers errors: null beside data', (data) => ({ data, errors: null })),
  json('answers errors: null alone', { errors: null }),
  alone('answers an error that is text', secret),
  alone('answers an error that is null', null),
  alone('answers an error without a message', { code: 1 }),
  alone('answers an error whose message is a number', { message: 1 }),
  json('answers errors as an object', { data: null, errors: error }),
  json('answers errors as a text', { data: null, errors: secret }),
  alone('answers a missing variable', { message: 'Missing variable `x`' }),
  json('adds extensions', (exchange: TrueExchange) => ({ ...Object(exchange.json), extensions: { cost: 1 } })),
  withData('takes one root field away', (data) => ({ data: withoutFirst(data) })),
  withData('makes each root field null', (data) => ({ data: nulled(data) })),
  alone('bootstraps', booting),
  withData('has no best chain', (data) => ({
    data: nulled(data),
    errors: [{ message: 'Could not obtain best chain from transition frontier' }],
  })),
  beside('says beside data that it bootstraps', booting),
  says('answers nothing', () => ''),
  says('answers spaces', () => '   '),
  says('answers HTML', () => `<html>${secret}</html>`),
  says('answers half a JSON', ({ text }) => text.slice(0, text.length / 2)),
  says('lacks the last brace', ({ text }) => text.slice(0, -1)),
  says('writes something behind the answer', ({ text }) => `${text}${secret}`),
  says('answers twice', ({ text }) => `${text}\n${text}`),
  says('answers in single quotes', ({ text }) => text.replaceAll('"', "'")),
  says('answers with a trailing comma', ({ text }) => `${text.slice(0, -1)},}`),
  says('answers NaN', () => '{"data":NaN}'),
  says('answers JavaScript', ({ text }) => `callback(${text})`),
]

const other = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
const notHeld = (hash: unknown) => ({ message: `Block with state hash ${hash} not found in transition frontier` })
const askedNotHeld = ({ variables }: TrueExchange) => notHeld(variables.stateHash ?? other)

/** The node's words are right of a block that it has forgotten. */
const leftToIndexer = ([name, sending]: Row): Row => [name, sending, { mayBeIndexed: true }]

const wordRows: readonly Row[] = [
  alone('says that it does not hold another block', notHeld(other)),
  beside('says so beside the block', notHeld(other)),
  alone('says so of no block', notHeld('')),
  leftToIndexer(
    json('says that it does not hold this block, without data', (exchange: TrueExchange) => ({
      errors: [askedNotHeld(exchange)],
    })),
  ),
  leftToIndexer(alone('says that it does not hold this block', askedNotHeld)),
  beside('says so beside this block', askedNotHeld),
  alone('says so, and that it bootstraps', askedNotHeld, booting),
  alone('says so in the middle of other words', (exchange) => ({ message: `x ${askedNotHeld(exchange).message}` })),
  alone('says so on a second line', (exchange) => ({ message: `${secret}\n${askedNotHeld(exchange).message}` })),
  alone('says so of this and of another block', askedNotHeld, notHeld(other)),
  alone('says "not found"', { message: 'not found' }),
  alone('says that the height is not there', {
    message: 'Could not find block in transition frontier with height 5',
  }),
  alone('says so as the Rust node of another block', {
    message: `Could not find block with hash: \`${other}\` in transition frontier`,
  }),
]

export const envelopeFaults = (upstream: Upstream): readonly Fault[] => [
  ...faultsOf('envelope', upstream, envelopeRows),
  ...faultsOf('not-found words', upstream, wordRows),
]
