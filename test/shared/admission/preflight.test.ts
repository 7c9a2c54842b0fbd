import { expect, test } from '@jest/globals'
import { allowedHeaders } from '../../../shared/admission/preflight.ts'

test.each([
  'baggage,sentry-trace',
  'authorization, x-datadog-trace-id',
  'X-Requested-With',
  "!#$%&'*+-.^_`|~0aZ",
  'x'.repeat(512),
])('a preflight that asks for %s is allowed it', (asked) => {
  expect(allowedHeaders(asked, 'content-type')).toBe(asked)
})

test.each([undefined, '', 'x'.repeat(513), 'a\r\nset-cookie: b', 'a;b', 'ä', 'a"b', 'a: b'])(
  'a preflight that asks for %j, which no browser does, is allowed the fixed names',
  (asked) => {
    expect(allowedHeaders(asked, 'content-type')).toBe('content-type')
  },
)
