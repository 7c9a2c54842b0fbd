import { describe, expect, test } from '@jest/globals'
import { getAccount } from '../../../shared/endpoints/get-account.ts'
import { accountFromNode, nodeAccount } from '../../../shared/mapping/account.ts'
import { nodeCommand } from '../../../shared/mapping/command.ts'
import { accountWire, alice, nodeTipWire, paymentWire, stateHash } from '../mapping/node-wire.ts'
import { recording, replying } from './asking.ts'

const notFound = { status: 404, body: { message: 'No account found for that public key.' }, maxAgeSeconds: 5 }
const data = {
  account: accountWire,
  pooledUserCommands: [paymentWire],
  bestChain: [nodeTipWire],
  genesisBlock: { stateHash },
}

describe('GET /accounts/{public_key}', () => {
  test('answers with account and pool, in one round trip', async () => {
    const { ask, asked } = recording({ data })
    expect(await getAccount.run({ publicKey: alice }, ask)).toEqual({
      status: 200,
      body: {
        account: accountFromNode(nodeAccount.read(accountWire, 'account'), [nodeCommand.read(paymentWire, 'payment')]),
      },
      maxAgeSeconds: 3,
    })
    expect(asked).toEqual([{ operation: 'accountByPublicKey', variables: { publicKey: alice } }])
  })

  test('that a live node does not know is not found', async () => {
    const reply = {
      data: { account: null, pooledUserCommands: [], bestChain: [nodeTipWire], genesisBlock: { stateHash } },
    }
    expect(await getAccount.run({ publicKey: alice }, replying(reply))).toEqual(notFound)
  })

  test.each(['', 'B62', `${alice}1`, 'x'.repeat(10_000), stateHash])(
    'with an impossible key is not found, and nobody is asked',
    async (publicKey) => {
      const { ask, asked } = recording({})
      expect(await getAccount.run({ publicKey }, ask)).toEqual(notFound)
      expect(asked).toEqual([])
    },
  )

  test.each([
    ['errors', { errors: ['Could not obtain best chain from transition frontier'] }],
    ['no best chain', {}],
  ])('of a bootstrapping node, which knows no account, is busy and never not found: %s', async (_what, more) => {
    const reply = {
      data: { account: null, pooledUserCommands: [], bestChain: null, genesisBlock: { stateHash } },
      ...more,
    }
    await expect(getAccount.run({ publicKey: alice }, replying(reply))).rejects.toMatchObject({ fault: 'busy' })
  })

  test('takes the key from the path', () => {
    expect(getAccount.input({ path: { public_key: alice }, query: {}, body: undefined })).toEqual({ publicKey: alice })
  })
})
