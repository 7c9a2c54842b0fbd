import { describe, expect, test } from '@jest/globals'
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import type { ChainView, Observer } from '../../../shared/chain/port.ts'
import type { Pool } from '../../../shared/contract/pool.ts'
import { getPool } from '../../../shared/endpoints/get-pool.ts'
import { nodeCommand, pendingCommandFromNode } from '../../../shared/mapping/command.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { silentObserver } from '../chain/silent-observer.ts'
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

type Paying = ReturnType<typeof payment>

/** A node's chain: its tip, and the nonces that its ledger and its blocks have used. */
interface Standing {
  readonly height?: number
  readonly stateHash?: string
  /** By public key; 0 of others. */
  readonly nonces?: Readonly<Record<string, number>>
  /** The commands of its tip's block. */
  readonly inTip?: readonly { readonly from: string; readonly nonce: number }[]
}

function tipOf({ height, stateHash, inTip = [] }: Standing) {
  const { protocolState } = nodeTipWire
  const { consensusState } = protocolState
  const blockHeight = String(height ?? consensusState.blockHeight)
  return {
    ...nodeTipWire,
    ...(height !== undefined && { stateHash: `block${height}` }),
    ...(stateHash !== undefined && { stateHash }),
    protocolState: { ...protocolState, consensusState: { ...consensusState, blockHeight } },
    transactions: { userCommands: inTip, zkappCommands: [] },
  }
}

const holding =
  (users: readonly Paying[], zkapps: readonly Hashed[] = [], standing: Standing = {}): QueryUpstream =>
  async (_operation, variables) => {
    const { userHashes, zkappHashes } = variables
    const { nonces = {} } = standing
    const asked = <One extends Hashed>(commands: readonly One[], hashes: unknown) =>
      Array.isArray(hashes) ? commands.filter(({ hash }) => hashes.includes(hash)) : commands
    const accounts = Object.entries(variables).flatMap(([name, key]) =>
      name.startsWith('key')
        ? [[name.replace('key', 'account'), { nonce: nonces[String(key)] ?? 0, publicKey: key }]]
        : [],
    )
    const pooledUserCommands = asked(users, userHashes).map((user) => ({
      ...user,
      source: { ...user.source, nonce: nonces[user.from] ?? 0 },
    }))
    return whole({
      data: {
        bestChain: [tipOf(standing)],
        pooledUserCommands,
        pooledZkappCommands: asked(zkapps, zkappHashes),
        ...Object.fromEntries(accounts),
      },
    })
  }

/** Its pool is empty because it has none yet. */
const starting: QueryUpstream = async () =>
  whole({ data: { bestChain: null, pooledUserCommands: [], pooledZkappCommands: [] } })

const dead: QueryUpstream = async () => {
  throw new WireError('unreachable', 'connection refused')
}

const over = (...nodes: readonly QueryUpstream[]) => overAddresses(nodes, false)

const overAddresses = (nodes: readonly QueryUpstream[], sharedAddress: boolean, observer: Observer = silentObserver) =>
  createChain({
    nodes: nodes.map((query, index) => ({ name: `node ${index}`, query, sharedAddress })),
    clock: hurriedClock,
    random: () => 0,
  }).view({ withinMs: 20_000, observer })

const hashesOf = async (account: string | undefined, ...nodes: readonly QueryUpstream[]) =>
  hashesIn(account, over(...nodes))

const countIn = async (chain: ChainView) => {
  const { body, tip } = await getPool.run({ account: undefined }, chain)
  const { count, unchecked }: Pool = Object(body)
  return { count, label: tip?.height, ...(unchecked !== undefined && { unchecked }) }
}

const hashesIn = async (account: string | undefined, chain: ChainView) => {
  const { body } = await getPool.run({ account }, chain)
  if (!('commands' in body)) throw new Error('no pool')
  const { count, commands, searched } = body
  return { count, hashes: commands.map(({ hash }) => hash), nodes: searched.nodes }
}

describe('GET /pool', () => {
  test('asks for payments once if an instance last saw no more than it gives, and shows the same', async () => {
    const zkapps = [zkapp('5Jzk', '7', alice)]
    const many = Array.from({ length: 201 }, (_, index) => payment(`5J${index}`, '9'))
    let pool: Parameters<typeof holding> = [[payment('5Jlow', '1')], zkapps]
    const asked: string[] = []
    const node: QueryUpstream = (...question) => {
      asked.push(question[0].name)
      return holding(...pool)(...question)
    }
    const chain = createChain({
      nodes: [{ name: 'node', query: node, sharedAddress: false }],
      clock: hurriedClock,
      random: () => 0,
    })
    const questions: (readonly string[])[] = []
    const pools: (typeof pool)[] = [pool, pool, [[payment('5Jlow', '1')]], [many], [many], [[]], [[]]]
    for (pool of pools) {
      const view = () => chain.view({ withinMs: 20_000, observer: silentObserver })
      asked.length = 0
      const answer = await getPool.run({ account: undefined }, view())
      questions.push([...asked])
      expect(answer).toEqual(await getPool.run({ account: undefined }, over(holding(...pool))))
    }
    const listedAnew = ['poolFees', 'poolCommands']
    expect(questions).toEqual([
      [...listedAnew, 'payerNonces'],
      ['poolPayments', 'poolCommands', 'payerNonces'],
      ['poolPayments'],
      ['poolPayments'],
      listedAnew,
      ['poolFees'],
      ['poolPayments'],
    ])
  })

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
      tip: expect.objectContaining({ stateHash: nodeTipWire.stateHash }),
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

  test('leaves out a command that is gone before it is asked for in full, unless another node still holds it', async () => {
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

  test('behind one address lists at once, and then asks for commands and nonces at once', async () => {
    const node = holding([payment('5Jpaid', '9')], [zkapp('5Jzk', '8', alice)])
    const rounds: string[][] = [[]]
    let isAnswering = false
    const inRounds: QueryUpstream = async (...question) => {
      if (isAnswering) rounds.push([])
      isAnswering = false
      rounds.at(-1)?.push(question[0].name)
      await new Promise(setImmediate)
      isAnswering = true
      return node(...question)
    }
    expect(await hashesIn(undefined, overAddresses([inRounds], true))).toMatchObject({ count: 2 })
    expect(rounds).toEqual([
      ['poolFees', 'poolHashes', 'poolHashes'],
      ['poolCommands', 'payerNonces'],
    ])
  })

  test('asks again for nonces at a tip that comes with the whole commands', async () => {
    const [before, after] = [{ height: 6 }, { height: 7, nonces: { [bob]: 4 } }]
    const asked: string[] = []
    const moving: QueryUpstream = (operation, variables) => {
      const isLater = operation.name === 'poolCommands' || asked.includes('payerNonces')
      asked.push(operation.name)
      return holding([], [zkapp('5Jzk', '8', bob)], isLater ? after : before)(operation, variables)
    }
    expect(await countIn(over(moving))).toEqual({ count: 0, label: 7 })
    expect(asked).toEqual(['poolFees', 'poolCommands', 'payerNonces', 'payerNonces'])
  })

  const paid = { from: alice, nonce: 7 }
  const usedBy = (nonce: number) => ({ [alice]: nonce })
  const one = payment('5Jone', '9')

  test.each<[string, readonly QueryUpstream[], object]>([
    ['a nonce that the ledger has used, at a single node', [holding([one], [], { nonces: usedBy(8) })], { count: 0 }],
    [
      'what only a node that lies behind holds, by the account at the best tip',
      [holding([one], [], { height: 5 }), holding([], [], { height: 6, nonces: usedBy(8) })],
      { count: 0, label: 6 },
    ],
    [
      'what either of two tips of one height excludes',
      [
        holding([one], [], { height: 6, nonces: usedBy(7) }),
        holding([one], [], { height: 6, stateHash: 'other', nonces: usedBy(8) }),
      ],
      { count: 0, label: 6 },
    ],
  ])('leaves out %s', async (_what, nodes, wanted) => {
    expect(await countIn(over(...nodes))).toEqual({ label: 300, ...wanted })
    expect(await countIn(over(...nodes.toReversed()))).toEqual({ label: 300, ...wanted })
  })

  test('keeps what only a lower ledger has used, which may be of another branch', async () => {
    const behind = holding([one], [], { height: 5, nonces: usedBy(8) })
    const best = holding([], [], { height: 6, nonces: usedBy(7) })
    expect(await countIn(over(behind, best))).toEqual({ count: 1, label: 6 })
  })

  test('asks for the nonces of 100 fee payers, those of the highest fees, and says how many it has not looked at', async () => {
    const payer = (index: number) => `payer ${String(index).padStart(3, '0')}`
    const bare = zkapp('', '1', bob).zkappCommand
    const commands = Array.from({ length: 150 }, (_, index) => ({
      ...{ hash: `5J${index}`, failureReason: null },
      zkappCommand: { ...bare, feePayer: { body: { fee: String(index), nonce: '0', publicKey: payer(index) } } },
    }))
    // Each of them is paid; the block of the tip has two of those that are not asked for.
    const nonces = Object.fromEntries(commands.map((_, index) => [payer(index), 1]))
    const inTip = [0, 1].map((index) => ({ from: payer(index), nonce: 0 }))
    expect(await countIn(over(holding([], commands, { nonces, inTip })))).toEqual({
      count: 48,
      unchecked: 48,
      label: 300,
    })
  })

  test('is labelled with the tip that judged it, even if that is newer than the listing', async () => {
    const [before, after] = [{ height: 6 }, { height: 7, inTip: [paid] }]
    const moving: QueryUpstream = async (operation, variables) => {
      const isLater = operation.name === 'payerNonces'
      const reply = await holding([one], [zkapp('5Jzk', '8', bob)], isLater ? after : before)(operation, variables)
      if (isLater) Object.assign(Object(reply.data), { bestChain: [tipOf(before), tipOf(after)] })
      return reply
    }
    expect(await countIn(over(moving))).toEqual({ count: 1, label: 7 })
  })

  test('asks a shared address on for nonces while a daemon that lags is the one that answers', async () => {
    const heights: number[] = []
    const daemons: QueryUpstream = (operation, variables) => {
      const height = operation.name === 'payerNonces' && heights.length < 5 ? 6 : 7
      if (operation.name === 'payerNonces') heights.push(height)
      return holding([], [zkapp('5Jzk', '8', bob)], { height, nonces: { [bob]: 4 } })(operation, variables)
    }
    expect(await countIn(overAddresses([daemons], true))).toEqual({ count: 0, label: 7 })
    expect(heights).toEqual([6, 6, 6, 6, 6, 7])
  })

  test('keeps what nothing at the best tip judges, and says how many that are', async () => {
    const silent: QueryUpstream = (operation, variables) =>
      (operation.name === 'payerNonces' ? dead : holding([], [zkapp('5Jzk', '8', bob)]))(operation, variables)
    expect(await countIn(over(silent))).toEqual({ count: 1, unchecked: 1, label: 300 })
  })

  test('of a pool that is too long to be read is a 503 that says so, asked for once and no fault of the node', async () => {
    let asked = 0
    const long: QueryUpstream = async () => {
      asked += 1
      throw new WireError('unreadable', 'answer of more than 8388608 bytes', { isTooLong: true })
    }
    const noticed: string[] = []
    const observer = { ...silentObserver, noticed: (event: string) => noticed.push(event) }
    const chain = overAddresses([long, long], false, observer)
    for (const account of [alice, undefined, bob]) {
      await expect(getPool.run({ account }, chain)).rejects.toMatchObject({
        fault: 'busy',
        publicText: 'More commands wait than can be read now.',
      })
    }
    expect({ asked, noticed }).toEqual({ asked: 3, noticed: [] })
  })

  test('is upstream trouble if the only node is starting: its empty pool is not an answer', async () => {
    await expect(hashesOf(alice, starting)).rejects.toMatchObject({ fault: 'busy' })
  })

  test.each([`${alice.slice(0, -1)}1`])('refuses an account with a wrong checksum, %s', (account) => {
    expect(getPool.query?.read({ account }, getPool.path).faults).toEqual([
      { at: 'account', problem: 'must be a public key, given once' },
    ])
  })
})
