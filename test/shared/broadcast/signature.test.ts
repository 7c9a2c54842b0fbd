import { expect, test } from '@jest/globals'
import { readingsOf } from '../../../shared/broadcast/signature.ts'
import { fieldOrder } from '../../../shared/mapping/base58check.ts'

const half = (number: bigint): string => number.toString(16).padStart(64, '0')

test('a raw signature whose first half is the order of the field, or whose second is that of the group, has no reading', () => {
  const scalarOrder = 28948022309329048855892746252171976963363056481941647379679742748393362948097n
  const greatest = { field: String(fieldOrder - 1n), scalar: String(scalarOrder - 1n) }
  // Read from the other end, each of these numbers is above its order.
  expect(readingsOf(half(fieldOrder - 1n) + half(scalarOrder - 1n))).toContainEqual(greatest)
  expect(readingsOf(half(fieldOrder) + half(1n)).map(({ field }) => field)).not.toContain(String(fieldOrder))
  expect(readingsOf(half(1n) + half(scalarOrder)).map(({ scalar }) => scalar)).not.toContain(String(scalarOrder))
})
