import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { queryOver } from '../../../../functions/runtime/upstreams/upstreams.ts'
import { operation } from '../../../../shared/upstream/operation.ts'
import { shape, text } from '../../../../shared/upstream/wire.ts'
import { serve } from '../../../serving.ts'

describe('a call with a key', () => {
  const question = operation('node', 'query', 'question', '', shape({ hash: text }))

  let now = 0
  beforeEach(() => {
    jest.spyOn(Date, 'now').mockImplementation(() => now)
  })
  afterEach(() => {
    jest.restoreAllMocks()
  })

  /** The port to a node that takes one key and five seconds for a refusal, and what it was given. */
  async function asking(taken: string, refusal: number, keys: string[]) {
    const { url } = await serve(
      (_request, response) => void response.end(JSON.stringify({ SecretString: keys.shift() })),
    )
    const received: unknown[] = []
    const { url: node } = await serve((request, response) => {
      const key = request.headers['x-api-key']
      received.push(key)
      if (key === taken) response.end('{"data":{"hash":"h"}}')
      else {
        now += 5000
        response.writeHead(refusal).end('no')
      }
    })
    const credential = { header: 'x-api-key', secret: 's' }
    const settings = { node: { url: node, headers: {}, credential, timeoutMs: 5000 }, extension: { url, token: 't' } }
    return { query: queryOver(settings), received }
  }

  test('carries it in its header', async () => {
    const { query, received } = await asking('right', 401, ['right'])
    expect(await query(question, {})).toEqual({ status: 200, data: { hash: 'h' }, errors: [] })
    expect(received).toEqual(['right'])
  })

  test.each([401, 403])(
    'that is refused with %i is sent once more with the key that replaced the old one',
    async (refusal) => {
      const { query, received } = await asking('new', refusal, ['old', 'new'])
      expect(await query(question, {})).toEqual({ status: 200, data: { hash: 'h' }, errors: [] })
      await query(question, {})
      expect(received).toEqual(['old', 'new', 'new'])
    },
  )

  test.each([401, 403])('that is refused with %i although the key is right is not sent again', async (refusal) => {
    const { query, received } = await asking('another', refusal, ['right', 'right'])
    expect(await query(question, {})).toEqual({ status: refusal, data: undefined, errors: [] })
    expect(received).toEqual(['right'])
  })

  test('that is a mutation is never sent again, but the next call has the new key', async () => {
    const { query, received } = await asking('new', 401, ['old', 'new'])
    const mutation = operation('node', 'mutation', 'send', '', shape({ hash: text }))
    expect(await query(mutation, {})).toEqual({ status: 401, data: undefined, errors: [] })
    await query(question, {})
    expect(received).toEqual(['old', 'new'])
  })

  test('that fails otherwise is not sent again', async () => {
    const { query, received } = await asking('new', 500, ['old', 'new'])
    expect(await query(question, {})).toMatchObject({ status: 500 })
    expect(received).toEqual(['old'])
  })
})
