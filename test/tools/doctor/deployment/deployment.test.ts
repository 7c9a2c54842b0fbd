import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { listen } from '../../../../local/start/listen.ts'
import { contracts, endpoints } from '../../../../shared/endpoints/all.ts'
import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts'
import { cacheControlOf } from '../../../../shared/http/caching.ts'
import { usage } from '../../../../tools/doctor/plan/plan.ts'
import { type ExaminedService, examinedService, problems } from '../examined-service.ts'

// An examination sends some fifty requests one after the other, perhaps on a busy machine.
jest.setTimeout(20_000)

const posts = endpoints.filter(({ method }) => method === 'POST')
/** Look-ups of things that do not exist. */
const unknown = endpoints
  .filter(({ name }) => contracts[name].responses[404] !== undefined)
  .map(({ path }) => path.replace(/{.*}/, 'unknown'))

let service: ExaminedService
beforeAll(async () => {
  service = await examinedService()
})
afterAll(() => service.close())

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(cleanUps.splice(0).map((cleanUp) => cleanUp()))
})

async function served(listener: RequestListener): Promise<string> {
  const { port, close } = await listen(listener, 0, '127.0.0.1')
  cleanUps.push(close)
  return `http://127.0.0.1:${port}`
}

type Rewritten = { status: number; headers: Headers; body: string }

/**
 * The doctor's findings on a healthy service behind a proxy that rewrites its answers.
 *
 * @param posted gets every request with a body
 */
async function problemsThrough(rewrite: (answer: Rewritten, path: string) => Rewritten, posted: string[] = []) {
  const { plan } = service
  const url = await served(async (request, response) => {
    const body = await text(request)
    if (body !== '') posted.push(`${request.method} ${request.url} ${body}`)
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    for (const name of ['connection', 'content-length', 'transfer-encoding']) headers.delete(name)
    const sent = { method: request.method ?? 'GET', headers, ...(body !== '' && { body }) }
    const answer = await fetch(plan.url + request.url, sent)
    const rewritten = rewrite(
      { status: answer.status, headers: new Headers(answer.headers), body: await answer.text() },
      request.url ?? '',
    )
    rewritten.headers.delete('content-length')
    response.writeHead(rewritten.status, Object.fromEntries(rewritten.headers)).end(rewritten.body)
  })
  return problems({ expected: {}, url, unreadKeys: [], secrets: [] })
}

describe('a deployment', () => {
  test('behind a proxy that changes nothing is healthy, and receives only empty objects', async () => {
    const posted: string[] = []
    expect(await problemsThrough((answer) => answer, posted)).toEqual([])
    expect(posted).toEqual(posts.map(({ path }) => `POST ${path} {}`))
  })

  test('that redirects is not followed', async () => {
    const lines = await problemsThrough(({ headers }, path) => {
      headers.set('location', `http://127.0.0.1:1${path}`)
      return { status: 301, headers, body: '' }
    })
    expect(lines).toContain(
      'fail GET /summary: answers 301 instead of 200: -> use the address that this one redirects to: a POST does not follow redirects',
    )
  })

  test('without CORS on preflights and errors fails at each of them', async () => {
    const lines = await problemsThrough(({ headers, ...rest }) => {
      if (rest.status !== 200) headers.delete('access-control-allow-origin')
      return { ...rest, headers }
    })
    const missing = (names: readonly string[]) =>
      `${names.map((name) => `${name}: access-control-allow-origin is missing`).join('; ')} -> deploy the latest stack: its HTTP API and its CDN both set the headers of shared/http/cors.ts`
    const refused = [...unknown, '/blocks?limit=0', '/no-such-path'].map((path) => `GET ${path}`)
    expect(lines).toEqual([
      `fail CORS preflight: ${missing(posts.map(({ path }) => `OPTIONS ${path}`))}`,
      `fail CORS on errors: ${missing([...posts.map(({ path }) => `POST ${path}`), ...refused])}`,
    ])
  })

  test('behind a cache that rewrites cache-control fails on every route, broadcasts and errors included', async () => {
    const lines = await problemsThrough(({ headers, ...rest }) => {
      headers.set('cache-control', 'public, max-age=10, stale-if-error=0')
      return { ...rest, headers }
    })
    const rewritten = 'deploy the latest version, and check that nothing between it and here rewrites answers'
    const kept = (status: number, ...promises: readonly string[]) =>
      `answers ${status}, but its cache-control is public, max-age=10, stale-if-error=0, not ${promises.join(' or ')} -> ${rewritten}`
    const policies = ({ caching }: Endpoint, status: 200 | 404) =>
      Object.values(caching[status] ?? {}).map(cacheControlOf)
    const gets = endpoints.filter(({ method }) => method === 'GET')
    const summary = gets.find(({ path }) => path === '/summary')
    expect(lines.map((finding) => finding.replace(/\/\w{6}…/, '/…'))).toEqual([
      ...posts.map(({ path }) => `fail POST ${path}: ${kept(400, 'no-store')}`),
      ...gets.map((get) => `fail GET ${get.path.replace(/{.*}/, '…')}: ${kept(200, ...policies(get, 200))}`),
      ...(summary ? [`fail GET /${summary.path}/: ${kept(200, ...policies(summary, 200))}`] : []),
      ...gets
        .filter(({ caching }) => caching[404] !== undefined)
        .map((get) => `fail GET ${get.path.replace(/{.*}/, 'unknown')}: ${kept(404, ...policies(get, 404))}`),
      `fail GET /blocks?limit=0: ${kept(400, 'no-store')}`,
      `fail GET /no-such-path: ${kept(404, 'no-store')}`,
    ])
  })

  test('behind a proxy that parses and prints JSON fails on its numbers', async () => {
    const lines = await problemsThrough((answer, path) =>
      path.startsWith('/blocks/3N') ? { ...answer, body: JSON.stringify(JSON.parse(answer.body)) } : answer,
    )
    expect(lines).toEqual([
      expect.stringMatching(
        /^fail exact numbers: the total currency is \d+\.\d{9} MINA in the block and \d+\.\d{9} MINA in /,
      ),
    ])
  })

  test('that does not collapse slashes fails on that route', async () => {
    const lines = await problemsThrough((answer, path) =>
      path === '//summary/' ? { ...answer, status: 404, body: '{"message":"Not Found"}' } : answer,
    )
    expect(lines).toEqual([
      'fail GET //summary/: answers 404 instead of 200: {"message":"Not Found"} -> use the address of the CDN: its viewer function collapses slashes, and it must be deployed',
    ])
  })
})

describe('npm run doctor', () => {
  async function run(args: readonly string[]) {
    const child = spawn(process.execPath, ['tools/doctor/doctor.ts', ...args], {
      env: { PATH: process.env.PATH ?? '' },
    })
    const [[code], printed, errors] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
    return { code, printed: printed.split('\n'), errors }
  }

  test('ends with 0 for a healthy service', async () => {
    const { code, printed, errors } = await run(['--url', service.plan.url])
    expect({ code, errors, last: printed.slice(-2) }).toEqual({
      code: 0,
      errors: '',
      last: [expect.stringMatching(/^(\d+) checks: \1 ok, 0 warnings, 0 failures$/), ''],
    })
  })

  test.each([
    [['--stag', 'devnet'], /^Unknown option '--stag'[^\n]*\n\nnpm run doctor -- /],
    [['--stage', 'no-such-stage'], /^--stage: there is no config\/no-such-stage\.ts; the stages are [^\n]+\n$/],
  ])('with %j ends with 1 and says why', async (args, errors) => {
    expect(await run(args)).toEqual({ code: 1, printed: [''], errors: expect.stringMatching(errors) })
  })

  test('prints its usage on request', async () => {
    const { code, printed } = await run(['--help'])
    expect({ code, first: printed[0] }).toEqual({ code: 0, first: usage.split('\n')[0] })
  })

  test('ends with 1 for a failing node, and prints no key though the node repeats it', async () => {
    const url = await served((request, response) => {
      response.end(JSON.stringify({ errors: [{ message: `bad key ${request.headers['x-api-key']}` }] }))
    })
    const args = ['--node', `${url}/graphql?k=hidden`, '--header', 'x-api-key: s3cret-key']
    const { code, printed, errors } = await run(args)
    expect({ code, errors, first: printed[0], last: printed.at(-2) }).toEqual({
      code: 1,
      errors: '',
      first: expect.stringMatching(/^fail node: nodeStatus: bad key … -> check that the address /),
      last: '4 checks: 1 ok, 2 warnings, 1 failure',
    })
    expect(printed.join('\n')).not.toMatch(/s3cret|hidden/)
  })
})
