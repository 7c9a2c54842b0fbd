// The fate of commands, from the signature to a final block.
import { expect, test } from '@jest/globals'
import Client from 'mina-signer'
import type { Chain } from '../../../local/chain/chain.ts'
import { createZkappCommand, minaToken, minaUpdate } from '../../../local/chain/zkapp-command.ts'
import { unheldValues } from '../../../shared/contract/parameters.ts'
import { memoFromText } from '../../../shared/mapping/command.ts'
import { abandonedUrl, serve } from '../../serving.ts'
import {
  commandBlock,
  gatewayOver,
  get,
  post,
  runService,
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

/** Signs a payment without sending it: its body, and the terms as a question names them and as an answer repeats them. */
function signed(name: string, changes: object = {}) {
  const body = signPayment(chain, wallet(chain, name), wallet(chain, 'bob'), changes)
  const { from, nonce, validUntil, to, fee, amount } = body.payload
  const memo = memoFromText(body.payload.memo)
  const bare = `?from=${from}&nonce=${nonce}&valid_until=${validUntil}`
  const first = { from, nonce: Number(nonce), validUntil: Number(validUntil) }
  const terms = { ...first, to, fee: Number(fee), memo, amount: Number(amount) }
  return { body, bare, first, query: `${bare}&to=${to}&fee=${fee}&memo=${memo}&amount=${amount}`, terms }
}

async function send(body: object): Promise<string> {
  const { status, body: answer } = await post(`${url}/broadcast/transaction`, body)
  expect(status).toBe(201)
  return Object(answer).result.payment.hash
}

test('a payment is pending, included, pending again after a reorganisation, included with confirmations, and at last final', async () => {
  const { body, query, terms } = signed('alice')
  const hash = await send(body)
  const pending = () => ({ transaction: { hash, state: 'pending', command, terms, searched: searched() } })
  const included = (block: ReturnType<Chain['tip']>, confirmations: number) => ({
    transaction: {
      ...{ hash, state: 'included', block: commandBlock(block), confirmations, command, terms },
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
    ...shown
  } = userCommands.find((one: { hash: string }) => one.hash === hash)
  expect(transaction).toEqual({
    ...{
      hash,
      state: 'included',
      block: commandBlock(block),
      confirmations: chain.frontierBlocks - 1,
      final: true,
      command: shown,
      terms,
    },
    searched: searched(true),
  })
})

test('a command that is in no block says what stands in its way', async () => {
  const [sender, stranger] = [wallet(chain, 'dave'), new Client({ network: 'testnet' }).genKeys()]
  const answerTo = async (query: string) => Object(await ask(unheldValues.hash, query)).transaction
  const absent = async ({ query, terms }: Pick<ReturnType<typeof signed>, 'query' | 'terms'>, sending: object) => {
    const answer = { hash: unheldValues.hash, state: 'absent', ...sending, terms, searched: searched(true) }
    expect(await answerTo(query)).toEqual(answer)
  }
  const nonce = chain.account(sender.publicKey)?.nonce ?? 0
  await absent(signed('dave', { nonce: String(nonce) }), { sending: 'possible' })
  await absent(signed('dave', { nonce: String(nonce + 2) }), {
    ...{ sending: 'waits-for-nonce', missingNonces: [nonce, nonce + 1] },
  })
  await absent(signed('dave', { from: stranger.publicKey }), { sending: 'no-account' })
  const [rival, other] = ['1500000000', '7'].map((amount) => signed('dave', { nonce: String(nonce), amount }))
  if (rival === undefined || other === undefined) throw new Error('nothing was signed')
  const by = await send(rival.body)
  await absent(other, { sending: 'rival-pending', by, command })
  const few = { query: other.bare, terms: other.first as never }
  const hint = expect.stringContaining('{ berkeley: true }. Ask with from, nonce, valid_until, to,')
  await absent(few, { sending: 'unknown', by, command, hint })
  const block = chain.produceBlock()
  const replaced = (confirmations: number) => ({
    ...{ hash: unheldValues.hash, state: 'replaced', by, command, block: commandBlock(block), confirmations },
    terms: other.terms,
    searched: searched(true),
  })
  expect(await answerTo(other.query)).toEqual(replaced(0))
  await absent(few, { sending: 'nonce-used', by, command, hint })
  const past = signed('dave', { nonce: String(nonce + 1), validUntil: String(block.slot - 1) })
  expect(await answerTo(past.query)).toEqual({
    ...{ hash: unheldValues.hash, state: 'expired', confirmations: 0, terms: past.terms },
    searched: searched(true),
  })
  for (let made = 0; made < 21; made++) chain.produceBlock()
  expect(await answerTo(other.query)).toEqual(replaced(21))
  for (let made = 0; made < chain.frontierBlocks; made++) chain.produceBlock()
  // Below the frontier only the indexer has it, whose hashes may be wrong.
  await absent(other, { sending: 'nonce-used', by, command })
  await absent(few, { sending: 'nonce-used', by, command, hint })
})

test('a command that failed on the chain says why, and a zkApp command is found in its block and in the pool', async () => {
  const blocks = chain.bestChain().slice(-20)
  const [failed] = blocks.flatMap(({ userCommands }) => userCommands.filter(({ failureReason }) => failureReason))
  const [zkapp] = blocks.flatMap(({ zkappCommands }) => zkappCommands.filter(({ failures }) => failures))
  const [{ publicKey: from }, { publicKey: to }] = [wallet(chain, 'carol'), wallet(chain, 'alice')]
  const terms = { from, fee: 1n, nonce: chain.account(from)?.nonce ?? 0 }
  const updates = [minaUpdate(from, -7n), minaUpdate(to, 5n), minaUpdate(to, 2n)]
  const queued = createZkappCommand(terms, { updates, memo: 'rent' })
  chain.queueZkapp(queued)
  const answers = await Promise.all(
    [failed?.command, zkapp, queued].map(async (one) => Object(await ask(one?.hash ?? '')).transaction),
  )
  expect(answers.map(({ state, failureReason, command: own }) => [state, failureReason, own?.kind])).toEqual([
    ['included', failed?.failureReason, 'PAYMENT'],
    ['included', 'Account_balance_precondition_unsatisfied, Cancelled', 'ZKAPP'],
    ['pending', undefined, 'ZKAPP'],
  ])
  const [, inBlock, inPool] = answers.map(({ command: own }) => own)
  expect(inBlock).toEqual({
    balanceChanges: [],
    fee: Number(zkapp?.fee),
    feePayer: { publicKey: zkapp?.from },
    hash: zkapp?.hash,
    kind: 'ZKAPP',
    memo: memoFromText(zkapp?.memo ?? ''),
    nonce: zkapp?.nonce,
  })
  expect(inPool).toEqual({
    balanceChanges: [
      { publicKey: from, tokenId: minaToken, amount: -7 },
      { publicKey: to, tokenId: minaToken, amount: 7 },
    ],
    fee: 1,
    feePayer: { publicKey: from },
    hash: queued.hash,
    kind: 'ZKAPP',
    memo: memoFromText('rent'),
    nonce: terms.nonce,
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
  const upstreams = { NODE_GRAPHQL_URL: node, INDEXER_GRAPHQL_URL: await abandonedUrl() }
  const { url: front } = await serve(await gatewayOver(upstreams))
  const { publicKey: from, nonce } = own.account(wallet(own, 'dave').publicKey) ?? { publicKey: '', nonce: 0 }
  const terms = `?from=${from}&nonce=${nonce}&valid_until=4294967295`
  const asked = await Promise.all(['', terms].map((query) => get(`${front}/transactions/${unheldValues.hash}${query}`)))
  expect(asked.map(({ status, body }) => [status, body])).toEqual([
    [503, { message: 'Upstream unavailable.' }],
    [200, { transaction: expect.objectContaining({ state: 'absent', sending: 'possible' }) }],
  ])
})
