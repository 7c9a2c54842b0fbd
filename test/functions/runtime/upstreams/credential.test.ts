import { describe, expect, jest, test } from '@jest/globals'
import { keptKey, readKey } from '../../../../functions/runtime/upstreams/credential.ts'
import { serve } from '../../../serving.ts'

const noPause = async () => undefined

describe('the key of an upstream', () => {
  test.each([
    [
      { header: 'x-api-key', secret: 'stage/node key' },
      { SecretString: ' k1\r\n' },
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
    ['no JSON', 200, '<html>'],
    ['another shape', 200, '{"SecretBinary":"AA=="}'],
    ['an empty text', 200, '{"SecretString":""}'],
    ['a redirect', 302, '{"SecretString":"stage/node"}'],
  ])('that cannot be read (%s) is upstream trouble that names no secret', async (_what, status, body) => {
    const { url } = await serve((_request, response) => void response.writeHead(status).end(body))
    const reading = readKey({ header: 'x-api-key', secret: 'stage/node' }, { url, token: 't' }, noPause)
    await expect(reading).rejects.toMatchObject({
      fault: 'unreachable',
      message: expect.not.stringContaining('stage/node'),
    })
  })

  test.each([429, 503])('that is refused for load, %i, is not there now', async (status) => {
    const { url } = await serve((_request, response) => void response.writeHead(status).end('{"message":"slow down"}'))
    const reading = readKey({ header: 'x-api-key', secret: 's' }, { url, token: 't' }, noPause)
    await expect(reading).rejects.toMatchObject({ fault: 'busy' })
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
      ['once while the extension is not ready', [400, 200], 'k1', [50]],
      ['three times', [400, 503, 500, 200], 'k1', [50, 150, 400]],
      ['after a refusal for load', [429, 200], 'k1', [50]],
      ['at most three times', [400, 400, 400, 400], 400, [50, 150, 400]],
      ['but not after 403, which waiting does not change', [403], 403, []],
      ['but not after 404', [404], 404, []],
    ])('%s', async (_when, statuses, outcome, pauses) => {
      const key =
        outcome === 'k1' ? outcome : `WireError: key of the header x-api-key: Error: the extension answered ${outcome}`
      expect(await reading(...statuses)).toEqual({ key, answers: statuses.length, pauses })
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

    test('is read anew when it is refused, for all calls that it was refused to', async () => {
      const { kept, clock, readings } = await keeping('first', 'second')
      expect(await Promise.all([kept.current(), kept.current()])).toEqual(['first', 'first'])
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
