// Polling with a condition over HTTP, on a chain that grows and reorganises.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createRandom, integerBetween } from '../../../local/chain/random.ts'
import { startService } from '../../../local/start/service.ts'
import { now, type RunningService, runService } from '../running-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await runService()
})
afterAll(() => service.close())

async function poll(path: string, etag?: string) {
  const before = service.received.length
  const headers: Record<string, string> = etag === undefined ? {} : { 'if-none-match': etag }
  const response = await fetch(service.url + path, { headers })
  const text = await response.text()
  return { status: response.status, text, headers: response.headers, questions: service.received.length - before }
}

const tagOf = async (path: string) => (await poll(path)).headers.get('etag') ?? ''

describe('polling with the last tag', () => {
  test.each(['/blocks?limit=10', '/summary'])('%s gets 304 just as long as the tip is the same', async (path) => {
    const { chain } = service
    const random = createRandom(`polling ${path}`)
    let last: { readonly etag: string; readonly tip: string } | undefined
    const outcomes: number[] = []
    for (let round = 0; round < 60; round++) {
      const event = integerBetween(random, 0, 11)
      if (event === 0) chain.produceBlock()
      if (event === 1) chain.reorganise(2)
      const tip = chain.tip()
      const { status, text, headers, questions } = await poll(path, last?.etag)
      const isSame = last?.tip === tip.stateHash
      expect([status, headers.get('x-chain-state-hash')]).toEqual([isSame ? 304 : 200, tip.stateHash])
      expect(text.includes(tip.stateHash)).toBe(!isSame)
      expect(questions).toBe(isSame || last === undefined ? 1 : 2)
      expect(headers.get('cache-control')).toBe('public, max-age=5, stale-while-revalidate=10, stale-if-error=60')
      last = { etag: headers.get('etag') ?? '', tip: tip.stateHash }
      outcomes.push(status)
    }
    expect(outcomes.filter((status) => status === 304).length).toBeGreaterThan(40)
    expect(outcomes.filter((status) => status === 200).length).toBeGreaterThan(4)
  })

  test('a block gets 304 until it leaves the best chain, and again when only the tip moves on', async () => {
    const { chain } = service
    const [settled, path] = [chain.frontier().at(-5), `/blocks/${chain.tip().stateHash}`]
    const tags = { settled: await tagOf(`/blocks/${settled?.stateHash}`), tip: await tagOf(path) }
    chain.produceBlock()
    expect((await poll(path, tags.tip)).status).toBe(304)
    chain.reorganise(3)
    const orphaned = await poll(path, tags.tip)
    expect([orphaned.status, orphaned.text.includes('"canonical":false')]).toEqual([200, true])
    expect((await poll(`/blocks/${settled?.stateHash}`, tags.settled)).status).toBe(304)
    expect((await poll(path, orphaned.headers.get('etag') ?? '')).status).toBe(304)
  })
})

describe('a tag', () => {
  test('is taken weak or strong, from a list, and as a star', async () => {
    const etag = await tagOf('/blocks?limit=3')
    const strong = etag.replace(/^W\//, '')
    for (const given of [etag, strong, `"other", ${etag}`, `${strong},W/"other"`, '*']) {
      const { status, text, headers } = await poll('/blocks?limit=3', given)
      expect([given, status, text, headers.get('etag'), headers.get('content-length')]).toEqual([
        given,
        304,
        '',
        etag,
        null,
      ])
    }
  })

  test('of one limit, of one block or of the summary is not another’s', async () => {
    const paths = ['/blocks?limit=1', '/blocks?limit=2', '/summary', `/blocks/${service.chain.tip().stateHash}`]
    const tags = await Promise.all(paths.map(tagOf))
    expect(new Set(tags).size).toBe(paths.length)
    const answers = await Promise.all(paths.map((path, index) => poll(path, tags[(index + 1) % paths.length])))
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
  })

  test('is not given with accounts, errors and not-found answers, whatever the condition', async () => {
    const { chain } = service
    const paths = [
      [`/accounts/${chain.wallets[0]?.publicKey}`, 200],
      [`/blocks/${chain.genesisBlock().stateHash}`, 404],
      ['/blocks/abc', 404],
      ['/blocks?limit=0', 400],
    ] as const
    for (const [path, expected] of paths) {
      const { status, headers } = await poll(path, '*')
      expect([path, status, headers.get('etag')]).toEqual([path, expected, null])
    }
    chain.bootstrapping = true
    const { status, headers } = await poll('/blocks', '*')
    chain.bootstrapping = false
    expect([status, headers.get('etag')]).toEqual([503, null])
  })
})

test('with an indexer a complete answer has a tag and an incomplete one has none', async () => {
  const options = { now: () => now, repeat: () => () => undefined, log: () => undefined }
  const complete = await startService(options)
  const incomplete = await startService({
    ...options,
    environment: { NODE_GRAPHQL_URL: complete.nodeUrl, INDEXER_GRAPHQL_URL: 'http://127.0.0.1:9/graphql' },
  })
  const alone = await startService({ ...options, environment: { NODE_GRAPHQL_URL: complete.nodeUrl } })
  const answers = await Promise.all(
    [complete, incomplete, alone].map(async ({ url }) => (await fetch(`${url}/blocks`)).headers),
  )
  await Promise.all([complete, incomplete, alone].map((running) => running.close()))
  const [first, second, third] = answers.map((headers) => headers.get('etag'))
  expect(first).toMatch(/^W\//)
  expect(second).toBeNull()
  expect(third).toMatch(/^W\//)
  expect(third).not.toBe(first)
})
