// A declaration of forms and options: admission and function read it alike.
import { expect, test } from '@jest/globals'
import { serve } from '../../../functions/runtime/serve.ts'
import validateBlock from '../../../functions/runtime/validators/get-block.js'
import { admit } from '../../../shared/admission/admit.ts'
import { refusalAnswer } from '../../../shared/admission/refusal.ts'
import { ruleOf } from '../../../shared/admission/routes.ts'
import { heightForm, max32Bits, oldTransactionHashForm, transactionHashForm } from '../../../shared/contract/forms.ts'
import { kinds, type OptionOf, type QueryOption } from '../../../shared/contract/query/kinds.ts'
import { absenceFaults } from '../../../shared/contract/query/levels.ts'
import { problemOf } from '../../../shared/contract/query/read-options.ts'
import { readQuery } from '../../../shared/contract/query/read-query.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { getBlock } from '../../../shared/endpoints/get-block.ts'
import { notFoundCaching } from '../../../shared/http/answer-headers.ts'
import { cursorOption, keyOption, memoOption, numberOption, queryReader } from '../../../shared/mapping/query-values.ts'
import { httpEvent, lambdaContext } from '../../functions/event.ts'
import { chainOf, replying } from '../endpoints/asking.ts'
import { asked } from './hostile.ts'

const endpoint: Endpoint = {
  ...getBlock,
  path: '/things/{state_hash}',
  identifier: {
    parameter: 'state_hash',
    forms: [transactionHashForm, oldTransactionHashForm, heightForm],
    unknown: { status: 404, body: { message: 'Nothing has that name.' }, caching: notFoundCaching },
  },
  query: queryReader(
    {
      from: { kind: 'key', level: 1 },
      nonce: { kind: 'number', min: 0, max: max32Bits, level: 1 },
      valid_until: { kind: 'number', min: 0, max: max32Bits, level: 1 },
    },
    { key: keyOption, number: numberOption },
    absenceFaults,
  ),
  input: (request) => request,
  run: async (input) => ({ status: 200, body: input as never }),
}
const handler = serve(endpoint, { schema: validateBlock, chain: chainOf(replying({})), log: () => undefined })

const hash = '5JvJ6fA7cL6SoVjKYg6T1W5f6PKWbt9tevpeuVbWBBuKktaL8aJM'
const oldHash = 'CkpZME52rRdLoVDUkEx1vK3QUu86WxUQTV5347cUj1vnJaZSovN9s'
const from = 'B62qpge4uMq4Vv5Rvc8Gw9qSquUYd6xoW1pz7HQkMSHm6h1o7pvLPAN'

const admitted = (target: string) => admit([ruleOf(endpoint)], asked('GET', target))

test.each([
  [hash, {}],
  [`${oldHash}?utm_id=2`, {}],
  ['360000', {}],
  [`${hash}?valid_until=0007&from=${from}&nonce=00`, { from, nonce: '0', valid_until: '7' }],
  [
    `${hash}?%6eonce=%30%35&valid_until=4294967295&fro%6D=%42${from.slice(1)}`,
    { from, nonce: '5', valid_until: '4294967295' },
  ],
])('/things/%s is admitted with %j, in one order', (target, query) => {
  const admission = admitted(`/things/${target}`)
  expect(admission).toMatchObject({ kind: 'admitted', query })
  expect(admission.kind === 'admitted' && Object.keys(admission.query)).toEqual(Object.keys(query))
})

test.each(['x', `${hash}1`, oldHash.slice(1), '0', '007', '+7', '2147483648', '%37'])(
  '/things/%s has no name',
  (name) => {
    expect(admitted(`/things/${name}`)).toEqual({
      kind: 'refused',
      refusal: { status: 404, message: 'Nothing has that name.', cacheControl: 'public, max-age=5, stale-if-error=0' },
    })
  },
)

const together = 'from, nonce, valid_until are given together or not at all'
const noNonce = 'nonce must be a whole number from 0 to 4294967295, given once'

test.each([
  ['nonce=1', `from, valid_until are missing: ${together}`],
  [
    `valid_until=&from=${from}`,
    `nonce is missing: ${together}; valid_until must be a whole number from 0 to 4294967295, given once`,
  ],
  [`from=${from}&nonce=1&nonce=1&valid_until=2`, noNonce],
  [`from=${from}&nonce=%20&valid_until=2`, noNonce],
  [`from=${from.slice(1)}&nonce=1&valid_until=2`, 'from must be a public key, given once'],
])('?%s is refused alike by admission and by the function', async (text, message) => {
  const admission = admitted(`/things/${hash}?${text}`)
  expect(admission).toEqual({ kind: 'refused', refusal: { status: 400, message, cacheControl: 'no-store' } })
  const pairs = new URLSearchParams(text)
  const joined = Object.fromEntries([...pairs.keys()].map((key) => [key, pairs.getAll(key).join(',')]))
  const event = httpEvent({ pathParameters: { state_hash: hash }, query: joined })
  const { status, headers, body } = refusalAnswer({ status: 400, message, cacheControl: 'no-store' })
  expect(await handler(event, lambdaContext())).toEqual({ statusCode: status, headers, body })
})

test('the function alone sees a wrong checksum, and refuses it in the same words', async () => {
  const query = { from: `${from.slice(0, -1)}P`, nonce: '1', valid_until: '2' }
  const { statusCode, body } = await handler(
    httpEvent({ pathParameters: { state_hash: hash }, query }),
    lambdaContext(),
  )
  expect([statusCode, body]).toEqual([400, '{"message":"from must be a public key, given once"}'])
})

/** The kinds that have a checksum. */
const readers = { key: keyOption, memo: memoOption, cursor: cursorOption }

/** Texts of the right form with a wrong checksum, by the kind of option that reads them. */
const wrongChecksums: Readonly<Record<keyof typeof readers, string>> = {
  key: `${from.slice(0, -1)}P`,
  memo: 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaJ',
  cursor: '7-3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPa',
}

const isWithChecksum = (option: QueryOption): option is OptionOf<keyof typeof readers> =>
  Object.hasOwn(readers, option.kind)

const inBase58check = endpoints.flatMap((served) =>
  Object.entries(served.query?.options ?? {}).flatMap(([name, option]) => {
    if (!isWithChecksum(option)) return []
    return [{ option, endpoint: served.name, name, text: wrongChecksums[option.kind] }]
  }),
)

test.each(inBase58check)('$endpoint refuses $name with a wrong checksum, which admission lets pass', (given) => {
  const { option, name, text } = given
  const { level: _, ...unleveled } = option
  const alone = { [name]: unleveled }
  expect(readQuery(alone, { [name]: text }, '')).toEqual({ values: { [name]: text }, faults: [] })
  expect(queryReader(alone, readers).read({ [name]: text }, '').faults).toEqual([
    { at: name, problem: problemOf(kinds, option) },
  ])
})
