// The bodies beyond the contract's, as the validators that ship take them.
import { describe, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { CompiledSchema } from '../../../functions/runtime/request-check.ts'
import validateDelegation from '../../../functions/runtime/validators/broadcast-delegation.js'
import validateTransaction from '../../../functions/runtime/validators/broadcast-transaction.js'
import { annotationKeywords } from '../../../shared/contract/annotations.ts'
import { contracts as all } from '../../../shared/endpoints/all.ts'
import { placesOf, removedAt, replacedAt } from './places.ts'
import { delegation, transaction } from './samples.ts'

const raw = '0123456789abcdefABCDEF'.padEnd(128, '0')

/** Faults as `where: keyword`, without the branches that only lead to them. */
function faultsOf(validate: CompiledSchema, body: unknown): readonly string[] {
  if (validate({ body })) return []
  return (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== 'if')
    .map(({ instancePath, keyword, params }) => `${instancePath} ${params.missingProperty ?? keyword}`)
    .sort()
}

describe.each([
  { name: 'broadcastTransaction' as const, validate: validateTransaction, contracts: transaction },
  { name: 'broadcastDelegation' as const, validate: validateDelegation, contracts: delegation },
])('validator of $name', ({ name, validate, contracts }) => {
  const { publicKey, signature, payload } = contracts
  const signers = { signature, publicKey, data: payload }
  const withData = (data: object) => ({ ...signers, data: { ...payload, ...data } })

  test.each<[string, object]>([
    ['the result of mina-signer', signers],
    ['that of 1.1, without a public key', { signature, data: payload }],
    ['that of 1.7', { signature: { ...signature, signer: publicKey }, data: payload }],
    ['an empty memo in it', withData({ memo: '' })],
    ['exact numbers in it', withData({ fee: 9007199254740991, nonce: 0, validUntil: 4294967295 })],
    ['unknown keys in it', { ...withData({ feeToken: 1 }), network: 'mainnet' }],
    ['a raw signature', { ...contracts, signature: raw }],
    ['a raw signature in an object', { ...contracts, signature: { rawSignature: raw } }],
    ['a raw signature beside data', { data: payload, signature: raw }],
    [
      'a raw signature in an object beside data',
      { data: payload, signature: { rawSignature: raw, signer: publicKey } },
    ],
    ['a raw signature that is an unknown key', { ...contracts, signature: { ...signature, rawSignature: 5 } }],
  ])('accepts %s', (_what, body) => {
    expect(faultsOf(validate, body)).toEqual([])
  })

  test.each<[string, unknown, readonly string[]]>([
    ['an empty memo in payload', { ...contracts, payload: { ...payload, memo: '' } }, ['/body/payload/memo minLength']],
    ['numbers in payload', { ...contracts, payload: { ...payload, fee: 1 } }, ['/body/payload/fee type']],
    ['no public key beside payload', { signature: raw, payload }, ['/body publicKey']],
    ['numbers that are not exact', withData({ fee: 9007199254740992 }), ['/body/data/fee maximum']],
    ['negative numbers', withData({ nonce: -1 }), ['/body/data/nonce minimum']],
    ['fractions', withData({ fee: 0.5 }), ['/body/data/fee type']],
    ['a memo that is a number', withData({ memo: 5 }), ['/body/data/memo type']],
    ['data that is a list', { signature, data: [] }, ['/body/data type']],
    ['data without a signature', { data: payload }, ['/body signature']],
    ['an incomplete signature', { signature: { field: '1' }, data: payload }, ['/body/signature scalar']],
    [
      'half a signature beside a raw one',
      { ...contracts, signature: { field: '1', rawSignature: raw } },
      ['/body/signature scalar'],
    ],
    ['a raw signature of 127 digits', { ...contracts, signature: raw.slice(1) }, ['/body/signature pattern']],
    [
      'other than hexadecimal digits',
      { data: payload, signature: { rawSignature: `${raw}\n` } },
      ['/body/signature/rawSignature pattern'],
    ],
    ['both shapes at once, as the contract’s', { ...contracts, data: payload, publicKey: 5 }, ['/body/publicKey type']],
  ])('refuses %s, with the faults of the shape that was meant only', (_what, body, faults) => {
    expect(faultsOf(validate, body)).toEqual(faults)
  })

  test('accepts exactly the documented shapes', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true }).addVocabulary([...annotationKeywords])
    const isDocumented = ajv.compile({ anyOf: all[name].request.bodyShapes })
    const bodies = [
      contracts,
      signers,
      { ...contracts, signature: raw },
      { data: payload, signature: { rawSignature: raw } },
    ]
    const variants = bodies.flatMap((body) => [
      body,
      ...placesOf(body).flatMap((place) => [
        removedAt(body, place),
        ...[null, 7, -7, '', 'text', {}].map((value) => replacedAt(body, place, value)),
      ]),
    ])
    const differing = variants.filter((body) => validate({ body }) !== isDocumented(body))
    expect([variants.length > 100, differing]).toEqual([true, []])
  })
})
