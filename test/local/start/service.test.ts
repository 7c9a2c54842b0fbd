import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import type { RequestLine } from '../../../functions/runtime/log.ts'
import { greeting } from '../../../local/start/greeting.ts'
import type { Operation } from '../../../local/start/live-examples.ts'
import { type ServiceOptions, startService } from '../../../local/start/service.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { docsPolicy } from '../../../shared/http/docs-page.ts'
import { abandonedUrl, untilTestEnds } from '../../serving.ts'

/** A service whose clock and block timer the test controls. */
async function service(options: ServiceOptions = {}) {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const log: RequestLine[] = []
  const repeated: { task: () => void; intervalMs: number; stopped: boolean }[] = []
  const started = await startService({
    now: () => clock.now,
    repeat(task, intervalMs) {
      const entry = { task, intervalMs, stopped: false }
      repeated.push(entry)
      return () => {
        entry.stopped = true
      }
    },
    log: (line) => log.push(line),
    ...options,
  })
  return { ...untilTestEnds(started), clock, log, repeated }
}
const inFrontOf = (NODE_GRAPHQL_URL: string) => service({ environment: { NODE_GRAPHQL_URL } })

/** Sends the request of a printed line, as a shell would. */
async function paste(line: string): Promise<{ status: number; body: unknown }> {
  const match = /^curl -sS (?:-H 'content-type: application\/json' -d '([^']+)' )?'([^']+)'$/.exec(line)
  if (match === null) throw new Error(`not a line to paste: ${line}`)
  const [, body, url = ''] = match
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, body === undefined ? {} : { method: 'POST', headers, body })
  return { status: response.status, body: await response.json() }
}

const linesToPaste = (printed: string) => printed.split('\n').filter((line) => line.startsWith('curl '))

describe('the service on an embedded chain', () => {
  test('answers its printed lines, one for each endpoint, with two different signers', async () => {
    const running = await service()
    const lines = linesToPaste(await greeting(running))
    const answers = await Promise.all(lines.map(paste))
    expect(running.log.map(({ endpoint, status }) => `${endpoint} ${status}`).sort()).toEqual(
      endpoints.map(({ name, method }) => `${name} ${method === 'GET' ? 200 : 201}`).toSorted(),
    )
    const answerTo = (path: string) => answers[lines.findIndex((line) => line.includes(path))]?.body
    const [alice, bob, carol, dave] = running.wallets.map(({ publicKey }) => publicKey)
    const stateHash = running.chain?.tip().stateHash
    expect(answerTo('/summary')).toMatchObject({ stateHash, blockchainLength: 40 })
    expect(answerTo('/blocks/')).toMatchObject({ block: { stateHash, canonical: true } })
    expect(answerTo('/accounts/')).toMatchObject({ account: { publicKey: alice } })
    expect(answerTo('/broadcast/transaction')).toMatchObject({
      result: { payment: { from: alice, to: bob, amount: '1500000000' } },
    })
    expect(answerTo('/broadcast/delegation')).toMatchObject({
      result: { delegation: { from: carol, to: dave, isDelegation: true } },
    })
  })

  test('prints lines with the next nonces once the commands of the first ones are in a block', async () => {
    const running = await service()
    for (const nonce of [0, 1]) {
      const answers = await Promise.all(
        linesToPaste(await greeting(running))
          .slice(-2)
          .map(paste),
      )
      expect(answers).toMatchObject([
        { status: 201, body: { result: { payment: { nonce } } } },
        { status: 201, body: { result: { delegation: { nonce } } } },
      ])
      running.repeated[0]?.task()
    }
  })

  test('serves a document whose examples work as they stand, each command once whatever its form', async () => {
    const { url, chain } = await service()
    const { paths } = JSON.parse(await (await fetch(`${url}/openapi.json`)).text())
    const before = chain?.pool().length ?? 0
    const statuses: string[] = []
    const ask = async (path: string, init?: RequestInit) => {
      statuses.push(`${path.split('/')[1]} ${(await fetch(url + path, init)).status}`)
    }
    for (const { method, path } of endpoints) {
      const { parameters = [], requestBody }: Operation = paths[path][method.toLowerCase()]
      const values = new Map(parameters.map(({ name, example }) => [name, String(example)]))
      if (method === 'GET') await ask(path.replace(/\{(\w+)\}/, (_, name) => values.get(name) ?? ''))
      for (const { value } of Object.values(requestBody?.content['application/json'].examples ?? {})) {
        await ask(path, { method: 'POST', body: JSON.stringify(value) })
      }
    }
    const broadcasts = Array.from({ length: 6 }, () => 'broadcast 201')
    expect(statuses).toEqual([...broadcasts, 'blocks 200', 'blocks 200', 'accounts 200', 'summary 200'])
    expect(chain?.pool().length).toBe(before + 2)
  })

  test('makes a block at each interval until it is closed', async () => {
    const running = await service({ blockSeconds: 7 })
    expect(running.repeated).toMatchObject([{ intervalMs: 7000, stopped: false }])
    running.clock.now += 7000
    running.repeated[0]?.task()
    const latest = await fetch(`${running.url}/blocks`)
    const dateTime = new Date(running.chain?.tip().date ?? 0).toISOString()
    expect(await latest.json()).toMatchObject({ blocks: [{ blockHeight: 41, dateTime }] })
    await running.close()
    expect(running.repeated).toMatchObject([{ stopped: true }])
  })

  test('lists each test wallet in an aligned table', async () => {
    const running = await service()
    const rows = (await greeting(running)).split('\n').filter((line) => /B62\S+ +EK\S+/.test(line))
    const wallets = running.wallets.map(({ name, publicKey, privateKey, note }) => [name, publicKey, privateKey, note])
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual(wallets)
    expect(new Set(rows.map((row) => row.indexOf('EK'))).size).toBe(1)
  })

  test('closes once, even in the middle of a request, and frees its port', async () => {
    const running = await service()
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
    const cut = once(socket, 'close')
    socket.write('GET /nowhere HTTP/1.1\r\nHost: h\r\n\r\nPOST /broadcast/transaction HTTP/1.1\r\n')
    await once(socket, 'data')
    const first = running.close()
    expect(running.close()).toBe(first)
    await first
    await cut
    await expect(fetch(`${running.url}/summary`)).rejects.toThrow()
    await expect(fetch(running.nodeUrl, { method: 'POST' })).rejects.toThrow()
    const again = await service({ port: Number(new URL(running.url).port) })
    expect(again.url).toBe(running.url)
  })

  test('reads a payload leniently where its environment says so', async () => {
    const errors = ['true', 'false'].map(async (LENIENT_PAYLOAD) => {
      const { url, wallets } = await service({ environment: { LENIENT_PAYLOAD } })
      const [from, to] = wallets.map(({ publicKey }) => publicKey)
      const payload = { from, to, fee: 10000000, amount: 1, nonce: 0, memo: '' }
      const body = JSON.stringify({ signature: { field: '1', scalar: '2' }, payload })
      const answer = await fetch(`${url}/broadcast/transaction`, { method: 'POST', body })
      return String(Object(await answer.json()).error)
    })
    expect(await Promise.all(errors)).toEqual([
      expect.stringContaining('Invalid_signature'),
      expect.stringContaining('/payload/memo must not be empty'),
    ])
  })
})

describe('the service in front of another node', () => {
  test('uses that node, has no chain, and prints a line for each endpoint that reads', async () => {
    const other = await service()
    const running = await inFrontOf(`${other.nodeUrl}?key=secret`)
    expect(running).toMatchObject({ wallets: [], repeated: [] })
    expect(running.chain).toBeUndefined()
    const printed = await greeting(running)
    expect(printed).toContain(other.nodeUrl)
    expect(printed).not.toContain('secret')
    const lines = linesToPaste(printed)
    const answers = await Promise.all(lines.map(paste))
    const reading = endpoints.filter(({ method }) => method === 'GET').map(({ name }) => `${name} 200`)
    expect(running.log.map(({ endpoint, status }) => `${endpoint} ${status}`)).toEqual(expect.arrayContaining(reading))
    expect(answers).toHaveLength(reading.length)
    const ofSummary = answers[lines.findIndex((line) => line.includes('/summary'))]
    expect(ofSummary?.body).toMatchObject({ stateHash: other.chain?.tip().stateHash })
  })

  test('answers although the first of several nodes is gone', async () => {
    const nodes = [`${await abandonedUrl()}/graphql`, (await service()).nodeUrl].map((graphqlUrl) => ({ graphqlUrl }))
    const running = await service({ environment: { NODES: JSON.stringify(nodes) } })
    expect([running.chain, running.nodeCount]).toEqual([undefined, 2])
    expect(await greeting(running)).toContain('the first of your 2 nodes')
    const summary = await fetch(`${running.url}/summary`)
    expect([summary.status, await summary.json()]).toMatchObject([200, { blockchainLength: 40 }])
  })

  test('starts while that node is down, and says so', async () => {
    const running = await inFrontOf(`${await abandonedUrl()}/graphql`)
    const printed = await greeting(running)
    expect(printed).toContain('the node has no block yet')
    const withoutParameters = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes('{'))
    expect(linesToPaste(printed).map((line) => line.replace(/\?[^']*/, ''))).toEqual(
      withoutParameters.map(({ path }) => `curl -sS '${running.url}${path}'`),
    )
  })
})

test('service and docs page of npm start are at their printed addresses, and the page has no other file', async () => {
  const running = await service()
  const printed = await greeting(running)
  const [, root = ''] = /^REST service +(\S+)/m.exec(printed) ?? []
  const summary = await fetch(root)
  expect([summary.status, await summary.json()]).toMatchObject([200, { blockchainLength: 40 }])
  const [, address = ''] = /^Docs page +(\S+)/m.exec(printed) ?? []
  expect(address).toBe(`${running.url}/docs`)
  const page = await fetch(`${address}/`)
  expect([page.status, page.headers.get('content-security-policy')]).toEqual([200, docsPolicy])
  await page.text()
  const description = await fetch(`${running.url}/openapi.json`)
  expect(await description.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/' }] })
  const [file, path] = await Promise.all([fetch(`${address}/page.js`), fetch(`${running.url}/nothing`)])
  expect([file.status, await file.text()]).toEqual([404, await path.text()])
})
