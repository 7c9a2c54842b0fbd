import { describe, expect, test } from '@jest/globals'
import middy from '@middy/core'
import { lockingOrigin, opensLock, originSecretsOf } from '../../../functions/runtime/origin-lock.ts'
import { ApiError } from '../../../shared/upstream/errors.ts'
import { httpEvent, lambdaContext } from '../event.ts'

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

  test.each([undefined, '', 'ne', 'new ', 'NEW', 'new,old', 'older'])('is not opened by %j', (header) => {
    expect(opensLock(header, ['new', 'old'])).toBe(false)
  })

  test.each([undefined, '', 'new'])('without a secret is opened by nothing, not by %j', (header) => {
    expect(opensLock(header, [])).toBe(false)
  })
})

describe('a locked function', () => {
  const answer = { statusCode: 200 }
  const handler = (secrets: readonly string[]) =>
    middy()
      .use(lockingOrigin(secrets))
      .handler(() => answer)
  const sent = (headers: Record<string, string>) => httpEvent({ path: '/summary', headers })

  test('answers what comes through CloudFront', async () => {
    expect(await handler(['new', 'old'])(sent({ 'x-origin-secret': 'old' }), lambdaContext())).toEqual(answer)
  })

  test('refuses what went past it', async () => {
    const refusal = new ApiError(403, 'This address is closed. Ask at the public address of the service.')
    await expect(handler(['new'])(sent({}), lambdaContext())).rejects.toThrow(refusal)
    await expect(handler(['new'])(sent({ 'x-origin-secret': 'old' }), lambdaContext())).rejects.toThrow(refusal)
  })
})
