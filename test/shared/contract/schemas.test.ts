// Rules of the contract's schemas. Which fields are required, and of which type, stands in openapi.json, which a change must
// change too; that answers fit is tested over HTTP, in test/end-to-end/endpoints.test.ts.
import { describe, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { annotationFormats, annotationKeywords } from '../../../shared/contract/annotations.ts'
import { blockResponse, blocksResponse } from '../../../shared/contract/block.ts'
import { namedSchemas } from '../../../tools/generate/named-schemas.ts'
import { type Place, placesOf, replacedAt, valueAt } from './places.ts'
import { block } from './samples.ts'

describe('a list', () => {
  const ajv = new Ajv2020({ formats: annotationFormats }).addVocabulary([...annotationKeywords])
  const [isValidBlock, isValidList] = [ajv.compile(blockResponse), ajv.compile(blocksResponse)]
  const withList = (place: Place, items: readonly unknown[]) => ({ block: replacedAt(block, place, items) })

  test.each([
    [['snarkJobs'], true],
    [['transactions', 'feeTransfer'], true],
    [['transactions', 'userCommands'], false],
  ])('of a block at %j may be empty; it takes equal items: %s', (place, isRepeatable) => {
    const [item] = Object(valueAt(block, place))
    expect([[], [item], [item, item]].map((items) => isValidBlock(withList(place, items)))).toEqual([
      true,
      true,
      isRepeatable,
    ])
  })

  test('of blocks has at least one block, and no block twice', () => {
    const lists = [[], [block, { ...block }], [block, { ...block, blockHeight: 3 }]]
    expect(lists.map((blocks) => isValidList({ blocks }))).toEqual([false, false, true])
  })
})

const places = placesOf(namedSchemas)

test('no schema refuses an unknown field', () => {
  expect(places.filter((place) => /^(?:additional|unevaluated)Properties$/.test(String(place.at(-1))))).toEqual([])
})

test('every amount names its unit, or the token in whose smallest unit it is', () => {
  const amounts = places.filter((place) => {
    const { description = '' } = Object(valueAt(namedSchemas, place))
    const isNamed = /(?:amount|balance|fee|coinbase|supply|currency)$/i.test(String(place.at(-1)))
    return place.at(-2) === 'properties' && (isNamed || /\b(?:MINA(?! token)|nanomina)\b/.test(description))
  })
  const bare = amounts.filter((place) => {
    const { type, 'x-unit': unit } = Object(valueAt(namedSchemas, place))
    const isOfToken = 'tokenId' in Object(valueAt(namedSchemas, place.slice(0, -1)))
    return /string|integer/.test(type) && unit === undefined && !isOfToken
  })
  expect([bare, amounts.length > 20]).toEqual([[], true])
})
