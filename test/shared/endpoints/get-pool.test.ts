import { describe, expect, test } from '@jest/globals'
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import { getPool } from '../../../shared/endpoints/get-pool.ts'
import { nodeCommand, pendingCommandFromNode } from '../../../shared/mapping/command.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { alice, bob, nodeTipWire, paymentWire } from '../mapping/node-wire.ts'
import { whole } from './asking.ts'

const mina = paymentWire.token

/** A payment of Alice's to Bob. */
const payment = (hash: string, fee: string) => ({ ...paymentWire, hash, fee })

/** A zkApp command that Bob pays for, and whose update names a key. */
const zkapp = (hash: string, fee: string, updated: string) => ({
  hash,
  failureReason: null,
  zkappCommand: {
    memo: 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH',
    feePayer: { body: { fee, nonce: '3', publicKey: bob } },
    accountUpdates: [
      {
        body: {
          publicKey: updated,
          tokenId: mina,
          balanceChange: { magnitude: '5', sgn: 'Positive' },
          implicitAccountCreationFee: false,
        },
      },
    ],
  },
})

const holding =
  (users: readonly object[], zkapps: readonly object[] = []): QueryUpstream =>
  async () =>
    whole({ data: { bestChain: [nodeTipWire], pooledUserCommands: users, pooledZkappCommands: zkapps } })

/** Its pool is empty because it has none yet. */
const starting: QueryUpstream = async () =>
  whole({ data: { bestChain: null, pooledUserCommands: [], pooledZkappCommands: [] } })

const dead: QueryUpstream = async () => {
  throw new WireError('unreachable', 'connection refused')
}

const over = (...nodes: readonly QueryUpstream[]) =>
  createChain({
    nodes: nodes.map((query, index) => ({ name: `node ${index}`, query, sharedAddress: false })),
    clock: hurriedClock,
    random: () => 0,
  }).exchange({ withinMs: 20_000 })

const hashesOf = async (account: string | undefined, ...nodes: readonly QueryUpstream[]) => {
  const { body } = await getPool.run({ account }, over(...nodes))
  if (!('commands' in body)) throw new Error('no pool')
  const { count, commands, searched } = body
  return { count, hashes: commands.map(({ hash }) => hash), nodes: searched.nodes }
}

describe('GET /pool', () => {
  test('shows each command as an account does, highest fee first', async () => {
    const wires = [payment('5Jlow', '1'), payment('5Jhigh', '18446744073709551615')]
    expect(await getPool.run({ account: undefined }, over(holding(wires, [zkapp('5Jzk', '7', alice)])))).toEqual({
      status: 200,
      body: {
        count: 3,
        commands: [
          pendingCommandFromNode(nodeCommand.read(wires[1], 'high')),
          {
            balanceChanges: [{ publicKey: alice, tokenId: mina, amount: 5 }],
            fee: 7,
            feePayer: { publicKey: bob },
            hash: '5Jzk',
            kind: 'ZKAPP',
            memo: 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH',
            nonce: 3,
          },
          pendingCommandFromNode(nodeCommand.read(wires[0], 'low')),
        ],
        searched: { nodes: 1 },
      },
      caching: getPool.caching[200]?.complete,
    })
  })

  test('is the union of the pools of all nodes that have one, each command once', async () => {
    const [both, first, second] = [payment('5Jboth', '9'), payment('5Jfirst', '8'), payment('5Jsecond', '7')]
    expect(await hashesOf(undefined, holding([both, first]), holding([second, both]), starting, dead)).toEqual({
      count: 3,
      hashes: ['5Jboth', '5Jfirst', '5Jsecond'],
      nodes: 2,
    })
  })

  test('with an account has all that it sends, gets, pays for or is named by, and nothing else', async () => {
    const node = holding([payment('5Jpaid', '9')], [zkapp('5Jown', '8', bob), zkapp('5Jnamed', '7', alice)])
    expect([await hashesOf(alice, node), await hashesOf(bob, node), await hashesOf(mina, node)]).toEqual([
      { count: 2, hashes: ['5Jpaid', '5Jnamed'], nodes: 1 },
      { count: 3, hashes: ['5Jpaid', '5Jown', '5Jnamed'], nodes: 1 },
      { count: 0, hashes: [], nodes: 1 },
    ])
  })

  test('without an account lists 200 of a full pool, with one all 3,000, and is a 503 for more than can be given', async () => {
    const full = Array.from({ length: 3000 }, (_, index) => payment(`5J${index}`, `${index}`))
    const one = payment('5Jone', '5')
    const listed = await hashesOf(undefined, holding(full))
    expect([listed.count, listed.hashes.length, listed.hashes[0]]).toEqual([3000, 200, '5J2999'])
    expect((await hashesOf(alice, holding(full))).hashes).toHaveLength(3000)
    await expect(hashesOf(alice, holding(full), holding([one]))).rejects.toMatchObject({ fault: 'busy' })
  })

  test('is upstream trouble where the only node is starting: its empty pool is no answer', async () => {
    await expect(hashesOf(alice, starting)).rejects.toMatchObject({ fault: 'busy' })
  })

  test.each([`${alice.slice(0, -1)}1`])('refuses an account with a wrong checksum, %s', (account) => {
    expect(getPool.faults?.({ path: {}, query: { account }, body: undefined })).toEqual([
      { at: 'account', problem: 'must be a public key, given once' },
    ])
  })
})
