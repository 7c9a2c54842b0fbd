// The day of a hard fork as node and indexer of the embedded chain show it.
import { describe, expect, test } from '@jest/globals'
import { createForkDay } from '../../packages/testnet/fork-day.ts'
import { createZkappCommand } from '../../packages/testnet/zkapp-command.ts'
import { startSession } from './session.ts'
import { indexerOf, nodeOf } from './upstream.ts'

const slotMs = 10_000

/** A day over a chain of 24 blocks. Its own clock moves with each block. */
function startDay() {
  const session = startSession({ historyBlocks: 24, slotsPerEpoch: 20 })
  const day = createForkDay(session.chain)
  const nextSlot = () => {
    session.advance(slotMs)
    day.produceIfDue()
  }
  return { ...session, day, nextSlot, old: session.chain }
}

/** A day on which alice paid before the pause, judy's payment came too late for a block, and three blocks were discarded. */
function forkedDay() {
  const running = startDay()
  const { day, nextSlot, pay, old, wallet } = running
  pay({ from: 'alice', to: 'bob', amount: 7n })
  nextSlot()
  const parent = old.tip()
  pay({ from: 'judy', to: 'bob', amount: 9n })
  day.pause()
  nextSlot()
  nextSlot()
  expect(day.fork()).toBe(false)
  nextSlot()
  const discarded = old.bestChain().slice(-3)
  return { ...running, parent, discarded, judy: wallet('judy').publicKey }
}

const hashes = (blocks: readonly { readonly stateHash: string }[]) => blocks.map(({ stateHash }) => stateHash)

describe('before a hard fork', () => {
  test('a paused node refuses each valid command, keeps those it has, and makes empty blocks', () => {
    const { day, old, pay, delegate, nextSlot, wallet } = startDay()
    pay({ from: 'alice', to: 'bob' })
    const zkapp = createZkappCommand({ from: wallet('bob').publicKey, fee: 1n, nonce: 0 })
    old.queueZkapp(zkapp)
    day.pause()
    const refused = { refused: 'Couldn\'t send user command: ["After_slot_tx_end"]' }
    expect([pay({ from: 'carol', to: 'bob' }), delegate({ from: 'carol', to: 'bob' })]).toEqual([refused, refused])
    expect(pay({ from: 'carol', to: 'bob', nonce: 5 })).toEqual({ refused: expect.stringContaining('Input nonce 5') })
    const ledger = old.ledger()
    for (let made = 0; made < 12; made++) nextSlot()
    const made = old.bestChain().slice(-12)
    expect(
      made.map(({ userCommands, zkappCommands, snarkJobs, feeTransfers }) => [
        ...[userCommands, zkappCommands, snarkJobs, feeTransfers].map(({ length }) => length),
      ]),
    ).toEqual(Array(12).fill([0, 0, 0, 0]))
    expect(old.account(wallet('alice').publicKey)).toEqual(ledger.get(wallet('alice').publicKey))
    expect([old.pool().length, old.zkappPool().length]).toEqual([1, 1])
  })

  test('no block comes after the stop, and each step has its time', () => {
    const { day, old, nextSlot } = startDay()
    expect(day.stop).toThrow('Stop commands first: POST /chain/pause')
    expect(day.follow).toThrow('The indexer is on the node’s chain already')
    day.pause()
    expect(day.pause).toThrow('Commands are stopped already')
    nextSlot()
    day.stop()
    expect(day.stop).toThrow('Blocks are stopped already')
    const tip = old.tip()
    nextSlot()
    expect(old.tip()).toEqual(tip)
    expect(day.fork()).toBe(true)
    expect(day.node.genesisBlock()).toMatchObject({ height: tip.height, previousStateHash: tip.previousStateHash })
    nextSlot()
    expect(day.node.tip().height).toBe(tip.height + 1)
  })

  test.each([-1, 1.5, 24])('a fork that discards %s blocks is refused and changes nothing', (count) => {
    const { day, old, nextSlot } = startDay()
    expect(() => day.fork(count)).toThrow(RangeError)
    nextSlot()
    expect([day.node.chainId, old.lastBeforePause(), old.tip().userCommands.length > 0]).toEqual([
      old.chainId,
      undefined,
      true,
    ])
  })
})

describe('after a hard fork', () => {
  const forked = forkedDay()
  const { day, old, parent, discarded, judy } = forked
  const genesis = day.node.genesisBlock()
  const node = nodeOf(day.node)
  const indexer = indexerOf(day.indexed)

  test('the genesis block goes on from the last block before the pause; the tip falls, epoch and slot begin at 0', async () => {
    expect(discarded.map(({ height }) => height - parent.height)).toEqual([1, 2, 3])
    const query = `{ daemonStatus { chainId blockchainLength consensusTimeBestTip { epoch slot globalSlot } globalSlotSinceGenesisBestTip }
      genesisBlock { stateHash protocolState { previousStateHash consensusState { blockHeight slotSinceGenesis epoch slot epochCount } } }
      bestChain { stateHash } pooledUserCommands { hash } }`
    const answer = await node.ask(query)
    const slotSinceGenesis = String(genesis.slot)
    expect(genesis.slot).toBeGreaterThan(parent.slot)
    expect(answer).toEqual({
      data: {
        daemonStatus: {
          chainId: day.node.chainId,
          blockchainLength: parent.height + 1,
          consensusTimeBestTip: { epoch: '0', slot: '0', globalSlot: '0' },
          globalSlotSinceGenesisBestTip: genesis.slot,
        },
        genesisBlock: {
          stateHash: genesis.stateHash,
          protocolState: {
            previousStateHash: parent.stateHash,
            consensusState: {
              blockHeight: String(parent.height + 1),
              slotSinceGenesis,
              epoch: '0',
              slot: '0',
              epochCount: '0',
            },
          },
        },
        bestChain: [{ stateHash: genesis.stateHash }],
        pooledUserCommands: [],
      },
    })
    expect([day.node.chainId === old.chainId, genesis.stateHash === old.genesisBlock().stateHash]).toEqual([
      false,
      false,
    ])
  })

  test('each account is as after the parent, and a command that no kept block holds is gone: its nonce is free', () => {
    const [alice, judyNow] = [forked.account('alice').nonce, day.node.account(judy)?.nonce]
    expect([alice, judyNow, old.pool(judy).length, day.node.pool(judy).length]).toEqual([1, 0, 1, 0])
    expect(
      day.node.sendPayment(forked.complete({ from: 'judy', to: 'bob' }), forked.sign({ from: 'judy', to: 'bob' })),
    ).toEqual({
      command: expect.objectContaining({ from: judy, nonce: 0 }),
    })
  })

  test('blocks go on above the genesis block, with commands, epochs and slots of the new chain', async () => {
    for (let made = 0; made < 25; made++) forked.nextSlot()
    const answer = await node.ask(
      `{ bestChain(maxLength: 30) { protocolState { consensusState { blockHeight slotSinceGenesis epoch slot } } } }`,
    )
    const states = Array.from({ length: 26 }, (_, made) => ({
      protocolState: {
        consensusState: {
          ...{ blockHeight: String(genesis.height + made), slotSinceGenesis: String(genesis.slot + made) },
          ...{ epoch: String(Math.floor(made / 20)), slot: String(made % 20) },
        },
      },
    }))
    expect(answer).toEqual({ data: { bestChain: states } })
    expect(day.node.account(judy)?.nonce).toBe(1)
    expect(day.node.tip().date).toBe(genesis.date + 25 * slotMs)
  })

  const query = `query ($lost: String, $height: Int) { version block { stateHash }
    lost: block(query: {stateHash: $lost}) { canonical genesisStateHash }
    atHeight: blocks(query: {blockHeight: $height}) { stateHash canonical }
    newest: blocks(query: {canonical: true}, limit: 28) { stateHash genesisStateHash protocolState { consensusState { slot epoch } } }
    accounts { publicKey } }`
  const variables = { lost: discarded[0]?.stateHash, height: genesis.height }
  const ask = async () => Object(await indexer.ask(query, variables)).data

  test('the indexer stays on the old chain and calls the discarded blocks canonical, until it follows', async () => {
    const { block, lost, atHeight } = await ask()
    expect([block, lost, atHeight]).toEqual([
      { stateHash: discarded[2]?.stateHash },
      { canonical: true, genesisStateHash: old.genesisBlock().stateHash },
      [{ stateHash: discarded[0]?.stateHash, canonical: true }],
    ])
    day.follow()
    const followed = await ask()
    const newChain = day.node.bestChain().toReversed()
    expect([followed.block, followed.lost, followed.atHeight]).toEqual([
      { stateHash: day.node.tip().stateHash },
      { canonical: false, genesisStateHash: old.genesisBlock().stateHash },
      [
        { stateHash: genesis.stateHash, canonical: true },
        { stateHash: discarded[0]?.stateHash, canonical: false },
      ],
    ])
    expect(hashes(followed.newest)).toEqual([
      ...hashes(newChain),
      ...hashes([parent, old.bestChain().at(-5) ?? parent]),
    ])
    expect(followed.newest[25]).toEqual({
      ...{ stateHash: genesis.stateHash, genesisStateHash: genesis.stateHash },
      protocolState: { consensusState: { slot: 0, epoch: 0 } },
    })
  })
})

test.each([0, 1, 3])(
  'an indexer that followed and is %s blocks behind has the accounts after its tip',
  async (behind) => {
    const { day, nextSlot } = forkedDay()
    for (let made = 0; made < 2; made++) nextSlot()
    const blocks = [...(day.node.before?.chain.bestChain() ?? []).slice(0, -3), ...day.node.bestChain()]
    const indexer = indexerOf(day.node, { behind })
    const { block, accounts } = Object(
      await indexer.ask(
        '{ block { stateHash protocolState { consensusState { totalCurrency } } } accounts { balance } }',
      ),
    ).data
    expect(block.stateHash).toBe(blocks.at(-1 - behind)?.stateHash)
    const sum = accounts.reduce(
      (total: bigint, { balance }: { balance: bigint | number }) => total + BigInt(balance),
      0n,
    )
    expect(sum).toBe(BigInt(block.protocolState.consensusState.totalCurrency))
  },
)
