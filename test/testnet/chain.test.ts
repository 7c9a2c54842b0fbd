import { describe, expect, test } from '@jest/globals'
import type { ChainBlock } from '../../packages/testnet/block.ts'
import { type Chain, createChain } from '../../packages/testnet/chain.ts'
import { totalCurrency } from '../../packages/testnet/ledger/ledger.ts'
import { createSigner } from '../../packages/testnet/signer.ts'
import { startMs, startSession } from './session.ts'
import { askIndexer } from './upstream.ts'

const options = { seed: 'history', now: () => startMs }
const chain = createChain(options)
const history = chain.bestChain()
const hashesOf = (blocks: readonly ChainBlock[]) => blocks.map(({ stateHash }) => stateHash)
const hashes = hashesOf(history)

describe('the history of the chain', () => {
  test('depends on the seed down to the ids, its hashes not on the clock', () => {
    expect(createChain(options).bestChain()).toEqual(history)
    const later = createChain({ ...options, now: () => startMs + 86_400_000 })
    expect(hashesOf(later.bestChain())).toEqual(hashes)
    const other = createChain({ ...options, seed: 'other' })
    const idsOf = ({ tip, wallets, chainId }: typeof chain) => [tip().stateHash, wallets[0]?.publicKey, chainId]
    expect(new Set([...idsOf(chain), ...idsOf(other)]).size).toBe(6)
  })

  test('has heights from 1, each block on top of the one before, a block in most slots, the last in that of now', () => {
    expect(history.map(({ height }) => height)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
    expect(history.slice(1).map(({ previousStateHash }) => previousStateHash)).toEqual(hashes.slice(0, -1))
    expect(chain.tip()).toMatchObject({ date: startMs - 3_000, slot: chain.currentSlot() })
    expect(history.every(({ slot, date }) => date === chain.genesisTimestamp + slot * 10_000)).toBe(true)
    const steps = history.slice(1).map(({ slot }, index) => slot - (history[index]?.slot ?? 0))
    expect(new Set(steps)).toEqual(new Set([1, 2]))
  })

  test('has a payment, a fee transfer and a snark job with work ids in every block after genesis, which is empty', () => {
    expect(history[0]).toMatchObject({
      ...{ userCommands: [], feeTransfers: [], snarkJobs: [], slot: 0 },
      ...{ coinbaseReceiverAccount: null, coinbase: 0n },
    })
    const incomplete = history.slice(1).filter(({ userCommands, feeTransfers, snarkJobs }) => {
      const hasPayment = userCommands.some(({ command }) => command.kind === 'PAYMENT')
      return !hasPayment || feeTransfers.length === 0 || !snarkJobs.some(({ workIds }) => workIds.length > 0)
    })
    expect(incomplete).toEqual([])
  })

  test('has every rare kind of command and reward within the last 30 blocks', () => {
    const last = history.slice(-30)
    const commands = last.flatMap(({ userCommands }) => userCommands)
    expect({
      delegations: commands.some(({ command }) => command.kind === 'STAKE_DELEGATION'),
      failures: new Set(commands.map(({ failureReason }) => failureReason)),
      zkappCommands: new Set(last.map(({ zkappCommands }) => zkappCommands.length)),
      largestOfToken: last.some(({ zkappCommands }) =>
        zkappCommands.some(({ updates }) => updates.some(({ balanceChange }) => balanceChange === 2n ** 64n - 1n)),
      ),
      noCoinbase: last.some(({ coinbaseReceiverAccount }) => coinbaseReceiverAccount === null),
      feeTransfers: new Set(last.flatMap(({ feeTransfers }) => feeTransfers.map(({ type }) => type))),
      otherReceiver: last.some(({ creator, coinbaseReceiver }) => creator !== coinbaseReceiver),
      otherWinner: last.some(({ creator, winner }) => creator !== winner),
      epochs: new Set(last.map(({ epoch }) => epoch)),
    }).toEqual({
      delegations: true,
      failures: new Set([null, 'Amount_insufficient_to_create_account']),
      zkappCommands: new Set([0, 2]),
      largestOfToken: true,
      noCoinbase: true,
      feeTransfers: new Set(['Fee_transfer', 'Fee_transfer_via_coinbase']),
      otherReceiver: true,
      otherWinner: true,
      epochs: new Set([0, 1]),
    })
  })

  test('has commands with valid signatures, unless it is told to leave them out', () => {
    const signed = (made: Chain) => {
      const { command } = made.tip().userCommands[0] ?? {}
      const bytes = Buffer.from(command?.id ?? '', 'base64').subarray(-64)
      const integer = (part: Buffer) => BigInt(`0x${Buffer.from(part).reverse().toString('hex')}`).toString()
      return { command, signature: { field: integer(bytes.subarray(0, 32)), scalar: integer(bytes.subarray(32)) } }
    }
    const { command, signature } = signed(chain)
    expect(command && createSigner('testnet').verifies(command, signature)).toBe(true)
    const unsigned = signed(createChain({ ...options, signsOwnCommands: false }))
    expect(unsigned).toEqual({
      command: { ...command, id: expect.any(String) },
      signature: { field: '1', scalar: '1' },
    })
  })
})

describe('an epoch', () => {
  test('takes its ledger from the end of the epoch before the last, under a hash that does not change', () => {
    const { chain: short, advance } = startSession({ slotsPerEpoch: 5, historyBlocks: 1 })
    for (let made = 0; made < 22; made++) {
      advance(10_000)
      short.produceBlock()
    }
    const blocks = short.bestChain()
    for (const epoch of [2, 3, 4]) {
      const lastOfEarlier = blocks.findLast((block) => block.epoch === epoch - 2)
      const { stagedLedgerHash: ledgerHash, totalCurrency: currency } = lastOfEarlier ?? {}
      const staking = short.stakingLedger(epoch)
      const used = blocks.filter((block) => block.epoch === epoch).map(({ stakingEpoch }) => stakingEpoch.ledgerHash)
      expect(new Set(used)).toEqual(new Set([ledgerHash]))
      expect(staking).toMatchObject({ epoch, ledgerHash })
      expect(totalCurrency(staking?.accounts ?? new Map())).toBe(currency)
      expect(blocks.findLast((block) => block.epoch === epoch - 1)?.nextEpoch.ledgerHash).toBe(ledgerHash)
    }
    const { nextEpoch, stakingEpoch } = short.tip()
    expect(short.stakingLedger(5)?.ledgerHash).toBe(nextEpoch.ledgerHash)
    expect(short.stakingLedger(6)).toBeUndefined()
    expect(short.stakingLedgerByHash(stakingEpoch.ledgerHash)).toBe(short.stakingLedger(4)?.accounts)
  })

  test('without a block counts in the epoch number but not in the epoch count', () => {
    const { chain: sparse, advance } = startSession({ slotsPerEpoch: 5, historyBlocks: 1 })
    advance(130_000)
    expect(sparse.produceBlock()).toMatchObject({ slot: 13, epoch: 2, epochCount: 1 })
  })
})

test('a new block has the slot of now or the next free one, and a lower window density after empty slots', () => {
  const { chain: live, advance } = startSession()
  const { slot, minWindowDensity } = live.tip()
  advance(35_000)
  expect([live.produceBlock(), live.produceBlock()].map((block) => block.slot - slot)).toEqual([3, 4])
  advance(1_000_000)
  expect(live.produceBlock().minWindowDensity).toBeLessThan(minWindowDensity - 70)
})

describe('a reorganisation', () => {
  test('replaces the last blocks by a fork that is one longer, and keeps them as not canonical', () => {
    const { chain, advance } = startSession()
    advance(10_000)
    const before = chain.bestChain()
    chain.reorganise(2)
    const after = chain.bestChain()
    const abandoned = before.slice(-2)
    expect(after.slice(0, -3)).toEqual(before.slice(0, -2))
    expect(after.map(({ height }) => height)).toEqual([1, 2, 3, 4, 5])
    expect(after.slice(1).map(({ previousStateHash }) => previousStateHash)).toEqual(hashesOf(after).slice(0, -1))
    expect(hashesOf(abandoned).map(chain.isCanonical)).toEqual([false, false])
    expect(hashesOf(after).every(chain.isCanonical)).toBe(true)
    expect(hashesOf(abandoned).map(chain.frontierBlock)).toEqual(abandoned)
    expect(chain.allBlocks()).toEqual([...before, ...after.slice(-3)])
  })

  test('of any depth gives each block a separate slot and preserves the total of the balances', () => {
    const { chain } = startSession({ historyBlocks: 40 })
    for (const depth of [3, 5, 29]) chain.reorganise(depth)
    const slots = chain.bestChain().map(({ slot }) => slot)
    expect(slots).toEqual([...new Set(slots)].sort((one, other) => one - other))
    expect(chain.tip().totalCurrency).toBe(totalCurrency(chain.ledger()))
    expect(chain.bestChain()).toHaveLength(43)
  })

  test('below the root of the frontier is refused', () => {
    const { chain } = startSession({ historyBlocks: 40 })
    const tip = chain.tip()
    for (const depth of [0, 1.5, 30]) expect(() => chain.reorganise(depth)).toThrow(RangeError)
    expect(chain.tip()).toEqual(tip)
  })
})

test('the frontier holds the last 30 blocks and drops older ones and their forks', () => {
  const { chain } = startSession({ historyBlocks: 30 })
  const fork = chain.tip()
  chain.reorganise(1)
  // The fork branches off at height 29, which is the root under a tip at height 58.
  while (chain.tip().height < 58) chain.produceBlock()
  expect(chain.frontierBlock(fork.stateHash)).toBe(fork)
  chain.produceBlock()
  expect(chain.frontierBlock(fork.stateHash)).toBeUndefined()
  expect(chain.frontier().map(({ height }) => height)).toEqual(Array.from({ length: 30 }, (_, index) => index + 30))
  expect(chain.allBlocks()).toContainEqual(fork)
})

// A chain that runs for long forgets old blocks; answers about its tip stay the same.
function longChain(keptBlocks: number) {
  const { chain, advance } = startSession({ slotsPerEpoch: 10, frontierBlocks: 8, keptBlocks })
  for (let block = 0; block < 90; block++) {
    advance(10_000)
    chain.produceBlock()
    if (block % 30 === 0) chain.reorganise(2)
  }
  return chain
}

describe('a chain that keeps 30 blocks', () => {
  const [whole, short] = [longChain(1000), longChain(30)]
  const { height, nextEpoch } = whole.tip()

  test('has its latest 30 blocks, their forks and the genesis block', () => {
    const kept = [whole.genesisBlock(), ...whole.allBlocks().filter((block) => block.height > height - 30)]
    expect(short.bestChain()).toEqual(whole.bestChain().slice(-30))
    expect(short.allBlocks()).toEqual(kept)
    const canonicalOn = ({ isCanonical }: typeof short) => kept.map(({ stateHash }) => isCanonical(stateHash))
    expect(canonicalOn(short)).toEqual(canonicalOn(whole))
  })

  test('has the accounts and staking ledgers of a chain that forgets nothing', async () => {
    const totals = 'pk_total_num_blocks pk_total_num_snarks pk_total_num_user_commands'
    const query = `{
      accounts { publicKey balance nonce ${totals} }
      stakes(query: {ledgerHash: "${nextEpoch.ledgerHash}"}) { public_key balanceNanomina }
    }`
    for (const behind of [0, 3]) {
      expect(await askIndexer(short, query, { behind })).toEqual(await askIndexer(whole, query, { behind }))
    }
  })
})
