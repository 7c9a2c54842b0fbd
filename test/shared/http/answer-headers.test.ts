import { expect, test } from '@jest/globals'
import { brieflyKept, cacheControlOf, noStaleness } from '../../../shared/http/answer-headers.ts'

test.each([
  [5, 'public, max-age=1, stale-if-error=0'],
  [1, 'public, max-age=1, stale-if-error=0'],
  [0, 'public, max-age=0, stale-if-error=0'],
])('an answer that may be kept %i s is kept a second at most while a better one may come', (maxAgeSeconds, header) => {
  expect(cacheControlOf(brieflyKept({ maxAgeSeconds, ...noStaleness }))).toBe(header)
})
