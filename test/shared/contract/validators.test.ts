// The request validators as they ship: compiled ahead of time from shared/contract.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { CompiledSchema } from '../../../functions/runtime/request-check.ts'
import validateDelegation from '../../../functions/runtime/validators/broadcast-delegation.js'
import validateTransaction from '../../../functions/runtime/validators/broadcast-transaction.js'
import validateAccount from '../../../functions/runtime/validators/get-account.js'
import validateBlock from '../../../functions/runtime/validators/get-block.js'
import validateBlocks from '../../../functions/runtime/validators/get-blocks.js'
import validateSummary from '../../../functions/runtime/validators/get-summary.js'
import { httpEvent } from '../../functions/event.ts'
import { type Place, placesOf, removedAt, replacedAt, valueAt } from './places.ts'
import { delegation, transaction } from './samples.ts'

/** Each fault as `where: what`, in order of place. */
const faultsOf = (validate: CompiledSchema, event: object): readonly string[] =>
  validate(event)
    ? []
    : (validate.errors ?? [])
        .filter(({ keyword }) => keyword !== 'if')
        .map(({ instancePath, keyword, params }) =>
          keyword === 'required'
            ? `${instancePath}/${params.missingProperty}: missing`
            : `${instancePath}: ${keyword === 'type' ? `not ${params.type}` : keyword}`,
        )
        .sort()

const withBody = (body: unknown) => ({ ...httpEvent({ method: 'POST' }), body })

const pointer = (place: Place) => `/body/${place.join('/')}`

describe.each([
  { endpoint: 'broadcastTransaction', validate: validateTransaction, body: transaction, hasAmount: true },
  { endpoint: 'broadcastDelegation', validate: validateDelegation, body: delegation, hasAmount: false },
])('validator of $endpoint', ({ validate, body, hasAmount }) => {
  const places = placesOf(body)
  const faultsAt = (change: (place: Place) => unknown) =>
    Object.fromEntries(places.map((place) => [pointer(place), faultsOf(validate, withBody(change(place)))]))
  const expectedAt = (fault: (place: Place) => string) =>
    Object.fromEntries(places.map((place) => [pointer(place), [fault(place)]]))

  test('accepts the body of the contract', () => {
    expect(faultsOf(validate, withBody(body))).toEqual([])
  })

  test('accepts unknown keys at every depth', () => {
    const extended = { ...body, x: 1, signature: { ...body.signature, x: 1 }, payload: { ...body.payload, x: 1 } }
    expect(faultsOf(validate, withBody(extended))).toEqual([])
  })

  test('names each missing field', () => {
    expect(faultsAt((place) => removedAt(body, place))).toEqual(expectedAt((place) => `${pointer(place)}: missing`))
  })

  test.each([[null], [7], [true], [[]]])('names each field that is %j', (wrong) => {
    expect(faultsAt((place) => replacedAt(body, place, wrong))).toEqual(
      expectedAt((place) => `${pointer(place)}: not ${typeof valueAt(body, place) === 'string' ? 'string' : 'object'}`),
    )
  })

  test('names each empty text', () => {
    expect(faultsAt((place) => replacedAt(body, place, ''))).toEqual(
      expectedAt((place) => {
        if (pointer(place) === '/body/signature') return '/body/signature: pattern'
        return `${pointer(place)}: ${typeof valueAt(body, place) === 'string' ? 'minLength' : 'not object'}`
      }),
    )
  })

  test('names all faults at once', () => {
    const faulty = {
      signature: { field: '' },
      payload: { from: 1, fee: '1', nonce: null, memo: '', validUntil: {} },
    }
    expect(faultsOf(validate, withBody(faulty))).toEqual(
      [
        ...(hasAmount ? ['/body/payload/amount: missing'] : []),
        '/body/payload/from: not string',
        '/body/payload/memo: minLength',
        '/body/payload/nonce: not string',
        '/body/payload/to: missing',
        '/body/payload/validUntil: not string',
        '/body/publicKey: missing',
        '/body/signature/field: minLength',
        '/body/signature/scalar: missing',
      ].sort(),
    )
  })

  test.each([[null], ['text'], [1], [[]]])('refuses the body %j', (wrong) => {
    expect(faultsOf(validate, withBody(wrong))).toEqual(['/body: not object'])
  })

  test('refuses a request without a body', () => {
    expect(faultsOf(validate, httpEvent({ method: 'POST' }))).toEqual(['/body: missing'])
  })
})

describe('validator of getBlocks', () => {
  const faults = (limit: string) => faultsOf(validateBlocks, httpEvent({ query: { limit } }))

  test('accepts a request without query, and one with keys that it does not know', () => {
    const events = [httpEvent({}), httpEvent({ query: {} }), httpEvent({ query: { limits: '0' } })]
    expect(events.flatMap((event) => faultsOf(validateBlocks, event))).toEqual([])
  })

  test.each(['1', '10', '11', '007', '9'.repeat(32)])('accepts the limit %s', (limit) => {
    expect(faults(limit)).toEqual([])
  })

  test.each(['', '0', '000', '-1', '+1', '1.5', '1,2', '1e1', ' 1', '1\n', 'abc', '0x1', '١'])(
    'refuses the limit %j',
    (limit) => {
      expect(faults(limit)).toEqual(['/queryStringParameters/limit: pattern'])
    },
  )
})

describe.each([
  { endpoint: 'getBlock', validate: validateBlock, name: 'state_hash' },
  { endpoint: 'getAccount', validate: validateAccount, name: 'public_key' },
])('validator of $endpoint', ({ validate, name }) => {
  test('requires its path parameter and accepts any text in it', () => {
    const events = [
      httpEvent({ pathParameters: { [name]: 'anything %00 {at} all' } }),
      httpEvent({ pathParameters: {} }),
      httpEvent({}),
    ]
    expect(events.map((event) => faultsOf(validate, event))).toEqual([
      [],
      [`/pathParameters/${name}: missing`],
      ['/pathParameters: missing'],
    ])
  })
})

test('the validator of getSummary accepts every request', () => {
  expect(faultsOf(validateSummary, httpEvent({ query: { limit: '0' } }))).toEqual([])
})

test('a validator has at most 12 KB for a broadcast, 2 KB for a GET', () => {
  const folder = join(import.meta.dirname, '../../../functions/runtime/validators')
  const large = readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map((file) => ({ file, bytes: statSync(join(folder, file)).size }))
    .filter(({ file, bytes }) => bytes > (file.startsWith('broadcast') ? 12_000 : 2_000))
  expect(large).toEqual([])
})
