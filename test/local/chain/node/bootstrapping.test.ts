import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startSession } from '../session.ts'
import type { NodeClient } from './client.ts'
import { startNode } from './client.ts'

const { chain, wallet, complete } = startSession({ historyBlocks: 40 })
const alice = wallet('alice').publicKey
let node: NodeClient

beforeAll(async () => {
  chain.bootstrapping = true
  node = await startNode(chain)
})
afterAll(() => node.close())

describe('while bootstrapping', () => {
  test('the node has a chain id but no chain, accounts or pool', async () => {
    const query = `{ syncStatus account(publicKey: "${alice}") { nonce } pooledUserCommands { hash }
      daemonStatus { chainId syncStatus blockchainLength stateHash } bestChain { stateHash } }`
    expect((await node.ask(query)).body).toEqual({
      errors: [{ message: 'Could not obtain best chain from transition frontier', path: ['bestChain'] }],
      data: {
        syncStatus: 'BOOTSTRAP',
        account: null,
        pooledUserCommands: [],
        daemonStatus: { chainId: chain.chainId, syncStatus: 'BOOTSTRAP', blockchainLength: null, stateHash: null },
        bestChain: null,
      },
    })
  })

  test('blocks cannot be looked up', async () => {
    expect((await node.ask(`{ block(stateHash: "${chain.tip().stateHash}") { stateHash } }`)).body).toMatchObject({
      errors: [{ message: 'Could not obtain transition frontier' }],
      data: null,
    })
  })

  test('no nonce can be inferred', async () => {
    const { from, to } = complete({ from: 'alice', to: 'bob' })
    const mutation = `mutation { sendPayment(input: {from: "${from}", to: "${to}", amount: "1", fee: "1000000"},
      signature: {field: "1", scalar: "1"}) { payment { hash } } }`
    expect((await node.ask(mutation)).body).toMatchObject({
      errors: [{ message: expect.stringMatching(/^Couldn't infer nonce for transaction from specified `sender`/) }],
      data: null,
    })
  })
})
