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
import { placesOf, removedAt } from './places.ts'
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

describe.each([
  { endpoint: 'broadcastTransaction', validate: validateTransaction, body: transaction, more: ['amount: missing'] },
  { endpoint: 'broadcastDelegation', validate: validateDelegation, body: delegation, more: [] },
])('validator of $endpoint', ({ validate, body, more }) => {
  test('accepts the body of the contract, with unknown keys at every depth', () => {
    const extended = { ...body, x: 1, signature: { ...body.signature, x: 1 }, payload: { ...body.payload, x: 1 } }
    expect([body, extended].flatMap((one) => faultsOf(validate, withBody(one)))).toEqual([])
  })

  test('names every missing field', () => {
    const places = placesOf(body)
    const faults = places.map((place) => faultsOf(validate, withBody(removedAt(body, place))))
    expect(faults).toEqual(places.map((place) => [`/body/${place.join('/')}: missing`]))
  })

  test('names all faults at once', () => {
    const payload = { from: 1, fee: '1', nonce: null, memo: '', validUntil: {} }
    const ofPayload = [
      ...more,
      ...['from: not string', 'memo: minLength', 'nonce: not string', 'to: missing', 'validUntil: not string'],
    ]
    expect(faultsOf(validate, withBody({ signature: { field: '' }, payload }))).toEqual([
      ...ofPayload.map((fault) => `/body/payload/${fault}`),
      '/body/publicKey: missing',
      '/body/signature/field: minLength',
      '/body/signature/scalar: missing',
    ])
    expect(faultsOf(validate, withBody({ ...body, signature: '', payload: [] }))).toEqual([
      '/body/payload: not object',
      '/body/signature: pattern',
    ])
  })

  test('refuses another body than an object, and none', () => {
    const wrong = [null, 'text', 1, []].map((other) => faultsOf(validate, withBody(other)))
    expect(wrong).toEqual(Array(4).fill(['/body: not object']))
    expect(faultsOf(validate, httpEvent({ method: 'POST' }))).toEqual(['/body: missing'])
  })
})

test('the validator of getBlocks takes a count without sign, point or blank, and ignores keys that it does not know', () => {
  const events = [httpEvent({}), httpEvent({ query: {} }), httpEvent({ query: { limits: '0' } })]
  expect(events.flatMap((event) => faultsOf(validateBlocks, event))).toEqual([])
  const isTaken = (limit: string) => validateBlocks(httpEvent({ query: { limit } }))
  const counts = ['1', '10', '11', '007', '9'.repeat(32)]
  const others = ['9'.repeat(33), '', '0', '000', '-1', '+1', '1.5', '1,2', '1e1', ' 1', '1\n', 'abc', '0x1', '١']
  expect([...counts, ...others].filter(isTaken)).toEqual(counts)
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
