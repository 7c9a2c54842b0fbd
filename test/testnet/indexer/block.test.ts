import { expect, test } from '@jest/globals'
import { minaToken } from '../../../packages/testnet/zkapp-command.ts'
import { decodeBase58Check } from '../../../shared/mapping/base58check.ts'
import { startSession } from '../session.ts'
import { indexerOf, integer } from '../upstream.ts'

// That an indexer's blocks say what the node's do, field by field, is tested in test/end-to-end/every-field.test.ts.
const { chain, pay, advance } = startSession({ seed: 'indexer 3', historyBlocks: 23, slotsPerEpoch: 20 })
pay({ from: 'alice', to: 'erin', amount: 1_000_000_009n, memo: 'grüße, erin' })
advance(480_000)
const block = chain.produceBlock()
chain.reorganise(1)
const indexer = indexerOf(chain)

const commandFields = `hash kind amount fee from sender to receiver_account { publicKey } nonce memo isApplied
  failureReason canonical blockHeight tokens
  zkapp { accounts_updated { pk public_key token symbol balance_change balance_change_str } }`
const { userCommands } = block
const inBlock = { canonical: false, blockHeight: 24 }
const commands = userCommands.map(({ command: { hash, kind, amount, fee, from, to, nonce, memo }, failureReason }) => ({
  ...{ ...inBlock, hash, kind, amount: integer(amount), fee: integer(fee), from, sender: from, to, nonce, memo },
  ...{ receiver_account: { publicKey: to }, isApplied: failureReason === null, failureReason, zkapp: null },
  tokens: [minaToken],
}))

test('the VRF output of a block is its 32 bytes in URL-safe base64, that of the genesis block has its checksum too', async () => {
  const answer = await indexer.ask('{ blocks { protocolState { consensusState { lastVrfOutput } } } }')
  const shown = [...JSON.stringify(answer).matchAll(/lastVrfOutput":"([^"]*)"/g)].map(([, text = '']) => text)
  const [genesis = '', ...others] = shown.toReversed()
  const bytesOf = (vrfOutput: string) => Buffer.from(decodeBase58Check(vrfOutput) ?? [])
  const padded = (bytes: Buffer) => `${bytes.toString('base64url')}=`
  const outputs = chain.allBlocks().map(({ vrfOutput }) => bytesOf(vrfOutput))
  expect(others.toSorted()).toEqual(
    outputs
      .slice(1)
      .map((bytes) => padded(bytes.subarray(2)))
      .toSorted(),
  )
  expect(others.join()).toMatch(/[-_]/)
  const decoded = Buffer.from(genesis, 'base64url')
  expect([genesis, decoded.subarray(0, 34), decoded.length]).toEqual([padded(decoded), outputs[0], 34 + 4])
})

test('a block that does not exist is null or missing from the list, and a malformed state hash is an error', async () => {
  const other = startSession({ seed: 'elsewhere', historyBlocks: 1 }).chain.tip().stateHash
  const query = (hash: string) => `(query: {stateHash: "${hash}"}) { stateHash }`
  const ask = (hash: string) => indexer.ask(`{ block${query(hash)} blocks${query(hash)} }`)
  expect(await ask(other)).toEqual({ data: { block: null, blocks: [] } })
  expect(await ask('3Nx')).toMatchObject({ data: null, errors: [{ message: 'Invalid state hash: 3Nx' }, {}] })
})

test('the indexer lists a command once for each block that holds it, the canonical one first', async () => {
  const canonical = chain.produceBlock()
  const [{ hash, ...command } = { hash: '' }] = commands
  const rows = [canonical, block].map(({ stateHash, date, height }) => ({
    ...{ ...command, hash, canonical: stateHash === canonical.stateHash, blockHeight: height },
    block: { stateHash, dateTime: new Date(date).toISOString() },
  }))
  const ask = (given: string) =>
    indexer.ask(`{ transactions(${given}) { ${commandFields} block { stateHash dateTime } } }`)
  expect(await ask(`query: {hash: "${hash}"}`)).toEqual({ data: { transactions: rows } })
  expect(await ask(`query: {hash: "${hash}"}, limit: 1`)).toEqual({ data: { transactions: rows.slice(0, 1) } })
  expect(await ask(`query: {hash: "${hash}", canonical: false}`)).toEqual({ data: { transactions: rows.slice(1) } })
  const { from, nonce } = command as { from: string; nonce: number }
  const ofSender = `query: {from: "${from}", nonce: ${nonce}, canonical: true}`
  expect(await ask(ofSender)).toEqual({ data: { transactions: rows.slice(0, 1) } })

  const { hash: unknown } = startSession({ seed: 'elsewhere' }).chain.tip().userCommands[0]?.command ?? {}
  const query = `{ transactions(query: {hash: "${unknown}"}) { hash } }`
  const { text, headers } = await indexer.send(JSON.stringify({ query }))
  expect([text, headers.get('cache-control')]).toEqual(['{"data":{"transactions":[]}}', null])
  const errors = [{ message: 'Invalid txn hash: 5Jx', path: ['transactions'] }]
  expect(await ask('query: {hash: "5Jx"}')).toMatchObject({ data: null, errors })
  const message = 'Invalid receiver public key: B62x'
  expect(await ask('query: {from: "B62x", nonce: 1}')).toMatchObject({ data: null, errors: [{ message }] })
})

test('the indexer names the first failure of a zkApp command', async () => {
  const [block] = chain.bestChain().filter(({ height }) => height === 13)
  const { hash, from, nonce } = block?.zkappCommands[1] ?? {}
  const query = `{ transactions(query: {from: "${from}", nonce: ${nonce}, canonical: true}) { hash kind isApplied failureReason } }`
  const transactions = [{ hash, kind: 'ZKAPP', isApplied: false, failureReason: 'Cancelled' }]
  expect(await indexer.ask(query)).toEqual({ data: { transactions } })
})
