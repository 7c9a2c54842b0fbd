// A node that accepts a broadcast and then breaks its answer: the command is in its pool, so it was sent.
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { nodeServer } from '../../local/chain/node/server.ts'
import { type Listening, listen } from '../../local/start/listen.ts'
import { post, type RunningService, runService, signDelegation, signPayment, wallet } from './running-service.ts'

let service: RunningService
let intact: Listening

beforeAll(async () => {
  service = await runService('testnet', 400)
  // The chain signs its own commands when their ids are first read; that must not count as a slow node.
  for (const { userCommands } of service.chain.bestChain()) for (const { command } of userCommands) command.id
  intact = await listen(nodeServer(service.chain), 0, '127.0.0.1')
})
afterAll(async () => {
  await service.close()
  await intact.close()
})

/** What becomes of the true answer to a mutation. */
type Breakage = (answer: string, response: ServerResponse) => unknown

const sends =
  (body: (answer: string) => string, status = 200): Breakage =>
  (answer, response) =>
    response.writeHead(status).end(body(answer))

const breakages: readonly [string, Breakage][] = [
  ['null data', sends(() => '{"data":null}')],
  [
    'errors beside data',
    sends((answer) => JSON.stringify({ ...JSON.parse(answer), errors: [{ message: 'Did not fetch typename' }] })),
  ],
  [
    'a cut',
    (answer, response) => {
      response.writeHead(200, { 'content-length': answer.length })
      response.write(answer.slice(0, answer.length / 2), () => response.socket?.destroy())
    },
  ],
  ['a reset', (_answer, response) => response.socket?.resetAndDestroy()],
  ['a 502', sends(() => 'Bad Gateway', 502)],
  ['a time-out', () => undefined],
  ['HTML', sends(() => '<html>welcome</html>')],
  ['a wrong type', sends((answer) => answer.replace(/"hash":"\w+"/, '"hash":{}'))],
  ['a slow answer', (answer, response) => setTimeout(() => response.end(answer), 60)],
]

function breakMutations(breakage: Breakage) {
  service.fault = async (request, response) => {
    const body = await text(request)
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`http://127.0.0.1:${intact.port}/graphql`, { method: 'POST', headers, body })
    const answer = await reply.text()
    if (JSON.parse(body).query.startsWith('mutation')) breakage(answer, response)
    else response.end(answer)
  }
}

test.each(breakages)(
  'a payment whose acceptance comes back as %s is 201, and once in the pool',
  async (_what, breakage) => {
    const { chain, url } = service
    const [alice, bob] = [wallet(chain, 'alice'), wallet(chain, 'bob')]
    const nonce = String(chain.inferredNonce(chain.account(alice.publicKey) ?? fail()))
    breakMutations(breakage)
    const signed = signPayment(chain, alice, bob, { nonce })
    expect(await post(`${url}/broadcast/transaction`, signed)).toMatchObject({
      status: 201,
      body: {
        message: 'Transaction broadcast sucessfully',
        result: { payment: { nonce: Number(nonce), from: alice.publicKey } },
      },
    })
    expect(chain.pool(alice.publicKey).filter((command) => command.nonce === Number(nonce))).toHaveLength(1)
  },
)

test.each(breakages)(
  'a delegation whose acceptance comes back as %s is 201, and once in the pool',
  async (_what, breakage) => {
    const { chain, url } = service
    const [carol, dave] = [wallet(chain, 'carol'), wallet(chain, 'dave')]
    chain.produceBlock()
    const nonce = String(chain.account(carol.publicKey)?.nonce)
    breakMutations(breakage)
    expect(await post(`${url}/broadcast/delegation`, signDelegation(chain, carol, dave, { nonce }))).toMatchObject({
      status: 201,
      body: { result: { delegation: { nonce: Number(nonce), to: dave.publicKey } } },
    })
    expect(chain.pool(carol.publicKey)).toHaveLength(1)
  },
)

test('the same signed command sent again, queued or included, is 201 with the same body', async () => {
  const { chain, url } = service
  service.fault = undefined
  chain.produceBlock()
  const [erin, bob] = [wallet(chain, 'erin'), wallet(chain, 'bob')]
  const signed = signPayment(chain, erin, bob)
  const first = await post(`${url}/broadcast/transaction`, signed)
  const queued = await post(`${url}/broadcast/transaction`, signed)
  chain.produceBlock()
  const included = await post(`${url}/broadcast/transaction`, signed)
  expect(first.status).toBe(201)
  expect([queued, included]).toEqual([first, first])
  expect(chain.pool(erin.publicKey)).toEqual([])
})

function fail(): never {
  throw new Error('no such account')
}

test('a node that cuts every connection gets two submissions and six looks, with repeats 10 requests', async () => {
  const { chain, url } = service
  service.fault = (request) => void request.socket.destroy()
  const before = service.received.length
  const signed = signPayment(chain, wallet(chain, 'frank'), wallet(chain, 'bob'))
  const answer = await post(`${url}/broadcast/transaction`, signed)
  service.fault = undefined
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('The outcome is unknown') } })
  expect(service.received.length - before).toBe(10)
})
