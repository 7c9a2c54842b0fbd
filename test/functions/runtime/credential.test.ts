import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createAsk } from '../../../functions/runtime/ask.ts'
import { readKey } from '../../../functions/runtime/credential.ts'
import { readSettings } from '../../../functions/runtime/settings.ts'
import { type Listening, listen } from '../../../local/start/listen.ts'
import { operation, shape, text } from '../../../shared/mapping/wire.ts'

const servers: Listening[] = []
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())))

async function serving(listener: RequestListener): Promise<string> {
  const server = await listen(listener, 0, '127.0.0.1')
  servers.push(server)
  return `http://127.0.0.1:${server.port}`
}

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
    const url = await serving((request, response) => {
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
  ])('that cannot be had, %s, is upstream trouble that names no secret', async (_what, status, body) => {
    const url = await serving((_request, response) => void response.writeHead(status).end(body))
    const reading = readKey({ header: 'x-api-key', secret: 'stage/node' }, { url, token: 't' })
    await expect(reading).rejects.toMatchObject({
      fault: 'unreachable',
      message: expect.not.stringContaining('stage/node'),
    })
  })

  test('goes out in its header with each call, as it is now', async () => {
    const keys = ['old', 'new']
    const url = await serving((_request, response) => void response.end(JSON.stringify({ SecretString: keys.shift() })))
    const received: unknown[] = []
    const node = await serving((request, response) => {
      received.push(request.headers['x-api-key'])
      response.end('{"data":{"hash":"h"}}')
    })
    const credential = { header: 'x-api-key', secret: 's' }
    const settings = { node: { url: node, headers: {}, credential, timeoutMs: 5000 }, extension: { url, token: 't' } }
    const ask = createAsk(settings)
    const question = operation('node', 'query', 'question', '', shape({ hash: text }))
    await ask(question, {})
    await ask(question, {})
    expect(received).toEqual(['old', 'new'])
  })
})

describe('its setting', () => {
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
