// The request validators as they ship: compiled ahead of time from shared/contract.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { CompiledSchema } from '../../../functions/runtime/request-check.ts'
import validateDelegation from '../../../functions/runtime/validators/broadcast-delegation.js'
import validateTransaction from '../../../functions/runtime/validators/broadcast-transaction.js'
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
  { endpoint: 'broadcastTransaction', validate: validateTransaction, body: transaction },
  { endpoint: 'broadcastDelegation', validate: validateDelegation, body: delegation },
])('validator of $endpoint', ({ validate, body }) => {
  test('accepts the body of the contract, with unknown keys at every depth', () => {
    const extended = { ...body, x: 1, signature: { ...body.signature, x: 1 }, payload: { ...body.payload, x: 1 } }
    expect([body, extended].flatMap((one) => faultsOf(validate, withBody(one)))).toEqual([])
  })

  test('names every missing field', () => {
    const places = placesOf(body)
    const faults = places.map((place) => faultsOf(validate, withBody(removedAt(body, place))))
    expect(faults).toEqual(places.map((place) => [`/body/${place.join('/')}: missing`]))
  })
})

test('a validator has at most 12 KB', () => {
  const folder = join(import.meta.dirname, '../../../functions/runtime/validators')
  const large = readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map((file) => ({ file, bytes: statSync(join(folder, file)).size }))
    .filter(({ bytes }) => bytes > 12_000)
  expect(large).toEqual([])
})
