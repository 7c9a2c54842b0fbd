// 40 payments through a service that loses answers, those of its node and its own.
import { expect, jest, test } from '@jest/globals'
import { flakyNode, type Trouble } from '../../local/flaky/flaky-node.ts'
import { createClient, type Fetch } from '../../packages/client/src/client.ts'
import { createChain, type Wallet } from '../../packages/testnet/chain.ts'
import { nodeServer } from '../../packages/testnet/node/server.ts'
import { createRandom, integerBetween, pick } from '../../packages/testnet/random.ts'
import { gatewayOver, hashesOnChain, hashOf, now, signPayment, wallet } from '../end-to-end/running-service.ts'
import { serve, untilTestEnds } from '../serving.ts'
import { network, pausedClock } from './scripted-service.ts'

// Some thousand questions, perhaps on a busy machine.
jest.setTimeout(300_000)

const troubles: readonly Trouble[] = ['lost request', 'lost answer', 'late', 'broken']

test('each of 40 payments is paid once and reported correctly', async () => {
  const chain = createChain({ seed: 'lost answers', now: () => now, frontierBlocks: 200, signsOwnCommands: false })
  const ofNode = createRandom('lost answers of the node')
  // Of 100 mutations 40 go wrong, of 100 other questions 15.
  const shareOf = { mutation: 40, search: 15, read: 15 }
  const flaky = await flakyNode(
    `${(await serve(nodeServer(chain))).url}/graphql`,
    (purpose) => (integerBetween(ofNode, 1, 100) <= shareOf[purpose] ? pick(ofNode, troubles) : 'none'),
    async () => undefined,
  )
  const nodeUrl = `http://127.0.0.1:${untilTestEnds(flaky).port}/graphql`
  const { url } = await serve(await gatewayOver({ NODE_GRAPHQL_URL: nodeUrl }))

  const receiver = wallet(chain, 'judy')
  const before = chain.account(receiver.publicKey)?.balance ?? 0n
  const names = ['alice', 'bob', 'carol', 'dave']
  const senders = names.map((name) => wallet(chain, name))
  let losses = 0
  const payAll = async (sender: Wallet) => {
    const random = createRandom(`losses of ${sender.name}`)
    /** Loses a quarter of the requests on their way to the service, and a quarter of its answers. */
    const losing: Fetch = async (...request) => {
      const chance = integerBetween(random, 1, 4)
      if (chance <= 2) losses++
      if (chance === 1) throw new TypeError('the request was lost')
      const response = await fetch(...request)
      if (chance === 2) throw new TypeError('the answer was lost')
      return response
    }
    const clock = pausedClock(() => integerBetween(random, 1, 3) === 1 && chain.produceBlock())
    const client = createClient({ baseUrl: url, network, fetch: losing, clock })
    const outcomes: { hash: string; outcome: string; state: string }[] = []
    for (let nonce = 0; nonce < 10; nonce++) {
      const signed = signPayment(chain, sender, receiver, { nonce: String(nonce), amount: '1000000001' })
      const hash = hashOf(signed)
      const { outcome } = await client.sendUntilKnown(signed, { patienceMs: 3_600_000 })
      const { state } = await client.waitForInclusion(signed, hash, { confirmations: 0 })
      outcomes.push({ hash, outcome, state })
    }
    return outcomes
  }
  const outcomes = await Promise.all(senders.map(payAll))
  while (chain.pool().length > 0) chain.produceBlock()

  const reported = outcomes.map((ofSender) => ofSender.map(({ hash }) => hash))
  expect(reported.flat()).toHaveLength(40)
  expect(new Set(outcomes.flat().map(({ state }) => state))).toEqual(new Set(['included']))
  expect(reported).toEqual(senders.map((sender) => hashesOnChain(chain, sender)))
  expect((chain.account(receiver.publicKey)?.balance ?? 0n) - before).toBe(40n * 1_000_000_001n)
  // Most payments lost something, and many were found by sending them again.
  expect(losses).toBeGreaterThan(20)
  expect(outcomes.flat().filter(({ outcome }) => outcome === 'already-known').length).toBeGreaterThan(10)
})
