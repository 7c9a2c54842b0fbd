import { describe, expect, test } from '@jest/globals'
import { opensLock } from '../../../functions/runtime/request-check.ts'
import { originSecretsOf } from '../../../functions/runtime/settings/settings.ts'

test('the variable holds the secrets separated by commas', () => {
  expect([undefined, '', 'new', 'new,old'].map((text) => originSecretsOf(text))).toEqual([
    [],
    [],
    ['new'],
    ['new', 'old'],
  ])
})

describe('the lock', () => {
  test.each(['new', 'old'])('is opened by the secret %s while the secret is being changed', (header) => {
    expect(opensLock(header, ['new', 'old'])).toBe(true)
  })

  test.each([undefined, '', 'ne', 'new ', 'NEW', 'new,old', 'older'])('stays closed for %j', (header) => {
    expect(opensLock(header, ['new', 'old'])).toBe(false)
  })

  test.each([undefined, '', 'new'])('without a secret stays closed for %j', (header) => {
    expect(opensLock(header, [])).toBe(false)
  })
})
