// The fate of a payment, from the signature to a final block. Those of all other commands are judged under every fault in
// `npm run bench -- upstream-faults`.
import { expect, test } from '@jest/globals'
import type { Chain } from '../../../packages/testnet/chain.ts'
import { unheldValues } from '../../../shared/contract/parameters.ts'
import { memoFromText } from '../../../shared/mapping/command.ts'
import { unservedUrl } from '../../serving.ts'
import {
  commandBlock,
  get,
  post,
  runService,
  serviceOver,
  signPayment,
  startQuietService,
  wallet,
} from '../running-service.ts'

const { chain, url } = await startQuietService()

const ask = async (hash: string, query = '') => (await get(`${url}/transactions/${hash}${query}`)).body

/** The places that are searched at this tip, one node and its pool among them. */
const searched = (indexer = false) => {
  const { height } = chain.tip()
  return { pool: true, fromHeight: height - 19, toHeight: height, nodes: 1, indexer }
}

const command = expect.objectContaining({ kind: 'PAYMENT', isDelegation: false })

test('a payment is pending, included, pending again after a reorganisation, included with confirmations, and at last final', async () => {
  const body = signPayment(chain, wallet(chain, 'alice'), wallet(chain, 'bob'))
  const { from, nonce, validUntil, to, fee, amount } = body.payload
  const memo = memoFromText(body.payload.memo)
  const query = `?from=${from}&nonce=${nonce}&valid_until=${validUntil}&to=${to}&fee=${fee}&memo=${memo}&amount=${amount}`
  const numbers = { nonce: Number(nonce), validUntil: Number(validUntil), fee: Number(fee), amount: Number(amount) }
  const terms = { from, to, memo, ...numbers }
  const { hash } = Object((await post(`${url}/broadcast/transaction`, body)).body).result.payment
  const pending = () => ({ transaction: { hash, state: 'pending', command, terms, searched: searched() } })
  const included = (block: ReturnType<Chain['tip']>, confirmations: number) => ({
    transaction: {
      ...{ hash, state: 'included', status: 'applied', block: commandBlock(block), confirmations, command, terms },
      searched: searched(),
    },
  })
  expect(await ask(hash, query)).toEqual(pending())
  const orphan = chain.produceBlock()
  expect(await ask(hash, query)).toEqual(included(orphan, 0))
  chain.reorganise(1, 0)
  expect(await ask(hash, query)).toEqual(pending())
  const block = chain.produceBlock()
  for (let made = 0; made < 3; made++) chain.produceBlock()
  expect(await ask(hash, query)).toEqual(included(block, 3))

  for (let made = 0; made < chain.frontierBlocks; made++) chain.produceBlock()
  const { transaction } = Object(await ask(hash, query))
  const { userCommands } = Object((await get(`${url}/blocks/${block.stateHash}`)).body).block.transactions
  const {
    blockHeight: _,
    blockStateHash: __,
    dateTime: ___,
    status,
    ...shown
  } = userCommands.find((one: { hash: string }) => one.hash === hash)
  expect(transaction).toEqual({
    ...{
      hash,
      state: 'included',
      status,
      block: commandBlock(block),
      confirmations: chain.frontierBlocks - 1,
      final: true,
      command: shown,
      terms,
    },
    searched: searched(true),
  })
})

test('a node is asked once for what it shows, and three times behind a shared address for what it does not', async () => {
  const service = await runService()
  const count = async (hash: string) => {
    service.received.length = 0
    return [(await get(`${service.url}/transactions/${hash}`)).status, service.received.length]
  }
  const [included] = service.chain.tip().userCommands
  expect([
    await count(included?.command.hash ?? ''),
    await count(unheldValues.hash),
    await count(`${unheldValues.hash.slice(0, -1)}x`),
  ]).toEqual([
    [200, 1],
    [404, 3],
    [404, 0],
  ])
})

test('beside an indexer that is down, an unknown hash is undecided, and an absence true of its terms', async () => {
  const { nodeUrl: node, chain: own } = await runService()
  const front = await serviceOver([node], [unservedUrl])
  const { publicKey: from, nonce } = own.account(wallet(own, 'dave').publicKey) ?? { publicKey: '', nonce: 0 }
  const terms = `?from=${from}&nonce=${nonce}&valid_until=4294967295`
  const asked = await Promise.all(['', terms].map((query) => get(`${front}/transactions/${unheldValues.hash}${query}`)))
  expect(asked.map(({ status, body }) => [status, body])).toEqual([
    [503, { message: 'Upstream unavailable.' }],
    [200, { transaction: expect.objectContaining({ state: 'absent', sending: 'possible' }) }],
  ])
})
