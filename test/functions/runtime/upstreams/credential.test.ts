import { describe, expect, jest, test } from '@jest/globals'
import { readSettings } from '../../../../functions/runtime/settings/settings.ts'
import { keptKey, readKey } from '../../../../functions/runtime/upstreams/credential.ts'
import { serve } from '../../../serving.ts'

const noPause = async () => undefined

describe('the key of an upstream', () => {
  test.each([
    [
      { header: 'x-api-key', secret: 'stage/node key' },
      { SecretString: 'k1' },
      '/secretsmanager/get?secretId=stage%2Fnode%20key',
    ],
    [
      { header: 'x-api-key', parameter: '/stage/node' },
      { Parameter: { Value: 'k1' } },
      '/systemsmanager/parameters/get?withDecryption=true&name=%2Fstage%2Fnode',
    ],
  ])('is read by name, %j, as its own function', async (credential, answer, path) => {
    const asked: unknown[] = []
    const { url } = await serve((request, response) => {
      asked.push([request.url, request.headers['x-aws-parameters-secrets-token']])
      response.end(JSON.stringify(answer))
    })
    expect(await readKey(credential, { url, token: 't' })).toBe('k1')
    expect(asked).toEqual([[path, 't']])
  })

  test.each([
    ['a refusal', 400, 'not found'],
    ['another refusal', 403, 'forbidden'],
    ['no JSON', 200, '<html>'],
    ['another shape', 200, '{"SecretBinary":"AA=="}'],
    ['an empty text', 200, '{"SecretString":""}'],
    ['blanks', 200, '{"SecretString":" \\n"}'],
    ['half a JSON', 200, '{"SecretString":"stage/node'],
    ['a redirect', 302, '{"SecretString":"stage/node"}'],
  ])('that cannot be read (%s) is upstream trouble that names no secret', async (_what, status, body) => {
    const { url } = await serve((_request, response) => void response.writeHead(status).end(body))
    const reading = readKey({ header: 'x-api-key', secret: 'stage/node' }, { url, token: 't' }, noPause)
    await expect(reading).rejects.toMatchObject({
      fault: 'unreachable',
      message: expect.not.stringContaining('stage/node'),
    })
  })

  describe('is read again', () => {
    /** A fake extension that answers with these in turn, then repeats the last, and the pauses between the attempts to read a key. */
    async function reading(...statuses: readonly number[]) {
      const pauses: number[] = []
      let answers = 0
      const { url } = await serve((_request, response) => {
        const status = statuses[Math.min(answers, statuses.length - 1)] ?? 0
        answers += 1
        response
          .writeHead(status)
          .end(status === 200 ? '{"SecretString":"k1"}' : 'not ready to serve traffic, please wait')
      })
      const pause = async (milliseconds: number) => void pauses.push(milliseconds)
      const key = await readKey({ header: 'x-api-key', secret: 's' }, { url, token: 't' }, pause).catch(String)
      return { key, answers, pauses }
    }

    test.each([
      ['once while the extension is not ready', [400, 200], [50]],
      ['three times', [400, 400, 500, 200], [50, 150, 400]],
      ['after 500', [500, 200], [50]],
      ['after 503', [503, 200], [50]],
    ])('%s', async (_when, statuses, pauses) => {
      expect(await reading(...statuses)).toEqual({ key: 'k1', answers: statuses.length, pauses })
    })

    test('at most three times', async () => {
      expect(await reading(400)).toEqual({
        key: 'WireError: key of the header x-api-key: Error: the extension answered 400',
        answers: 4,
        pauses: [50, 150, 400],
      })
    })

    test.each([401, 403, 404])('but not after %d, which waiting does not change', async (status) => {
      expect(await reading(status)).toMatchObject({ answers: 1, pauses: [] })
    })

    test('but not once its time is over', async () => {
      let answers = 0
      const { url } = await serve((_request, response) => {
        answers += 1
        response.writeHead(400).end()
      })
      const time = new AbortController()
      const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal)
      const key = readKey({ header: 'x-api-key', secret: 's' }, { url, token: 't' }, async () => time.abort())
      await expect(key).rejects.toMatchObject({ fault: 'unreachable' })
      expect([answers, timeout.mock.calls]).toEqual([1, [[2500]]])
      timeout.mockRestore()
    })
  })

  test('is read without blanks and line ends around it', async () => {
    const { url } = await serve((_request, response) => void response.end('{"SecretString":" k1\\r\\n"}'))
    expect(await readKey({ header: 'x-api-key', secret: 's' }, { url, token: 't' })).toBe('k1')
  })

  describe('as a function keeps it', () => {
    /** A fake extension that gives these keys in turn, then repeats the last, and a clock that stands still. */
    async function keeping(...keys: readonly (string | undefined)[]) {
      const clock = { now: 0 }
      let readings = 0
      const { url } = await serve((_request, response) => {
        const key = keys[Math.min(readings, keys.length - 1)]
        readings += 1
        if (key === undefined) response.writeHead(404).end()
        else response.end(JSON.stringify({ SecretString: key }))
      })
      const kept = keptKey({ header: 'x-api-key', secret: 's' }, { url, token: 't' }, () => clock.now, noPause)
      return { kept, clock, readings: () => readings }
    }

    test('is read at its first use and every minute', async () => {
      const { kept, clock } = await keeping('first', 'second')
      const keys = []
      for (const now of [0, 59_999, 60_000, 119_999]) {
        clock.now = now
        keys.push(await kept.current())
      }
      expect(keys).toEqual(['first', 'first', 'second', 'second'])
    })

    test('is read once for calls at the same time', async () => {
      const { kept, readings } = await keeping('first', 'second')
      expect(await Promise.all([kept.current(), kept.current()])).toEqual(['first', 'first'])
      expect(readings()).toBe(1)
    })

    test('is read anew when it is refused, for all calls that it was refused to', async () => {
      const { kept, clock, readings } = await keeping('first', 'second')
      await kept.current()
      clock.now = 5000
      expect(await Promise.all([kept.successorOf('first'), kept.successorOf('first')])).toEqual(['second', 'second'])
      expect([await kept.current(), readings()]).toEqual(['second', 2])
    })

    test('has no successor while it stays the same, and is not read for each call then', async () => {
      const { kept, clock, readings } = await keeping('only')
      const successors = []
      for (const now of [0, 4999, 5000, 9999]) {
        clock.now = now
        await kept.current()
        successors.push(await kept.successorOf('only'))
      }
      expect([successors, readings()]).toEqual([[undefined, undefined, undefined, undefined], 2])
    })

    test('stays in use while no other can be read', async () => {
      const { kept, clock, readings } = await keeping('first', undefined)
      await kept.current()
      clock.now = 60_000
      expect([await kept.current(), await kept.successorOf('first'), readings()]).toEqual(['first', undefined, 2])
    })

    test('is asked for again after a failure to read the first', async () => {
      const { kept } = await keeping(undefined, 'first')
      await expect(kept.current()).rejects.toMatchObject({ fault: 'unreachable' })
      expect(await kept.current()).toBe('first')
    })
  })
})

describe('the setting of a key', () => {
  const url = 'https://node.example/graphql'

  test('names header and secret, and Lambda’s own token opens the extension', () => {
    const env = {
      NODE_GRAPHQL_URL: url,
      NODE_CREDENTIAL: '{"header":"x-api-key","secret":"stage/node"}',
      AWS_SESSION_TOKEN: 'token',
    }
    expect(readSettings(env)).toEqual({
      node: { url, headers: {}, credential: { header: 'x-api-key', secret: 'stage/node' }, timeoutMs: 8000 },
      extension: { url: 'http://localhost:2773', token: 'token' },
    })
  })

  test.each(['x', '{"header":"x-api-key"}', '{"secret":"s"}', '{"header":"h","secret":"s","parameter":"p"}'])(
    '%s is refused',
    (credential) => {
      expect(() => readSettings({ NODE_GRAPHQL_URL: url, NODE_CREDENTIAL: credential })).toThrow(
        /^Settings are wrong\.\nNODE_CREDENTIAL: wanted JSON/,
      )
    },
  )
})
