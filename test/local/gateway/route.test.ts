import { describe, expect, test } from '@jest/globals'
import { gateway } from '../../../local/gateway/gateway.ts'
import type { Route } from '../../../local/gateway/route.ts'
import { listen } from './listening.ts'

describe('a route is chosen', () => {
  const named = (method: string, path: string): Route => ({
    methods: [method],
    path,
    handler: async () => `${method} ${path}`,
  })
  const routes = [
    named('GET', '/{anything}'),
    named('GET', '/a/{id}'),
    named('POST', '/a/{id}'),
    named('GET', '/a/latest'),
    named('GET', '/a/{id}/b/{other}'),
  ]

  test.each([
    ['GET', '/a/latest', 'GET /a/latest'],
    ['GET', '/a/1', 'GET /a/{id}'],
    ['POST', '/a/latest', 'POST /a/{id}'],
    ['GET', '/a', 'GET /{anything}'],
    ['GET', '/a/1/b/2', 'GET /a/{id}/b/{other}'],
  ])('for %s %s: %s', async (method, path, expected) => {
    const { url } = await listen(gateway(routes))
    expect(await (await fetch(url + path, { method })).text()).toBe(expected)
  })

  test('and no parameter is empty', async () => {
    const { url } = await listen(gateway(routes))
    expect((await fetch(url)).status).toBe(404)
  })
})
