import { describe, expect, test } from '@jest/globals'
import Client from 'mina-signer'
import { createChain } from '../../../local/chain/chain.ts'
import { totalCurrency } from '../../../local/chain/ledger/ledger.ts'
import { startMs, startSession } from './session.ts'

const options = { seed: 'history', now: () => startMs }
const chain = createChain(options)
const history = chain.bestChain()
const [genesis] = history

/** The currency that a block creates or burns, computed from the block alone. */
const minted = (
  { userCommands, coinbaseReceiverAccount, coinbase }: (typeof history)[number],
  created: number,
): bigint =>
  (coinbaseReceiverAccount === null || userCommands.length === 0 ? 0n : coinbase) - BigInt(created) * 1_000_000_000n

describe('the history', () => {
  test('depends on seed and clock only, down to the ids', () => {
    expect(createChain(options).bestChain()).toEqual(history)
  })

  test('differs for another seed', () => {
    const other = createChain({ ...options, seed: 'other' })
    expect(other.tip().stateHash).not.toBe(chain.tip().stateHash)
    expect(other.wallets[0]?.publicKey).not.toBe(chain.wallets[0]?.publicKey)
    expect(other.chainId).not.toBe(chain.chainId)
  })

  test('keeps its hashes when only the clock differs', () => {
    const later = createChain({ ...options, now: () => startMs + 86_400_000 })
    expect(later.bestChain().map(({ stateHash }) => stateHash)).toEqual(history.map(({ stateHash }) => stateHash))
  })

  test('has heights from 1, each block on top of the one before', () => {
    expect(history.map(({ height }) => height)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
    expect(history.slice(1).map(({ previousStateHash }) => previousStateHash)).toEqual(
      history.slice(0, -1).map(({ stateHash }) => stateHash),
    )
  })

  test('ends in the slot of now, with a block in most slots', () => {
    const tip = chain.tip()
    expect(tip.date).toBe(startMs - 3_000)
    expect(tip.slot).toBe(chain.currentSlot())
    expect(history.every(({ slot, date }) => date === chain.genesisTimestamp + slot * 10_000)).toBe(true)
    const steps = history.slice(1).map(({ slot }, index) => slot - (history[index]?.slot ?? 0))
    expect(new Set(steps)).toEqual(new Set([1, 2]))
  })

  test('has a payment, a fee transfer and a snark job with work ids in every block after genesis', () => {
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
      noCoinbase: last.some(({ coinbaseReceiverAccount }) => coinbaseReceiverAccount === null),
      viaCoinbase: last.some(({ feeTransfers }) =>
        feeTransfers.some(({ type }) => type === 'Fee_transfer_via_coinbase'),
      ),
      otherReceiver: last.some(({ creator, coinbaseReceiver }) => creator !== coinbaseReceiver),
      otherWinner: last.some(({ creator, winner }) => creator !== winner),
      newEpoch: new Set(last.map(({ epoch }) => epoch)),
    }).toEqual({
      delegations: true,
      failures: new Set([null, 'Amount_insufficient_to_create_account']),
      zkappCommands: new Set([0, 2]),
      noCoinbase: true,
      viaCoinbase: true,
      otherReceiver: true,
      otherWinner: true,
      newEpoch: new Set([0, 1]),
    })
  })

  test('begins with a genesis block without commands and rewards', () => {
    expect(genesis).toMatchObject({
      userCommands: [],
      feeTransfers: [],
      snarkJobs: [],
      coinbaseReceiverAccount: null,
      coinbase: 720_000_000_000n,
      slot: 0,
    })
  })

  test('never uses the test wallets: their nonces stay 0', () => {
    const nonces = chain.wallets.map(({ publicKey }) => chain.account(publicKey)?.nonce)
    expect(nonces).toEqual(chain.wallets.map(() => 0))
  })

  test('signs its own commands with valid signatures', () => {
    const [included] = chain.tip().userCommands
    const bytes = Buffer.from(included?.command.id ?? '', 'base64').subarray(-64)
    const integer = (part: Buffer) => BigInt(`0x${Buffer.from(part).reverse().toString('hex')}`).toString()
    const { from = '', to = '', amount, fee, nonce, memo = '' } = included?.command ?? {}
    const data = { from, to, amount: String(amount), fee: String(fee), nonce: String(nonce), memo }
    const signature = { field: integer(bytes.subarray(0, 32)), scalar: integer(bytes.subarray(32)) }
    expect(new Client({ network: 'testnet' }).verifyPayment({ data, publicKey: from, signature })).toBe(true)
  })
})

describe('the currency', () => {
  test('is the sum of all balances, and changes by coinbases and creation fees only', () => {
    const { chain: growing, advance } = startSession({ historyBlocks: 1 })
    let accounts = growing.ledger().size
    for (let made = 0; made < 60; made++) {
      const before = growing.tip().totalCurrency
      advance(10_000)
      const block = growing.produceBlock()
      const created = growing.ledger().size - accounts
      accounts = growing.ledger().size
      expect(block.totalCurrency).toBe(totalCurrency(growing.ledger()))
      expect(block.totalCurrency - before).toBe(minted(block, created))
    }
    expect(accounts).toBeGreaterThan(24)
  })

  test('always exceeds the integers that a JSON number holds exactly', () => {
    expect(history.every(({ totalCurrency }) => totalCurrency > 2n ** 53n)).toBe(true)
  })
})

describe('the test wallets', () => {
  const client = new Client({ network: 'testnet' })

  test('have keys that a wallet can import', () => {
    expect(chain.wallets.map(({ privateKey }) => client.derivePublicKey(privateKey))).toEqual(
      chain.wallets.map(({ publicKey }) => publicKey),
    )
  })

  test('are at least ten, some time-locked, an untimed one above 2^53, some delegating to another', () => {
    const accounts = chain.wallets.map(({ publicKey }) => chain.account(publicKey))
    const keys = new Set(chain.wallets.map(({ publicKey }) => publicKey))
    expect(accounts.length).toBeGreaterThanOrEqual(10)
    expect(accounts.filter((account) => account?.timing != null).length).toBeGreaterThanOrEqual(2)
    expect(accounts.some((account) => account?.timing === null && account.balance > 2n ** 53n)).toBe(true)
    const toEachOther = accounts.filter((one) => one && one.delegate !== one.publicKey && keys.has(one.delegate))
    expect(toEachOther.length).toBeGreaterThanOrEqual(3)
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
      const lastBefore = blocks.findLast((block) => block.epoch === epoch - 1)
      const staking = short.stakingLedger(epoch)
      const hashes = blocks.filter((block) => block.epoch === epoch).map(({ stakingEpoch }) => stakingEpoch.ledgerHash)
      expect(new Set(hashes)).toEqual(new Set([lastOfEarlier?.stagedLedgerHash]))
      expect(staking).toMatchObject({ epoch, ledgerHash: lastOfEarlier?.stagedLedgerHash })
      expect(totalCurrency(staking?.accounts ?? new Map())).toBe(lastOfEarlier?.totalCurrency)
      expect(lastBefore?.nextEpoch.ledgerHash).toBe(lastOfEarlier?.stagedLedgerHash)
    }
    expect(short.stakingLedger(5)?.ledgerHash).toBe(short.tip().nextEpoch.ledgerHash)
    expect(short.stakingLedger(6)).toBeUndefined()
    expect(short.stakingLedgerByHash(short.tip().stakingEpoch.ledgerHash)).toBe(short.stakingLedger(4)?.accounts)
  })

  test('without a block counts in the epoch number but not in the epoch count', () => {
    const { chain: sparse, advance } = startSession({ slotsPerEpoch: 5, historyBlocks: 1 })
    advance(130_000)
    expect(sparse.produceBlock()).toMatchObject({ slot: 13, epoch: 2, epochCount: 1 })
  })
})

describe('a new block', () => {
  test('has the slot of now, or the next free one', () => {
    const { chain: live, advance } = startSession()
    const { slot } = live.tip()
    advance(35_000)
    const slots = [live.produceBlock(), live.produceBlock()].map((block) => block.slot - slot)
    expect(slots).toEqual([3, 4])
  })

  test('lowers the window density after slots without a block', () => {
    const { chain: live, advance } = startSession()
    const before = live.tip().minWindowDensity
    advance(1_000_000)
    expect(live.produceBlock().minWindowDensity).toBeLessThan(before - 70)
  })
})
