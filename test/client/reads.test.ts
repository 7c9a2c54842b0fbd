import { describe, expect, test } from '@jest/globals'
import { ServiceError } from '../../client/src/client.ts'
import { noon, type Scripted, scriptedClient } from './scripted-service.ts'

const summary = (stateHash = '3Ntip') => ({ body: { stateHash, blockchainLength: 40, totalCurrency: '1.000000000' } })
const lost = new TypeError('fetch failed')

/** The error of a read, as a plain object. */
async function failureOf(reading: Promise<unknown>) {
  const error = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ServiceError)) throw error
  const { name, message, status, retryAfterSeconds, requestId } = error
  return { name, message, status, retryAfterSeconds, requestId }
}

describe('a read', () => {
  test('asks for one path each, and gives what is under its key', async () => {
    const answers = [
      { body: { blocks: [{}] } },
      { body: { blocks: [] } },
      { body: { block: {} } },
      { body: { account: {} } },
    ]
    const { client, asked } = scriptedClient([...answers, summary()], { baseUrl: 'https://service.example/v1//' })
    const values = [
      await client.blocks(),
      await client.blocks({ limit: 10 }),
      await client.block('3N?/x'),
      await client.account('B62'),
      await client.summary(),
    ]
    expect(asked.map(({ url, method, body }) => [method, url.replace('https://service.example', ''), body])).toEqual([
      ['GET', '/v1/blocks', null],
      ['GET', '/v1/blocks?limit=10', null],
      ['GET', '/v1/blocks/3N%3F%2Fx', null],
      ['GET', '/v1/accounts/B62', null],
      ['GET', '/v1/summary', null],
    ])
    expect(values.map(({ value }) => value)).toEqual([[{}], [], {}, {}, summary().body])
  })

  test('has amounts as bigint, small ones too, and all other numbers as number', async () => {
    const body =
      '{"block":{"blockHeight":12,"protocolState":{"consensusState":{"totalCurrency":1166062074840039233,"slot":7}},' +
      '"snarkJobs":[{"fee":0,"blockHeight":12}],"transactions":{"coinbase":720000000000,' +
      '"userCommands":[{"amount":5,"fee":9007199254740993,"nonce":3}]},"added":{"share":0.25,"ledger":9007199254740993}}}'
    const { client } = scriptedClient([{ body }])
    expect((await client.block('3N')).value).toEqual({
      blockHeight: 12,
      protocolState: { consensusState: { totalCurrency: 1166062074840039233n, slot: 7 } },
      snarkJobs: [{ fee: 0n, blockHeight: 12 }],
      transactions: { coinbase: 720000000000n, userCommands: [{ amount: 5n, fee: 9007199254740993n, nonce: 3 }] },
      // A field that a later service adds: no digit is lost.
      added: { share: 0.25, ledger: 9007199254740993n },
    })
  })

  test.each(['5.0', '1e3', '9007199254740991.4', '0.1', 'null', '"1.5"', '""', '"0x10"', '" 5"', '[5]', '{}'])(
    'refuses an amount that is %s, since it has no digits to trust',
    async (amount) => {
      const { client, clock } = scriptedClient([{ body: `{"block":{"transactions":{"coinbase":${amount}}}}` }])
      expect(await failureOf(client.block('3N'))).toMatchObject({ status: 200, message: 'the answer cannot be read' })
      expect(clock.pausesMs).toEqual([])
    },
  )

  test.each(['<html>', '', '{"block":{}', '[]', 'null', '{"blocks":[]}', '{"block":null}', '{"block":"x"}'])(
    'refuses the body %j of another answer, and does not ask again',
    async (body) => {
      const { client, asked } = scriptedClient([{ body, headers: { 'apigw-requestid': 'r1' } }])
      expect(await failureOf(client.block('3N'))).toEqual({
        name: 'ServiceError',
        message: 'the answer cannot be read',
        status: 200,
        retryAfterSeconds: undefined,
        requestId: 'r1',
      })
      expect(asked).toHaveLength(1)
    },
  )
})

describe('a failed read', () => {
  test.each([400, 403, 404, 500, 501])('is not repeated after %i, and says what the service says', async (status) => {
    const answer = { status, body: { message: 'No.' }, headers: { 'x-amz-cf-id': 'cf', 'retry-after': '0' } }
    const { client, asked } = scriptedClient([answer])
    expect(await failureOf(client.summary())).toEqual({
      name: 'ServiceError',
      message: 'No.',
      status,
      retryAfterSeconds: undefined,
      requestId: 'cf',
    })
    expect(asked).toHaveLength(1)
  })

  test.each<[string, Scripted, object]>([
    ['no connection', lost, { status: 0, message: 'fetch failed' }],
    ['429', { status: 429, body: { message: 'Too Many Requests' } }, { status: 429, message: 'Too Many Requests' }],
    ['502 with a page of HTML', { status: 502, body: '<html>' }, { status: 502, message: '502' }],
    ['503', { status: 503, body: '{}' }, { status: 503, message: '503' }],
    ['504', { status: 504, body: 'null' }, { status: 504, message: '504' }],
  ])('is repeated twice after %s, with longer pauses', async (_what, answer, failure) => {
    const { client, clock, asked } = scriptedClient([answer])
    expect(await failureOf(client.summary())).toMatchObject(failure)
    expect([asked.length, clock.pausesMs]).toEqual([3, [250, 500]])
    const again = scriptedClient([answer, answer, summary()])
    expect((await again.client.summary()).value.stateHash).toBe('3Ntip')
  })

  test('is repeated as often as is asked for', async () => {
    const { client, asked } = scriptedClient([lost], { retries: 0 })
    expect(await failureOf(client.summary())).toMatchObject({ status: 0 })
    expect(asked).toHaveLength(1)
  })

  test('waits as long as the service asks for, in seconds or to an instant', async () => {
    const until = new Date(noon + 9_000).toUTCString()
    const answers = ['4', until, '0', 'soon'].map((given) => ({ status: 503, headers: { 'retry-after': given } }))
    const { client, clock } = scriptedClient([...answers, summary()], { retries: 4 })
    await client.summary()
    expect(clock.pausesMs).toEqual([4250, 9_000 - 4250 + 500, 1000, 2000])
  })

  test('does not wait longer than a minute: that is for the caller to decide', async () => {
    const { client, asked } = scriptedClient([{ status: 429, headers: { 'retry-after': '61' } }])
    expect(await failureOf(client.summary())).toMatchObject({ status: 429, retryAfterSeconds: 61 })
    expect(asked).toHaveLength(1)
  })

  test('spreads its repeats by chance', async () => {
    const { clock } = scriptedClient([])
    const { client } = scriptedClient([lost], {}, { ...clock, random: () => 0.5 })
    await failureOf(client.summary())
    expect(clock.pausesMs).toEqual([375, 750])
  })
})

describe('a signal', () => {
  test('that is aborted before the call lets nothing be sent', async () => {
    const { client, asked } = scriptedClient([summary()])
    await expect(client.summary({ signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
    expect(asked).toEqual([])
  })

  test('that is aborted between two attempts ends the call with its reason', async () => {
    const controller = new AbortController()
    const answer = () => {
      controller.abort('enough')
      return lost
    }
    const { client, asked } = scriptedClient([answer])
    await expect(client.summary({ signal: controller.signal })).rejects.toBe('enough')
    expect(asked).toHaveLength(1)
  })
})

describe('a tag', () => {
  const tagged = (tag: string, stateHash: string) => ({ ...summary(stateHash), headers: { etag: tag } })
  const same = {
    status: 304,
    headers: {
      etag: 'W/"a"',
      'x-chain-height': '41',
      'x-chain-state-hash': '3N',
      'x-chain-time': new Date(noon).toISOString(),
    },
  }

  test('is sent with the same question again, and 304 gives the kept value with the labels of now', async () => {
    const { client, asked } = scriptedClient([
      tagged('W/"a"', '3Na'),
      same,
      tagged('W/"b"', '3Nb'),
      same,
      summary('3Nc'),
      same,
    ])
    const read = async () => {
      const { value, chain } = await client.summary()
      return [asked.at(-1)?.headers, value.stateHash, chain?.height]
    }
    expect([await read(), await read(), await read(), await read(), await read(), await read()]).toEqual([
      [{}, '3Na', undefined],
      [{ 'if-none-match': 'W/"a"' }, '3Na', 41],
      [{ 'if-none-match': 'W/"a"' }, '3Nb', undefined],
      [{ 'if-none-match': 'W/"b"' }, '3Nb', 41],
      // An answer without a tag is not kept; the copy before it still answers for its tag.
      [{ 'if-none-match': 'W/"b"' }, '3Nc', undefined],
      [{ 'if-none-match': 'W/"b"' }, '3Nb', 41],
    ])
  })

  test('belongs to one path', async () => {
    const { client, asked } = scriptedClient([tagged('W/"a"', '3Na'), { body: { blocks: [] } }])
    await client.summary()
    await client.blocks()
    expect(asked.map(({ headers }) => headers)).toEqual([{}, {}])
  })

  test('is kept through an error, and what a caller does to a value is not', async () => {
    const { client, asked } = scriptedClient([tagged('W/"a"', '3Na'), { status: 404 }, same])
    Object.assign((await client.summary()).value, { stateHash: 'changed' })
    await failureOf(client.summary())
    expect((await client.summary()).value.stateHash).toBe('3Na')
    expect(asked[2]?.headers).toEqual({ 'if-none-match': 'W/"a"' })
  })

  test('is forgotten at last: the memory of the client is bounded', async () => {
    const { client, asked } = scriptedClient([{ body: { block: {} }, headers: { etag: 'W/"a"' } }])
    for (let number = 0; number < 33; number++) await client.block(`3N${number}`)
    await client.block('3N32')
    await client.block('3N0')
    expect(asked.slice(-2).map(({ headers }) => headers)).toEqual([{ 'if-none-match': 'W/"a"' }, {}])
  })

  test('that was not asked for makes 304 an error', async () => {
    const { client } = scriptedClient([{ status: 304 }])
    expect(await failureOf(client.summary())).toMatchObject({ status: 304 })
  })
})

describe('labels', () => {
  const label = {
    'x-chain-height': '40',
    'x-chain-state-hash': '3Ntip',
    'x-chain-time': new Date(noon - 90_000).toISOString(),
    'x-node-sync': 'SYNCED',
  }
  const labelsOf = async (headers: Record<string, string>) => {
    const { value: _, ...labels } = await scriptedClient([{ ...summary(), headers }]).client.summary()
    return labels
  }

  test('show the tip, its age and the missing fields', async () => {
    expect(await labelsOf({ ...label, 'x-missing-fields': 'username,totalTx' })).toEqual({
      chain: { height: 40, stateHash: '3Ntip', time: label['x-chain-time'], nodeSync: 'SYNCED' },
      ageMs: 90_000,
      missingFields: ['username', 'totalTx'],
    })
  })

  test('take the age from the service’s clock, not from this machine’s, and count the time in a cache', async () => {
    const date = new Date(noon + 3_600_000).toUTCString()
    expect((await labelsOf({ ...label, date })).ageMs).toBe(3_690_000)
    expect((await labelsOf({ ...label, date, age: '7' })).ageMs).toBe(3_697_000)
    expect((await labelsOf({ ...label, date: new Date(noon - 100_000).toUTCString() })).ageMs).toBe(0)
  })

  test('are missing where no node was asked', async () => {
    expect(await labelsOf({})).toEqual({ chain: undefined, ageMs: undefined, missingFields: [] })
  })
})
