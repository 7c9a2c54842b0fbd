import { describe, expect, test } from '@jest/globals'
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import type { Exchange, Watch } from '../../../shared/chain/port.ts'
import { getPool } from '../../../shared/endpoints/get-pool.ts'
import { nodeCommand, pendingCommandFromNode } from '../../../shared/mapping/command.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { silentWatch } from '../chain/silent-watch.ts'
import { alice, bob, nodeTipWire, paymentWire } from '../mapping/node-wire.ts'
import { whole } from './asking.ts'

const mina = paymentWire.token

/** A payment of Alice's to Bob. */
const payment = (hash: string, fee: string) => ({ ...paymentWire, hash, fee })

/** A zkApp command that Bob pays for, and whose update names a key. */
const zkapp = (hash: string, fee: string, updated: string, magnitude = '5') => ({
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
          balanceChange: { magnitude, sgn: 'Positive' },
          implicitAccountCreationFee: false,
        },
      },
    ],
  },
})

interface Hashed {
  readonly hash: string
}

const holding =
  (users: readonly Hashed[], zkapps: readonly Hashed[] = []): QueryUpstream =>
  async (_operation, { userHashes, zkappHashes }) => {
    const asked = (commands: readonly Hashed[], hashes: unknown) =>
      Array.isArray(hashes) ? commands.filter(({ hash }) => hashes.includes(hash)) : commands
    const pooledUserCommands = asked(users, userHashes)
    return whole({
      data: { bestChain: [nodeTipWire], pooledUserCommands, pooledZkappCommands: asked(zkapps, zkappHashes) },
    })
  }

/** Its pool is empty because it has none yet. */
const starting: QueryUpstream = async () =>
  whole({ data: { bestChain: null, pooledUserCommands: [], pooledZkappCommands: [] } })

const dead: QueryUpstream = async () => {
  throw new WireError('unreachable', 'connection refused')
}

const over = (...nodes: readonly QueryUpstream[]) => overAddresses(nodes, false)

const overAddresses = (nodes: readonly QueryUpstream[], sharedAddress: boolean, watch: Watch = silentWatch) =>
  createChain({
    nodes: nodes.map((query, index) => ({ name: `node ${index}`, query, sharedAddress })),
    clock: hurriedClock,
    random: () => 0,
  }).exchange({ withinMs: 20_000, watch })

const hashesOf = async (account: string | undefined, ...nodes: readonly QueryUpstream[]) =>
  hashesIn(account, over(...nodes))

const hashesIn = async (account: string | undefined, chain: Exchange) => {
  const { body } = await getPool.run({ account }, chain)
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
            tokenChanges: [],
          },
          pendingCommandFromNode(nodeCommand.read(wires[0], 'low')),
        ],
        searched: { nodes: 1 },
      },
      caching: getPool.caching[200]?.complete,
    })
  })

  test('names the changes of a command that declares more MINA than 64 bits hold, if it lists it', async () => {
    const missing = async (account: string) =>
      (await getPool.run({ account }, over(holding([], [zkapp('5Jbig', '9', alice, String(2n ** 63n))])))).headers
    expect([await missing(alice), await missing(mina)]).toEqual([
      { 'x-missing-fields': 'commands.balanceChanges' },
      undefined,
    ])
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

  test('leaves out a command that is gone before it is asked for as a whole, unless another node still holds it', async () => {
    const [gone, kept] = [payment('5Jgone', '9'), payment('5Jkept', '8')]
    const forgetting: QueryUpstream = (operation, variables) =>
      holding(variables.userHashes === undefined ? [gone, kept] : [kept])(operation, variables)
    expect(await hashesOf(alice, forgetting)).toEqual({ count: 1, hashes: ['5Jkept'], nodes: 1 })
    expect(await hashesOf(undefined, forgetting)).toEqual({ count: 1, hashes: ['5Jkept'], nodes: 1 })
    expect(await hashesOf(alice, forgetting, holding([gone]))).toMatchObject({ count: 2, nodes: 2 })
  })

  test('is not complete while a node that listed a command does not show it', async () => {
    const breaking: QueryUpstream = (operation, variables) =>
      (variables.userHashes === undefined ? holding([payment('5Jone', '9')]) : dead)(operation, variables)
    await expect(hashesOf(alice, breaking)).rejects.toMatchObject({ fault: 'unreachable' })
    expect(await hashesOf(alice, breaking, holding([payment('5Jone', '9')]))).toMatchObject({ count: 1, nodes: 2 })
  })

  test('asks three daemons behind one address, whose pools differ, and each for the whole of what it may hold', async () => {
    const [first, second] = [payment('5Jfirst', '9'), payment('5Jsecond', '8')]
    const pools = [[first], [second], [], [], [second], [first]]
    const asked: string[] = []
    const balanced: QueryUpstream = (operation, variables) => {
      asked.push(operation.name)
      return holding(pools[asked.length - 1] ?? [])(operation, variables)
    }
    expect(await hashesIn(alice, overAddresses([balanced], true))).toEqual({
      count: 2,
      hashes: ['5Jfirst', '5Jsecond'],
      nodes: 1,
    })
    expect(asked).toEqual(['poolKeys', 'poolHashes', 'poolHashes', 'poolCommands', 'poolCommands', 'poolCommands'])
  })

  test('of a pool that is too long to be read is a 503 that says so, asked for once and no fault of the node', async () => {
    let asked = 0
    const long: QueryUpstream = async () => {
      asked += 1
      throw new WireError('unreadable', 'answer of more than 8388608 bytes', { isTooLong: true })
    }
    const noticed: string[] = []
    const watch = { ...silentWatch, noticed: (event: string) => noticed.push(event) }
    const chain = overAddresses([long, long], false, watch)
    for (const account of [alice, undefined, bob]) {
      await expect(getPool.run({ account }, chain)).rejects.toMatchObject({
        fault: 'busy',
        told: 'More commands wait than can be read now.',
      })
    }
    expect({ asked, noticed }).toEqual({ asked: 3, noticed: [] })
  })

  test('is upstream trouble where the only node is starting: its empty pool is not an answer', async () => {
    await expect(hashesOf(alice, starting)).rejects.toMatchObject({ fault: 'busy' })
  })

  test.each([`${alice.slice(0, -1)}1`])('refuses an account with a wrong checksum, %s', (account) => {
    expect(getPool.query?.read({ account }, getPool.path).faults).toEqual([
      { at: 'account', problem: 'must be a public key, given once' },
    ])
  })
})
