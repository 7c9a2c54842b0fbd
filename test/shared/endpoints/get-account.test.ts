import { describe, expect, test } from '@jest/globals'
import { withChanges } from '../../../packages/proofs/changed-view.ts'
import { getAccount } from '../../../shared/endpoints/get-account.ts'
import { accountFromNode, nodeAccount } from '../../../shared/mapping/account.ts'
import { nodeCommand } from '../../../shared/mapping/command.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { Reply } from '../../../shared/upstream/query.ts'
import { accountWire, alice, bob, nodeTipWire, paymentWire, stateHash } from '../mapping/node-wire.ts'
import { answering, contextOf, recording, replying, scripted } from './asking.ts'

const notFound = {
  status: 404,
  body: { message: 'No account found for that public key.' },
  caching: getAccount.caching[404]?.missing,
}
const zkappOf = (publicKey: string) => ({ zkappCommand: { feePayer: { body: { publicKey, nonce: '9' } } } })
const data = {
  account: accountWire,
  pooledUserCommands: [paymentWire],
  pooledZkappCommands: [zkappOf(alice)],
  bestChain: [nodeTipWire],
  genesisBlock: { stateHash },
  syncStatus: 'CATCHUP',
}
const tipHeight = 300

const bobs = { publicKey: bob, token: paymentWire.token }
const fromBob = { ...paymentWire, from: bob, feePayer: bobs, fromAccount: bobs, source: bobs }

describe('an account at GET /accounts/{public_key}', () => {
  test('has the fields of the ledger and of the pool after one round trip', async () => {
    const { context, asked } = recording({ data })
    expect(await getAccount.run({ publicKey: alice }, context)).toEqual({
      status: 200,
      body: {
        account: accountFromNode(
          nodeAccount.read(accountWire, 'account'),
          [nodeCommand.read(paymentWire, 'payment')],
          [9],
          tipHeight,
        ),
        status: { syncStatus: 'CATCHUP', blockchainLength: tipHeight },
      },
      caching: getAccount.caching[200]?.complete,
    })
    expect(asked).toEqual([{ operation: 'accountByPublicKey', variables: { publicKey: alice } }])
  })

  test('names the nonces that are missing before its queued commands, and asks an older node without zkApp commands', async () => {
    const older = "Field 'pooledZkappCommands' is not defined on type 'query'"
    const pooledUserCommands = [{ ...paymentWire, nonce: 12 }]
    const context = answering({
      accountByPublicKey: { errors: [older] },
      accountWithoutZkapps: { data: { ...data, pooledUserCommands, pooledZkappCommands: undefined } },
    })
    expect(await getAccount.run({ publicKey: alice }, withChanges(context, { indexers: [] }))).toMatchObject({
      status: 200,
      body: { account: { nonce: 7, nextNonce: 7, missingNonces: [7, 8, 9, 10, 11] } },
    })
  })

  test('that a live node does not know is not found', async () => {
    const reply = {
      data: { ...data, account: null, pooledUserCommands: [], pooledZkappCommands: [] },
    }
    expect(await getAccount.run({ publicKey: alice }, replying(reply))).toEqual(notFound)
  })

  describe('that an answer at a shared address does not know', () => {
    const empty = { account: null, pooledUserCommands: [], pooledZkappCommands: [] }
    const unknown = { data: { ...data, ...empty } }
    const failure = new WireError('unreachable', 'no connection')
    const { protocolState } = nodeTipWire
    const consensusState = { ...protocolState.consensusState, blockHeight: String(tipHeight - 1) }
    const lowerTip = { ...nodeTipWire, protocolState: { ...protocolState, consensusState } }
    const lagging = { data: { ...data, ...empty, bestChain: [lowerTip] } }
    type Replies = readonly (Partial<Reply> | Error)[]
    const outcomeOf = (replies: Replies) =>
      getAccount.run({ publicKey: alice }, contextOf(scripted({ accountByPublicKey: replies }))).then(
        ({ status }) => status,
        ({ fault }) => fault,
      )

    test.each<[number | string, string, Replies]>([
      [404, 'two others do not know it', [unknown, unknown, unknown]],
      [200, 'another one does', [unknown, unknown, { data }]],
      [200, 'another one does, and the third one fails', [unknown, failure, { data }]],
      ['unreachable', 'another one fails', [unknown, failure, unknown]],
    ])('ends as %s where %s', async (outcome, _where, replies) => {
      expect(await outcomeOf(replies)).toBe(outcome)
    })

    test('is a 503 if all three are below an answer that was seen', async () => {
      const context = contextOf(scripted({ accountByPublicKey: [{ data }, lagging] }))
      await getAccount.run({ publicKey: alice }, context)
      await expect(getAccount.run({ publicKey: alice }, context)).rejects.toMatchObject({ fault: 'busy' })
    })
  })

  test.each([
    ['errors', { errors: ['Could not obtain best chain from transition frontier'] }],
    ['no best chain', {}],
  ])('of a bootstrapping node, which knows no account, is a 503, never a 404: %s', async (_what, more) => {
    const reply = {
      data: { ...data, account: null, pooledUserCommands: [], pooledZkappCommands: [], bestChain: null },
      ...more,
    }
    await expect(getAccount.run({ publicKey: alice }, replying(reply))).rejects.toMatchObject({ fault: 'busy' })
  })

  test.each([
    ['of another key', { account: { ...accountWire, publicKey: bob } }, 'mismatched'],
    ['left out', { account: undefined }, 'unreadable'],
    ['without a nonce', { account: { ...accountWire, nonce: null } }, 'unreadable'],
    ['whose timing says nothing', { account: { ...accountWire, timing: {} } }, 'unreadable'],
    ['beside a command of another sender', { pooledUserCommands: [fromBob] }, 'mismatched'],
    ['beside a zkApp command of another fee payer', { pooledZkappCommands: [zkappOf(bob)] }, 'mismatched'],
    ['beside no list of zkApp commands', { pooledZkappCommands: undefined }, 'unreadable'],
    ['beside no best chain', { bestChain: undefined }, 'unreadable'],
  ] as const)('%s is upstream trouble', async (_what, change, fault) => {
    const reply = { data: { ...data, ...change } }
    await expect(getAccount.run({ publicKey: alice }, replying(reply))).rejects.toMatchObject({ fault })
  })
})
