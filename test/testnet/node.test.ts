import { describe, expect, test } from '@jest/globals'
import { encodeMemo } from '../../packages/testnet/command.ts'
import { createZkappCommand, type ZkappCommand } from '../../packages/testnet/zkapp-command.ts'
import { startSession } from './session.ts'
import { nodeOf } from './upstream.ts'

const { chain, wallet, complete, sign } = startSession({ historyBlocks: 40 })
const node = nodeOf(chain)
const [root, next] = chain.frontier()
const token = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'
const failed = (message: unknown) => ({ data: null, errors: [{ message }] })

const zkappFields = `hash failureReason { index failures }
  zkappCommand { memo feePayer { body { publicKey nonce fee validUntil } }
    accountUpdates { body { publicKey tokenId balanceChange { magnitude sgn } implicitAccountCreationFee } } }`

/** A node's answer about a zkApp command that has not failed. */
const zkappAnswer = ({ hash, from, nonce, fee, memo, updates }: ZkappCommand, validUntil: string | null = null) => ({
  hash,
  failureReason: null,
  zkappCommand: {
    memo: encodeMemo(memo),
    feePayer: { body: { publicKey: from, nonce: String(nonce), fee: String(fee), validUntil } },
    accountUpdates: updates.map(({ publicKey, tokenId, balanceChange, implicitAccountCreationFee }) => ({
      body: {
        ...{ publicKey, tokenId, implicitAccountCreationFee },
        balanceChange: {
          magnitude: String(balanceChange).replace('-', ''),
          sgn: balanceChange < 0n ? 'Negative' : 'Positive',
        },
      },
    })),
  },
})

describe('a block of the node', () => {
  const byHash = 'query ($hash: String) { block(stateHash: $hash) { stateHash } }'

  test('has the chain’s values in the daemon’s encodings: integers as text but for a few numbers', async () => {
    const { stateHash, creator, date, totalCurrency, slot, userCommands, snarkJobs } = chain.tip()
    const answer = await node.ask(`{ block(stateHash: "${stateHash}") { stateHash creatorAccount { publicKey }
      protocolState { blockchainState { date utcDate } consensusState { blockHeight totalCurrency slot slotSinceGenesis epoch } }
      transactions { coinbase userCommands { __typename hash nonce fee amount validUntil token failureReason } }
      snarkJobs { fee workIds } } }`)
    const types = { PAYMENT: 'UserCommandPayment', STAKE_DELEGATION: 'UserCommandDelegation' }
    const commands = userCommands.map(({ command: { kind, hash, nonce, fee, amount }, failureReason }) => ({
      ...{ __typename: types[kind], hash, nonce, fee: String(fee), amount: String(amount), validUntil: '4294967295' },
      ...{ token, failureReason },
    }))
    expect(new Set(commands.map(({ __typename }) => __typename)).size).toBe(2)
    const inEpoch = { slot: String(slot % 40), slotSinceGenesis: String(slot), epoch: '1' }
    expect(answer).toEqual({
      data: {
        block: {
          stateHash,
          creatorAccount: { publicKey: creator },
          protocolState: {
            blockchainState: { date: String(date), utcDate: String(date) },
            consensusState: { blockHeight: '40', totalCurrency: String(totalCurrency), ...inEpoch },
          },
          // The command that was applied last comes first.
          transactions: { coinbase: '360000000000', userCommands: commands.toReversed() },
          snarkJobs: snarkJobs.map(({ fee, workIds }) => ({ fee: String(fee), workIds })),
        },
      },
    })
  })

  test('lists its zkApp commands apart, the last first, and counts them among its commands', async () => {
    const [block] = chain.frontier().filter(({ height }) => height === 13)
    const { userCommands = [], zkappCommands = [], stateHash } = block ?? {}
    const answer = await node.ask(`{ block(stateHash: "${stateHash}") {
      commandTransactionCount transactions { zkappCommands { ${zkappFields} } } } }`)
    const [applied, failing] = zkappCommands.map((command) => zkappAnswer(command))
    const cancelled = ['3', '2', '1'].map((index) => ({ index, failures: ['Cancelled'] }))
    const failureReason = [{ index: '4', failures: ['Account_balance_precondition_unsatisfied'] }, ...cancelled]
    expect(answer).toEqual({
      data: {
        block: {
          commandTransactionCount: userCommands.length + 2,
          transactions: { zkappCommands: [{ ...failing, failureReason }, applied] },
        },
      },
    })
  })

  test('is found by hash from the root of the frontier on, and by height above the root', async () => {
    const byHeight = 'query ($height: Int) { block(height: $height) { stateHash } }'
    const older = root?.previousStateHash
    const found = (stateHash = '') => ({ data: { block: { stateHash } } })
    expect(await node.ask(byHash, { hash: root?.stateHash })).toEqual(found(root?.stateHash))
    expect(await node.ask(byHash, { hash: older })).toEqual({
      errors: [{ message: `Block with state hash ${older} not found in transition frontier`, path: ['block'] }],
      data: null,
    })
    expect(await node.ask(byHeight, { height: next?.height })).toEqual(found(next?.stateHash))
    expect(await node.ask(byHeight, { height: root?.height })).toMatchObject(
      failed(`Could not find block in transition frontier with height ${root?.height}`),
    )
    for (const field of ['block', 'block(stateHash: "x", height: 1)'])
      expect(await node.ask(`{ ${field} { stateHash } }`)).toMatchObject(
        failed('Must provide exactly one of state hash, height'),
      )
  })

  test('of the best chain comes after its parent, the tip last', async () => {
    const hashes = chain.frontier().map(({ stateHash }) => ({ stateHash }))
    const bestChain = (length: number | null) =>
      node.ask('query ($n: Int) { bestChain(maxLength: $n) { stateHash } }', { n: length })
    expect([await bestChain(2), await bestChain(400), await bestChain(null)]).toEqual(
      [hashes.slice(-2), hashes, hashes].map((listed) => ({ data: { bestChain: listed } })),
    )
  })
})

test('an account of the node has its locked part and its timing, and is null if it does not exist', async () => {
  const query = `query ($key: PublicKey!) { account(publicKey: $key) {
    publicKey balance { total unknown liquid locked blockHeight stateHash } nonce timing { cliffTime } } }`
  const { publicKey } = wallet('frank')
  const { height, stateHash } = chain.tip()
  const [total, liquid, locked] = ['10050000000000', '50000000000', '10000000000000']
  const balance = { total, unknown: total, liquid, locked, blockHeight: String(height), stateHash }
  expect(await node.ask(query, { key: publicKey })).toEqual({
    data: { account: { publicKey, balance, nonce: '0', timing: { cliffTime: '100000' } } },
  })
  const { publicKey: unknown } = startSession({ seed: 'elsewhere', historyBlocks: 1 }).wallet('alice')
  expect(await node.ask(query, { key: unknown })).toEqual({ data: { account: null } })
})

test('a bootstrapping node has a chain id but no chain, accounts or pool, and infers no nonce', async () => {
  const { from, to } = complete({ from: 'alice', to: 'bob' })
  chain.bootstrapping = true
  const answer = await node.ask(`{ syncStatus account(publicKey: "${from}") { nonce } pooledUserCommands { hash }
    daemonStatus { chainId syncStatus blockchainLength stateHash } bestChain { stateHash } }`)
  const sent =
    await node.ask(`mutation { sendPayment(input: {from: "${from}", to: "${to}", amount: "1", fee: "1000000"},
    signature: {field: "1", scalar: "1"}) { payment { hash } } }`)
  const block = await node.ask(`{ block(stateHash: "${chain.tip().stateHash}") { stateHash } }`)
  chain.bootstrapping = false
  const daemonStatus = { chainId: chain.chainId, syncStatus: 'BOOTSTRAP', blockchainLength: null, stateHash: null }
  expect(answer).toEqual({
    errors: [{ message: 'Could not obtain best chain from transition frontier', path: ['bestChain'] }],
    data: { syncStatus: 'BOOTSTRAP', account: null, daemonStatus, pooledUserCommands: [], bestChain: null },
  })
  expect(block).toMatchObject(failed('Could not obtain transition frontier'))
  expect(sent).toMatchObject(failed(expect.stringMatching(/^Couldn't infer nonce for transaction from specified/)))
})

test('the pool of the node has zkApp commands apart, by key, hash and id, without a failure before they are in a block', async () => {
  const { chain: own, pay, wallet: of, account } = startSession()
  const [alice, bob] = [of('alice').publicKey, of('bob').publicKey]
  const command = createZkappCommand({ from: alice, fee: 20_000_000n, nonce: 1 }, { fails: true, validUntil: 7_000 })
  pay({ from: 'alice', to: 'bob' })
  own.queueZkapp(command)
  const ask = nodeOf(own).ask
  const answer = zkappAnswer(command, '7000')
  expect(
    await ask(`{ all: pooledZkappCommands { ${zkappFields} } none: pooledZkappCommands(publicKey: "${bob}") { hash }
      alice: pooledZkappCommands(publicKey: "${alice}") { hash } known: pooledZkappCommands(hashes: ["${command.hash}"]) { hash }
      unknown: pooledZkappCommands(hashes: ["5J"], publicKey: "${alice}") { hash }
      signed: pooledUserCommands(publicKey: "${alice}") { nonce } account(publicKey: "${alice}") { inferredNonce } }`),
  ).toEqual({
    data: {
      ...{ all: [answer], none: [], alice: [{ hash: command.hash }], known: [{ hash: command.hash }], unknown: [] },
      ...{ signed: [{ nonce: 0 }], account: { inferredNonce: '2' } },
    },
  })
  const { userCommands, zkappCommands } = own.produceBlock()
  const failures = [
    { index: '2', failures: ['Account_balance_precondition_unsatisfied'] },
    { index: '1', failures: ['Cancelled'] },
  ]
  expect([userCommands[0]?.command.from, zkappCommands[0]]).toEqual([alice, { ...command, failures }])
  expect([account('alice').nonce, own.zkappPool()]).toEqual([2, []])
})

describe('a submission to the node', () => {
  const mutation = `mutation ($input: SendPaymentInput!, $signature: SignatureInput) {
    sendPayment(input: $input, signature: $signature) {
      payment { hash id kind nonce amount fee memo isDelegation token feeToken from to receiver { publicKey token } }
    }
  }`
  const draft = { from: 'carol', to: 'bob', amount: 5n, memo: 'über' }
  const { amount, fee, nonce, validUntil, ...command } = complete(draft)
  const texts = { amount: String(amount), fee: String(fee), nonce: String(nonce), validUntil: String(validUntil) }
  const input = { ...command, ...texts }

  test('is answered with the node’s record of the command, pending first and included later', async () => {
    const answer = await node.ask(mutation, { input, signature: sign(draft) })
    const [queued] = chain.pool(command.from)
    const { from, to } = command
    const payment = {
      ...{ hash: queued?.hash, id: queued?.id, kind: 'PAYMENT', nonce: 0, amount: '5', fee: '10000000' },
      memo: expect.stringMatching(/^E4Y/),
      ...{ isDelegation: false, token, feeToken: token, from, to, receiver: { publicKey: to, token } },
    }
    expect(answer).toEqual({ data: { sendPayment: { payment } } })
    const status = () => node.ask('query ($id: ID) { transactionStatus(payment: $id) }', { id: queued?.id })
    expect(await status()).toEqual({ data: { transactionStatus: 'PENDING' } })
    chain.produceBlock()
    expect(await status()).toEqual({ data: { transactionStatus: 'INCLUDED' } })
  })

  test('that is refused nulls the data and has the daemon’s message', async () => {
    const message = 'Invalid user command. Fee 0.000000001 is less than the minimum fee, 0.001.'
    const signature = { field: '1', scalar: '1' }
    expect(await node.ask(mutation, { input: { ...input, fee: '1' }, signature })).toEqual({
      errors: [{ message, path: ['sendPayment'] }],
      data: null,
    })
  })

  test.each([
    ['amount', '01'],
    ['fee', '18446744073709551616'],
    ['nonce', '-1'],
    ['to', 'B62qnot-a-key'],
  ])('with a malformed %s is an argument error that echoes the input', async (field, value) => {
    const found = /^Argument `input` of type `SendPaymentInput!` expected on field `sendPayment`, found (\{.*\})\.$/
    const answer = await node.ask(mutation, { input: { ...input, [field]: value }, signature: null })
    expect(answer).toEqual({ errors: [{ message: expect.stringMatching(found) }], data: null })
    expect(JSON.stringify(answer)).toContain(`${field}: \\"${value}\\"`)
  })
})
