// A pool may go on showing a command whose nonce the ledger of the same answer has used. It is in an older block, or never will be
// in one, so that neither a 201 nor a refusal is true of it.
import { describe, expect, test } from '@jest/globals'
import { misshaped } from '../endpoints/asking.ts'
import { badNonce, found, held, late, notSent, poolError, refusedBy, run, sent } from './broadcast-run.ts'
import { node, runAtNodes, withNodes } from './several-nodes.ts'

const kept = found([held], [], '8')
const lowFee = refusedBy('Invalid user command. Fee 0.0001 is less than the minimum fee, 0.001.')
const wrongSignature = refusedBy("Couldn't send user command: Error creating user command: {} Error: Invalid_signature")
const rival = { ...held, fee: '2000000', hash: 'rival' }
const { account: _account, ...withoutAccount } = kept.data
const { bestChain: _blocks, ...withoutBlocks } = kept.data
const { pooledZkappCommands: _zkapps, ...withoutZkapps } = kept.data

describe('a command that the pool shows though the ledger is past its nonce', () => {
  test.each([
    ['and the node refuses its nonce', badNonce(8, 8), kept, 'bad-nonce'],
    ['and the node calls it a duplicate', poolError('Duplicate'), kept, 'duplicate'],
    ['and the node refuses its fee', lowFee, kept, 'fee-too-low'],
    ['and the answer was lost', late, kept, 'timeout'],
    ['beside a block with a rival', badNonce(8, 8), found([held], [rival], '8'), 'bad-nonce'],
    ['in an answer that lacks only zkApp commands', badNonce(8, 8), misshaped({ data: withoutZkapps }), 'bad-nonce'],
  ])('%s, has an unknown outcome without a second look', async (_what, refusal, look, code) => {
    const { answer, asked } = await run({ sendPayment: [refusal], findCommand: [look] })
    const more = code === 'bad-nonce' ? { 'x-expected-nonce': '8' } : {}
    const looks = Array(code === 'duplicate' ? 3 : 1).fill('findCommand')
    expect([answer, asked]).toEqual([notSent('unknown', code, false, more), ['sendPayment', ...looks]])
  })

  test.each([
    ['without the account', misshaped({ data: withoutAccount })],
    ['without the blocks', misshaped({ data: withoutBlocks })],
    ['with a block that has it', found([held], [held], '8')],
  ])('is held by an answer %s', async (_what, look) => {
    expect((await run({ sendPayment: [badNonce(8, 8)], findCommand: [look] })).answer).toEqual(sent('already-known'))
  })

  test.each([
    ['for its fee', lowFee],
    ['for its signature', wrongSignature],
  ])('at one node is never refused, though another one refuses it %s', async (_what, refusal) => {
    const nodes = [node(badNonce(8, 8), kept), node(refusal, found([]))]
    for (const listed of [nodes, nodes.toReversed()]) {
      expect((await runAtNodes(...listed)).answer).toMatchObject({ headers: { 'x-broadcast-outcome': 'unknown' } })
    }
  })

  test('is held if another node holds it', async () => {
    const { answer } = await runAtNodes(node(badNonce(8, 8), kept), node(poolError('Duplicate'), found([held])))
    expect(answer).toEqual(withNodes(sent('already-known'), '1/2'))
  })
})
