import { expect, test } from '@jest/globals'
import { acceptedCoding } from '../../../functions/docs/content-coding.ts'

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5, br;q=0', 'gzip'],
  ['br; q=1.0', 'br'],
  ['*', 'br'],
  ['br;q=0, *;q=0.1', 'gzip'],
  ['*;q=0', undefined],
  ['gzip;q=0, identity', undefined],
  ['brotli, x-gzip', undefined],
  ['gzip;q=x', undefined],
  ['', undefined],
])('the accepted coding of %p is %p', (header, expected) => {
  expect(acceptedCoding(header)).toBe(expected)
})
