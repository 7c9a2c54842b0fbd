// Which tip an answer rests on, in its headers, for every kind of answer.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { cors } from '../../../shared/http/cors.ts'
import { now, type RunningService, runService, signPayment, wallet } from '../running-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await runService()
})
afterAll(() => service.close())

const labelNames = ['x-chain-height', 'x-chain-state-hash', 'x-chain-time', 'x-node-sync']

/** What a page of another site can read of the label: what the answer exposes to it. */
async function labelAcrossOrigins(path: string, init: RequestInit = {}) {
  const { status, headers } = await fetch(service.url + path, { ...init, headers: { origin: 'https://page.example' } })
  const exposed = headers.get('access-control-expose-headers')?.split(',') ?? []
  const label = labelNames.filter((name) => exposed.includes(name)).map((name) => headers.get(name))
  return { status, label }
}

const tipLabel = (syncStatus = 'SYNCED') => {
  const { height, stateHash, date } = service.chain.tip()
  return [String(height), stateHash, new Date(date).toISOString(), syncStatus]
}

const unlabelled = [null, null, null, null]

describe('an answer that was made with a node', () => {
  test.each([
    ['/summary', 200],
    ['/blocks', 200],
    ['/blocks?limit=10', 200],
    ['/blocks/<tip>', 200],
    ['/blocks/<root>', 200],
    ['/blocks/<genesis>', 404],
    ['/accounts/<wallet>', 200],
    ['/accounts/<nobody>', 404],
  ])('%s shows its tip, also to pages of other sites: %d', async (path, status) => {
    const { chain } = service
    const values: Readonly<Record<string, string | undefined>> = {
      tip: chain.tip().stateHash,
      root: chain.frontier()[0]?.stateHash,
      genesis: chain.genesisBlock().stateHash,
      wallet: chain.wallets[0]?.publicKey,
      nobody: 'B62qpge4uMq4Vv5Rvc8Gw9qSquUYd6xoW1pz7HQkMSHm6h1o7pvLPAN',
    }
    const filled = path.replace(/<(\w+)>/, (_all, name) => values[name] ?? '')
    expect(await labelAcrossOrigins(filled)).toEqual({ status, label: tipLabel() })
  })

  test('shows the next tip after the next block', async () => {
    const before = await labelAcrossOrigins('/summary')
    service.chain.produceBlock()
    expect(await labelAcrossOrigins('/summary')).toEqual({ status: 200, label: tipLabel() })
    expect(before.label).not.toEqual(tipLabel())
    expect(service.chain.tip().date).toBeGreaterThan(now - 1)
  })
})

describe('an answer that no node stands behind', () => {
  test.each([
    ['/blocks/abc', 404],
    ['/accounts/abc', 404],
    ['/blocks?limit=0', 400],
    ['/nowhere', 404],
  ])('%s shows no tip: %d', async (path, status) => {
    expect(await labelAcrossOrigins(path)).toEqual({ status, label: unlabelled })
  })

  test('of a node without a frontier shows no tip', async () => {
    service.chain.bootstrapping = true
    const answers = await Promise.all(['/summary', '/blocks'].map((path) => labelAcrossOrigins(path)))
    service.chain.bootstrapping = false
    expect(answers).toEqual(new Array(2).fill({ status: 503, label: unlabelled }))
  })

  test('of a broadcast shows no tip: it says what became of the command', async () => {
    const { chain } = service
    const [alice, bob] = ['alice', 'bob'].map((name) => wallet(chain, name))
    if (!alice || !bob) throw new Error('wallets are missing')
    const body = JSON.stringify(signPayment(chain, alice, bob, { nonce: '5' }))
    expect(await labelAcrossOrigins('/broadcast/transaction', { method: 'POST', body })).toEqual({
      status: 400,
      label: unlabelled,
    })
  })
})

test('a page of another site may read everything that helps to trace an answer, and may ask with a condition', () => {
  expect(cors.exposeHeaders).toEqual(
    expect.arrayContaining([
      'etag',
      'age',
      'date',
      'retry-after',
      'apigw-requestid',
      'x-amz-cf-id',
      'x-broadcast-nodes',
    ]),
  )
  expect(cors.allowHeaders).toContain('if-none-match')
})
