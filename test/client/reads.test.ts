import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { ServiceError } from '../../packages/client/src/client.ts'
import { unheldText } from '../../packages/proofs/unheld-values.ts'
import { parametersOf } from '../../shared/contract/parameters.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { noon, type Scripted, scriptedClient } from './scripted-service.ts'

const summary = (stateHash = '3Ntip') => ({ body: { stateHash, blockchainLength: 40, totalCurrency: '1.000000000' } })
const readme = readFileSync(join(import.meta.dirname, '../../packages/client/README.md'), 'utf8')
const callsInReadme = Array.from(readme.matchAll(/`(\w+)\(/g), ([, call]) => call)
const lost = new TypeError('fetch failed')

/** The error of a read, as a plain object. */
async function failureOf(reading: Promise<unknown>) {
  const [{ reason: error }] = (await Promise.allSettled([reading])) as [PromiseRejectedResult]
  expect(error).toBeInstanceOf(ServiceError)
  const { name, message, status, retryAfterSeconds, requestId } = error
  return { name, message, status, retryAfterSeconds, requestId }
}

describe('a read', () => {
  test('asks for one path and returns the value under its key', async () => {
    const bodies = [
      ...[{ blocks: [{}] }, { blocks: [] }, { block: {} }, { block: {} }, { account: {} }, summary().body],
      ...[{ transaction: {} }, { transaction: {} }, { tokens: [{ tokenId: 'wSH', balance: '9007199254740993' }] }],
    ]
    const answers = bodies.map((body) => ({ body }))
    const { client, asked } = scriptedClient(answers, { baseUrl: 'https://service.example/v1//' })
    const values = [
      await client.blocks(),
      await client.blocks({ limit: 10 }),
      await client.block('3N?/x'),
      await client.blockAtHeight(7),
      await client.account('B62'),
      await client.summary(),
      await client.transaction('5J'),
      await client.transaction('5J', { validUntil: 9, nonce: 0, from: 'B62' }),
      await client.accountTokens('B62'),
    ]
    const paths = [
      ...['/blocks', '/blocks?limit=10', '/blocks/3N%3F%2Fx', '/blocks/height/7', '/accounts/B62', '/summary'],
      // One order for every cache.
      ...['/transactions/5J', '/transactions/5J?from=B62&nonce=0&valid_until=9', '/accounts/B62/tokens'],
    ]
    expect(asked.map(({ url, method, body }) => [url, method, body])).toEqual(
      paths.map((path) => [`https://service.example/v1${path}`, 'GET', null]),
    )
    expect(values.map(({ value }) => value)).toEqual([
      ...[[{}], [], {}, {}, {}, summary().body, {}, {}],
      [{ tokenId: 'wSH', balance: '9007199254740993' }],
    ])
  })

  test('of the health is answered by a 503 too, which says that nothing works', async () => {
    const down = { status: 'down', nodes: { listed: 1, answering: 0, synced: 0 } }
    const { client, asked } = scriptedClient([
      { status: 503, headers: { 'retry-after': '5' }, body: down },
      { status: 502 },
    ])
    expect((await client.health()).value).toEqual(down)
    await expect(client.health()).rejects.toMatchObject({ status: 502, code: 'unavailable' })
    expect(asked[0]?.url).toBe('https://service.example/health')
  })

  test('sends the headers of a gateway of your own, beside those that it needs itself', async () => {
    const { client, asked } = scriptedClient([{ ...summary(), headers: { etag: '"1"' } }], {
      headers: { 'x-api-key': 'mine' },
    })
    await client.summary()
    await client.summary()
    expect(asked.map(({ headers }) => headers)).toEqual([
      { 'x-api-key': 'mine' },
      { 'x-api-key': 'mine', 'if-none-match': '"1"' },
    ])
  })

  test.each<[string, Scripted, object]>([
    ['network', lost, { status: 0, shortMessage: 'fetch failed' }],
    ['timeout', { status: 504, body: { message: 'Upstream timed out.' } }, { status: 504 }],
    ['unavailable', { status: 404, body: '<html>' }, { shortMessage: '404' }],
    ['not-found', { status: 404, body: { message: 'None.' } }, { isFinal: true, shortMessage: 'None.' }],
    [
      'bad-request',
      { status: 400, body: { error: `limit\n${'x'.repeat(999)}` } },
      { shortMessage: expect.stringMatching(/^limit x{232}…$/) },
    ],
  ])('that fails has the code %s, and a message of one short line', async (code, answer, expected) => {
    await expect(scriptedClient([answer], { retries: 0 }).client.summary()).rejects.toMatchObject({ code, ...expected })
  })

  test.each(endpoints.filter(({ method }) => method === 'GET'))(
    'of each GET is in the README: that of $name asks for its path, with every option in the one order',
    async ({ name, path, query }) => {
      const asked: string[] = []
      const { client } = scriptedClient([], { fetch: async (url) => Response.json(asked.push(url)) })
      const texts: string[][] = []
      const members: (readonly [name: string, value: unknown])[] = []
      for (const [option, declared] of Object.entries(query?.options ?? {})) {
        const text = unheldText(declared, 1)
        texts.push([option, text])
        // A count that is a text is refused.
        const value = declared.kind === 'count' || declared.kind === 'number' ? Number(text) : text
        members.push([option.replace(/_\w/g, ([, letter = '']) => letter.toUpperCase()), value])
      }
      const read = name.replace(/^get./, (start) => start.slice(3).toLowerCase())
      expect(client).toHaveProperty(read)
      expect(callsInReadme).toContain(read)
      const values = parametersOf(path).map((parameter) => (parameter === 'height' ? 7 : parameter))
      // The answer has nothing of what it should.
      await Promise.allSettled([Object(client)[read](...values, Object.fromEntries(members.toReversed()))])
      const { pathname, searchParams } = new URL(asked[0] ?? 'nothing:')
      const filled = path.replace('{height}', '7').replace(/[{}]/g, '')
      expect([pathname, ...searchParams]).toEqual([filled, ...texts])
    },
  )

  test('has amounts as bigint, small ones too, and all other numbers as number', async () => {
    const body =
      '{"block":{"blockHeight":12,"protocolState":{"consensusState":{"totalCurrency":1166062074840039233,"slot":7}},' +
      '"snarkJobs":[{"fee":0,"blockHeight":12}],"transactions":{"coinbase":720000000000,' +
      '"userCommands":[{"amount":5,"fee":9007199254740993,"nonce":3}]},"added":{"share":0.25,"ledger":9007199254740993}}}'
    expect((await scriptedClient([{ body }]).client.block('3N')).value).toEqual({
      blockHeight: 12,
      protocolState: { consensusState: { totalCurrency: 1166062074840039233n, slot: 7 } },
      snarkJobs: [{ fee: 0n, blockHeight: 12 }],
      transactions: { coinbase: 720000000000n, userCommands: [{ amount: 5n, fee: 9007199254740993n, nonce: 3 }] },
      // A field that a later service adds: no digit is lost.
      added: { share: 0.25, ledger: 9007199254740993n },
    })
  })

  const amounts = ['5.0', '1e3', '9007199254740991.4', '0.1', 'null', '"1.5"', '""', '"0x10"', '" 5"', '[5]', '{}']
  test.each([
    ...amounts.map((amount) => `{"block":{"transactions":{"coinbase":${amount}}}}`),
    ...['<html>', '', '{"block":{}', '[]', 'null', '{"blocks":[]}', '{"block":null}', '{"block":"x"}'],
  ])('refuses the body %j, which is not that of a block, and does not ask again', async (body) => {
    const { client, asked } = scriptedClient([{ body, headers: { 'apigw-requestid': 'r1' } }])
    expect(await failureOf(client.block('3N'))).toEqual({
      name: 'ServiceError',
      message: 'the answer cannot be read',
      status: 200,
      retryAfterSeconds: undefined,
      requestId: 'r1',
    })
    expect(asked).toHaveLength(1)
  })
})

describe('an answer of a foreign service', () => {
  const foreign = ['{}', '[]', '"ok"', '{"data":null}', '{"status":"ok"}', '{"message":"Welcome"}']
  test.each(foreign)('%s is not taken for a summary, a pool, fees, a history or a network', async (body) => {
    const { client } = scriptedClient([{ body }], { retries: 0 })
    const reads = [client.summary(), client.pool(), client.fees(), client.accountTransactions('B62')]
    const failure = { name: 'ServiceError', status: 200, message: 'the answer cannot be read' }
    for (const read of reads) expect(await failureOf(read)).toMatchObject(failure)
    const elsewhere = scriptedClient([], { fetch: async () => new Response(body) }).client
    expect(await failureOf(elsewhere.network())).toMatchObject(failure)
  })

  test('is not taken for a pool or fees where it is the summary of this one', async () => {
    const { client } = scriptedClient([summary()])
    for (const read of [client.pool(), client.fees()]) expect(await failureOf(read)).toMatchObject({ status: 200 })
  })
})

describe('a failed read', () => {
  test.each([
    // Without a copy it cannot be read.
    [304, '304'],
    ...[400, 403, 404, 500, 501].map((status) => [status, 'No.'] as const),
  ])('is not repeated after %i, and has the message of the service: %s', async (status, message) => {
    const headers = { 'x-amz-cf-id': 'cf', 'retry-after': '0' }
    const { client, asked } = scriptedClient([{ status, body: { message: 'No.' }, headers }])
    const failure = { name: 'ServiceError', message, status, retryAfterSeconds: undefined, requestId: 'cf' }
    expect(await failureOf(client.summary())).toEqual(failure)
    expect(asked).toHaveLength(1)
  })

  test.each<[string, Scripted, object]>([
    ['no connection', lost, { status: 0, message: 'fetch failed' }],
    ['429', { status: 429, body: { message: 'Too Many Requests' } }, { status: 429, message: 'Too Many Requests' }],
    ['502 with a page of HTML', { status: 502, body: '<html>' }, { status: 502, message: '502' }],
    ['503', { status: 503, body: '{}' }, { status: 503, message: '503' }],
    ['504', { status: 504, body: 'null' }, { status: 504, message: '504' }],
  ])('is repeated twice after %s, with longer pauses', async (_, answer, failure) => {
    const { client, clock, asked } = scriptedClient([answer])
    expect(await failureOf(client.summary())).toMatchObject(failure)
    expect([asked.length, clock.pausesMs]).toEqual([3, [250, 500]])
    const again = scriptedClient([answer, answer, summary()])
    expect((await again.client.summary()).value.stateHash).toBe('3Ntip')
  })

  test.each([
    ['without retries', lost, { retries: 0 }, { status: 0 }],
    [
      'where the service asks for more than a minute',
      { status: 429, headers: { 'retry-after': '61' } },
      {},
      { status: 429, retryAfterSeconds: 61 },
    ],
  ])('is not repeated %s', async (_, answer, options, failure) => {
    const { client, asked } = scriptedClient([answer], options)
    expect(await failureOf(client.summary())).toMatchObject(failure)
    expect(asked).toHaveLength(1)
  })

  test('is repeated after the time that the service asks for, in seconds or to an instant', async () => {
    const until = new Date(noon + 9_000).toUTCString()
    const answers = ['4', until, '0', 'soon'].map((given) => ({ status: 503, headers: { 'retry-after': given } }))
    const { client, clock } = scriptedClient([...answers, summary()], { retries: 4 })
    await client.summary()
    expect(clock.pausesMs).toEqual([4250, 9_000 - 4250 + 500, 1000, 2000])
  })

  test('is repeated after pauses with a share of chance', async () => {
    const { clock } = scriptedClient([])
    const { client } = scriptedClient([lost], {}, { ...clock, random: () => 0.5 })
    await failureOf(client.summary())
    expect(clock.pausesMs).toEqual([375, 750])
  })

  test('ends with the reason of its signal, before the first request or between two', async () => {
    const before = scriptedClient([summary()])
    await expect(before.client.summary({ signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
    const controller = new AbortController()
    const abort = () => {
      controller.abort('enough')
      return lost
    }
    const between = scriptedClient([abort])
    await expect(between.client.summary({ signal: controller.signal })).rejects.toBe('enough')
    expect([before.asked.length, between.asked.length]).toEqual([0, 1])
  })
})

describe('a copy of an answer', () => {
  const tagged = (tag: string, stateHash: string) => ({ ...summary(stateHash), headers: { etag: tag } })
  const label = { 'x-chain-height': '41', 'x-chain-state-hash': '3N', 'x-chain-time': new Date(noon).toISOString() }
  const same = { status: 304, headers: { etag: 'W/"a"', ...label } }
  const ifNot = (tag: string) => ({ 'if-none-match': tag })

  test('is asked about by its tag, and after a 304 returned with the labels of now', async () => {
    const answers = [tagged('W/"a"', '3Na'), same, tagged('W/"b"', '3Nb'), same, summary('3Nc'), same]
    const { client, asked } = scriptedClient(answers)
    const reads = []
    for (const _ of answers) {
      const { value, chain } = await client.summary()
      reads.push([asked.at(-1)?.headers, value.stateHash, chain?.height])
    }
    expect(reads).toEqual([
      [{}, '3Na', undefined],
      [ifNot('W/"a"'), '3Na', 41],
      [ifNot('W/"a"'), '3Nb', undefined],
      [ifNot('W/"b"'), '3Nb', 41],
      // An answer without a tag is not kept; the copy before it still answers for its tag.
      [ifNot('W/"b"'), '3Nc', undefined],
      [ifNot('W/"b"'), '3Nb', 41],
    ])
  })

  test('belongs to one path, and survives an error; a caller’s changes to its value do not survive', async () => {
    const { client, asked } = scriptedClient([tagged('W/"a"', '3Na'), { body: { blocks: [] } }, { status: 404 }, same])
    Object.assign((await client.summary()).value, { stateHash: 'changed' })
    await client.blocks()
    await failureOf(client.summary())
    expect((await client.summary()).value.stateHash).toBe('3Na')
    expect(asked.map(({ headers }) => headers)).toEqual([{}, {}, ifNot('W/"a"'), ifNot('W/"a"')])
  })

  test('is forgotten among many: the memory of the client is bounded', async () => {
    const { client, asked } = scriptedClient([{ body: { block: {} }, headers: { etag: 'W/"a"' } }])
    for (let number = 0; number < 33; number++) await client.block(`3N${number}`)
    await client.block('3N0')
    await client.block('3N32')
    expect(asked.slice(-2).map(({ headers }) => headers)).toEqual([{}, ifNot('W/"a"')])
  })
})

describe('the labels of an answer', () => {
  const time = new Date(noon - 90_000).toISOString()
  const label = { 'x-chain-height': '40', 'x-chain-state-hash': '3Ntip', 'x-chain-time': time, 'x-node-sync': 'SYNCED' }
  const labelsOf = async (headers: Record<string, string>) => {
    const { value: _, ...labels } = await scriptedClient([{ ...summary(), headers }]).client.summary()
    return labels
  }

  test('are the tip, its age and the missing fields, where a node was asked', async () => {
    expect(await labelsOf({ ...label, 'x-missing-fields': 'username,totalTx' })).toEqual({
      chain: { height: 40, stateHash: '3Ntip', time, nodeSync: 'SYNCED' },
      ageMs: 90_000,
      missingFields: ['username', 'totalTx'],
    })
    expect(await labelsOf({})).toEqual({ chain: undefined, ageMs: undefined, missingFields: [] })
  })

  test('are read once where a proxy has doubled the headers, and blanks are not part of a field', async () => {
    const doubled = Object.fromEntries(
      Object.entries({ ...label, age: '7', date: new Date(noon).toUTCString() }).map(([name, text]) => [
        name,
        `${text}, ${text}`,
      ]),
    )
    expect(await labelsOf({ ...doubled, 'x-missing-fields': 'username, totalTx' })).toEqual({
      chain: { height: 40, stateHash: '3Ntip', time, nodeSync: 'SYNCED' },
      ageMs: 97_000,
      missingFields: ['username', 'totalTx'],
    })
    expect(await labelsOf({ ...label, age: '7, 9' })).toMatchObject({ ageMs: 97_000 })
  })

  const date = new Date(noon + 3_600_000).toUTCString()
  test.each([
    [{ date }, 3_690_000],
    [{ date, age: '7' }, 3_697_000],
    [{ date: new Date(noon - 100_000).toUTCString() }, 0],
  ])('with %j take the age from the service’s clock, and add the time in a cache', async (headers, ageMs) => {
    expect(await labelsOf({ ...label, ...headers })).toMatchObject({ ageMs })
  })
})
