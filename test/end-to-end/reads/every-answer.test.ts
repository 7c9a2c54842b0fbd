// The headers of every kind of answer, also for a page of another site: its tip, its tag, and the same to HEAD. Then
// polling with a condition, on a chain that grows and reorganises.
import { describe, expect, test } from '@jest/globals'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { createRandom, integerBetween } from '../../../packages/testnet/random.ts'
import { unheldValues } from '../../../shared/contract/parameters.ts'
import { cors } from '../../../shared/http/cors.ts'
import { runService, signPayment, wallet } from '../running-service.ts'

const service = await runService()
const { chain } = service

/** They differ between equal answers. */
const ofOneResponse = ['apigw-requestid', 'date', 'connection', 'keep-alive']

/** Sent by a page of another site, which can read only the headers that the answer exposes. */
async function ask(path: string, init: RequestInit = {}) {
  const request = { ...init, headers: { origin: 'https://page.example', ...init.headers } }
  const response = await fetch(service.url + path, request)
  const headers: Partial<Record<string, string>> = Object.fromEntries(
    [...response.headers].filter(([name]) => !ofOneResponse.includes(name)),
  )
  const exposed = headers['access-control-expose-headers']?.split(',') ?? []
  const tip = ['x-chain-height', 'x-chain-state-hash', 'x-chain-time', 'x-node-sync'].map((name) =>
    exposed.includes(name) ? headers[name] : 'hidden',
  )
  return { status: response.status, headers, tip, text: await response.text() }
}

const tipOf = () => {
  const { height, stateHash, date } = chain.tip()
  return [String(height), stateHash, new Date(date).toISOString(), 'SYNCED']
}
const noTip = Array(4).fill(undefined)

const kinds = {
  /** Made with a node, and a copy can be as good. */
  tagged: { tip: tipOf(), statusWithTag: 304 },
  /** Made with a node, and always asked for anew. */
  labelled: { tip: tipOf(), statusWithTag: undefined },
  /** Made without a node. */
  bare: { tip: noTip, statusWithTag: undefined },
}

test.each<[string, number, keyof typeof kinds]>([
  ['/summary', 200, 'tagged'],
  ['/blocks?limit=2', 200, 'tagged'],
  [`/blocks/${chain.tip().stateHash}`, 200, 'tagged'],
  [`/blocks/${chain.frontier()[0]?.stateHash}`, 200, 'tagged'],
  [`/blocks/${chain.genesisBlock().stateHash}`, 404, 'labelled'],
  [`/accounts/${wallet(chain, 'alice').publicKey}`, 200, 'tagged'],
  [`/accounts/${wallet(chain, 'alice').publicKey}/transactions`, 200, 'tagged'],
  ['/fees', 200, 'tagged'],
  ['/pool', 200, 'tagged'],
  ['/network', 200, 'tagged'],
  [`/accounts/${unheldValues.public_key}`, 404, 'labelled'],
  ['/blocks/abc', 404, 'bare'],
  ['/accounts/abc', 404, 'bare'],
  ['/blocks?limit=0', 400, 'bare'],
  ['/nowhere', 404, 'bare'],
  ['/broadcast/transaction', 404, 'bare'],
])(
  'the answer to %s is %d and %s; HEAD gets the same status and headers without a body',
  async (path, status, kind) => {
    const { tip, statusWithTag = status } = kinds[kind]
    const got = await ask(path)
    expect(got).toMatchObject({ status, tip, headers: { 'content-length': String(Buffer.byteLength(got.text)) } })
    expect(await ask(path, { method: 'HEAD' })).toEqual({ ...got, text: '' })
    const conditional = { headers: { 'if-none-match': '*' } }
    const again = await ask(path, conditional)
    expect([again.status, again.headers.etag, 'etag' in got.headers]).toEqual([
      statusWithTag,
      got.headers.etag,
      kind === 'tagged',
    ])
    expect(await ask(path, { method: 'HEAD', ...conditional })).toEqual({ ...again, text: '' })
  },
)

test('the bare address answers as /summary does, and both link to the docs page and the OpenAPI document', async () => {
  const { status, headers } = await ask('/summary')
  const conditional = { headers: { 'if-none-match': headers.etag ?? '' } }
  for (const init of [{}, { method: 'HEAD' }, conditional]) {
    expect(await ask('/', init)).toEqual(await ask('/summary', init))
  }
  const { link = '' } = (await ask('/', conditional)).headers
  expect([status, link]).toEqual([200, headers.link])
  const linked = Array.from(link.matchAll(/<([^>]+)>; rel="([^"]+)"/g), ([, path = '', rel]) => ({ path, rel }))
  expect(linked.map(({ rel }) => rel)).toEqual(['service-doc', 'service-desc'])
  const statuses = linked.map(async ({ path }) => (await ask(path)).status)
  expect(await Promise.all(statuses)).toEqual([200, 200])
})

describe('an answer made without a node', () => {
  test('shows no tip and has no tag where the node has no frontier', async () => {
    chain.bootstrapping = true
    const answers = await Promise.all(['/summary', '/blocks'].map((path) => ask(path)))
    chain.bootstrapping = false
    expect(answers.map(({ status, tip, headers }) => [status, tip, headers.etag])).toEqual(
      Array(2).fill([503, noTip, undefined]),
    )
  })

  test('shows no tip after a broadcast: it says what became of the command', async () => {
    const body = JSON.stringify(signPayment(chain, wallet(chain, 'alice'), wallet(chain, 'bob'), { nonce: '5' }))
    expect(await ask('/broadcast/transaction', { method: 'POST', body })).toMatchObject({ status: 400, tip: noTip })
  })
})

test('a page of another site may read everything that helps to trace an answer, and may ask with a condition', () => {
  const traces = ['etag', 'link', 'age', 'date', 'retry-after', 'apigw-requestid', 'x-amz-cf-id', 'x-broadcast-nodes']
  expect(cors.exposeHeaders).toEqual(expect.arrayContaining(traces))
  expect(cors.allowHeaders).toContain('if-none-match')
})

describe('the tip in the headers', () => {
  /** The heights of tips from which a body counts, and the state hash of such a tip where the body has it. */
  function countedFrom(body: unknown): {
    readonly heights: readonly number[]
    readonly stateHash?: string
  } {
    const { transaction, transactions, pending, searched, account, status, blocks, tip, blockchainLength, stateHash } =
      Object(body)
    const under = (one: unknown) => {
      const { block, confirmations, final } = Object(one)
      return block === undefined || final ? [] : [block.blockHeight + confirmations]
    }
    if (transaction) return { heights: [transaction.searched.toHeight, ...under(transaction)] }
    if (transactions) return { heights: [...(pending ? [searched.toHeight] : []), ...transactions.flatMap(under)] }
    if (account) return { heights: [account.balance.blockHeight, status.blockchainLength] }
    if (blocks) return { heights: [blocks[0].blockHeight], stateHash: blocks[0].stateHash }
    if (blockchainLength) return { heights: [blockchainLength], stateHash }
    return { heights: tip ? [tip.height] : [] }
  }

  test('is the one from which the body counts, in all endpoints at once, while the chain grows and reorganises', async () => {
    const over = await runService()
    const { publicKey } = wallet(over.chain, 'alice')
    const random = createRandom('headers and bodies')
    const events = [() => over.chain.produceBlock(), () => over.chain.reorganise(1), () => over.chain.reorganise(2)]
    const node = nodeServer(over.chain)
    over.fault = (request, response) => {
      events[integerBetween(random, 0, 9)]?.()
      return node(request, response)
    }
    const wrong: string[] = []
    let checked = 0
    for (let round = 0; round < 14; round++) {
      const [settled, recent] = [over.chain.frontier().at(-8), over.chain.frontier().at(-2)]
      const { command } = recent?.userCommands[0] ?? {}
      const paths = [
        ...['/summary', '/blocks?limit=2', '/health', `/accounts/${publicKey}`, `/transactions/${command?.hash}`],
        `/transactions/${unheldValues.hash}?from=${publicKey}&nonce=900&valid_until=4294967295`,
        `/accounts/${command?.from}/transactions`,
        `/accounts/${command?.from}/transactions?before=${settled?.height}-${settled?.stateHash}`,
        ...[`/blocks/${recent?.stateHash}`, `/blocks/height/${recent?.height}`],
      ]
      const answers = await Promise.all(paths.map((path) => fetch(over.url + path)))
      for (const [index, answer] of answers.entries()) {
        const body = Object(await answer.json())
        if (answer.status !== 200) continue
        const height = Number(answer.headers.get('x-chain-height'))
        const shownHash = answer.headers.get('x-chain-state-hash')
        const { block } = body
        const isAbove =
          block?.canonical &&
          (block.blockHeight > height || (block.blockHeight === height && block.stateHash !== shownHash))
        const { heights, stateHash = shownHash } = block ? { heights: [] } : countedFrom(body)
        checked += heights.length
        if (isAbove || stateHash !== shownHash || heights.some((each) => each !== height))
          wrong.push(`${paths[index]?.slice(0, 20)}: ${height} in the headers, ${heights} in the body`)
      }
    }
    expect(wrong).toEqual([])
    expect(checked).toBeGreaterThan(100)
  })
})

async function poll(path: string, etag = '') {
  const before = service.received.length
  const response = await fetch(service.url + path, { headers: { 'if-none-match': etag } })
  const text = await response.text()
  const { status, headers } = response
  return { status, text, headers, etag: headers.get('etag') ?? '', questions: service.received.length - before }
}

const tagOf = async (path: string) => (await poll(path)).etag

describe('polling with the last tag', () => {
  // Nothing cheaper than the whole answer shows the chain id of a summary.
  test.each([
    // A block, which does not stand on the one before after a reorganisation.
    ['/blocks?limit=10', [2, 3]],
    ['/summary', [1, 1]],
  ])('gets 304 from %s just as long as the tip is the same', async (path, questionsOfNews) => {
    const random = createRandom(`polling ${path}`)
    const events = [() => chain.produceBlock(), () => chain.reorganise(2)]
    let last = { etag: await tagOf(path), stateHash: chain.tip().stateHash }
    const rounds = []
    for (let round = 0; round < 24; round++) {
      const event = integerBetween(random, 0, 7)
      events[event]?.()
      const { stateHash } = chain.tip()
      const { status, text, headers, etag, questions } = await poll(path, last.etag)
      const shown = [headers.get('x-chain-state-hash'), text.includes(stateHash), text === '', questions]
      rounds.push({ event, isSame: stateHash === last.stateHash, status, shown, stateHash })
      expect(headers.get('cache-control')).toBe('public, max-age=5, stale-while-revalidate=10, stale-if-error=60')
      last = { etag, stateHash }
    }
    const answers = {
      same: (stateHash: string) => ({ status: 304, shown: [stateHash, false, true, 1] }),
      another: (stateHash: string, event: number) => ({
        status: 200,
        shown: [stateHash, true, false, questionsOfNews[event]],
      }),
    }
    const expected = rounds.map(({ event, isSame, stateHash }) => {
      return { event, isSame, stateHash, ...answers[isSame ? 'same' : 'another'](stateHash, event) }
    })
    expect(rounds).toEqual(expected)
    expect(rounds.filter(({ isSame }) => isSame).length).toBeGreaterThan(12)
    expect(rounds.filter(({ isSame }) => !isSame).length).toBeGreaterThan(3)
  })

  test('gets 304 for a block until it leaves the best chain, and again when only the tip moves on', async () => {
    const [settled, path] = [chain.frontier().at(-5), `/blocks/${chain.tip().stateHash}`]
    const tags = { settled: await tagOf(`/blocks/${settled?.stateHash}`), tip: await tagOf(path) }
    chain.produceBlock()
    expect((await poll(path, tags.tip)).status).toBe(304)
    chain.reorganise(3)
    const orphaned = await poll(path, tags.tip)
    expect([orphaned.status, orphaned.text.includes('"canonical":false')]).toEqual([200, true])
    expect((await poll(`/blocks/${settled?.stateHash}`, tags.settled)).status).toBe(304)
    expect((await poll(path, orphaned.etag)).status).toBe(304)
  })
})

test('the tag of one limit, of one block or of the summary is not another’s', async () => {
  const paths = ['/blocks?limit=1', '/blocks?limit=2', '/summary', `/blocks/${chain.tip().stateHash}`]
  const tags = await Promise.all(paths.map(tagOf))
  expect(new Set(tags).size).toBe(paths.length)
  const answers = await Promise.all(paths.map((path, index) => poll(path, tags[(index + 1) % paths.length])))
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
})
