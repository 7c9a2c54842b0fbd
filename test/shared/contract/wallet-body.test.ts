// The bodies beyond the contract's, as the validators that ship take them.
import { describe, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import validateDelegation from '../../../functions/runtime/validators/broadcast-delegation.js'
import validateTransaction from '../../../functions/runtime/validators/broadcast-transaction.js'
import { annotationKeywords } from '../../../shared/contract/annotations.ts'
import { contracts as all } from '../../../shared/endpoints/all.ts'
import { placesOf, removedAt, replacedAt } from './places.ts'
import { delegation, transaction } from './samples.ts'

const bySpelling = (bodies: readonly unknown[]) => bodies.map((body) => JSON.stringify(body)).sort()

const raw = '0123456789abcdefABCDEF'.padEnd(128, '0')

describe.each([
  { name: 'broadcastTransaction' as const, validate: validateTransaction, contracts: transaction },
  { name: 'broadcastDelegation' as const, validate: validateDelegation, contracts: delegation },
])('validator of $name', ({ name, validate, contracts }) => {
  const { publicKey, signature, payload } = contracts
  const signers = { signature, publicKey, data: payload }

  test('accepts exactly the documented shapes but for what only their words say: one command, its signer, numbers under data', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true }).addVocabulary([...annotationKeywords])
    const isDocumented = ajv.compile({ ...all[name].request?.documentedBody })
    const ofContract = [contracts, { ...contracts, signature: raw }]
    const bodies = [...ofContract, signers, { data: payload, signature: { rawSignature: raw } }]
    const variants = bodies.flatMap((body) => [
      body,
      ...placesOf(body).flatMap((place) => [
        removedAt(body, place),
        ...[null, 7, -7, '', 'text', {}].map((value) => replacedAt(body, place, value)),
      ]),
    ])
    const withNumbers = Object.keys(payload)
      .filter((term) => !['to', 'from', 'memo'].includes(term))
      .flatMap((term) => {
        const data = { ...payload, [term]: 7 }
        return [
          { ...signers, data },
          { data, signature: { rawSignature: raw } },
        ]
      })
    const incomplete = [
      ...ofContract.flatMap((body) => [removedAt(body, ['publicKey']), removedAt(body, ['payload'])]),
      removedAt(signers, ['data']),
      { signature: { rawSignature: raw } },
    ]
    expect([variants.length > 100, withNumbers.length > 5]).toEqual([true, true])
    expect({
      undocumented: bySpelling(variants.filter((body) => validate({ body }) && !isDocumented(body))),
      refused: bySpelling(variants.filter((body) => !validate({ body }) && isDocumented(body))),
    }).toEqual({ undocumented: bySpelling(withNumbers), refused: bySpelling(incomplete) })
  })
})
