// A chain on which many accounts are created, pay, fail, delegate and raise their fees, by payments and by zkApp commands. It
// reorganises and forks when its test says so.
import { type Chain, createChain } from '../../testnet/chain.ts'
import { neverExpires } from '../../testnet/command.ts'
import { createForkDay, type ForkDay } from '../../testnet/fork-day.ts'
import { accountCreationFee, type Ledger } from '../../testnet/ledger/ledger.ts'
import { createRandom, integerBetween, pick } from '../../testnet/random.ts'
import { createSigner, type KeyPair } from '../../testnet/signer.ts'
import { createZkappCommand, minaUpdate, transfer } from '../../testnet/zkapp-command.ts'
import { wholeChain } from './chain-truth.ts'

export interface BusyChain {
  readonly day: ForkDay
  /** Of the chain, ms since 1970; it passes with the blocks. */
  now(): number
  /** The keys whose whole money is in commands: no block or proof has paid them. */
  unrewarded(): readonly string[]
  /** Queues commands, and makes a block of them. */
  nextBlock(): void
  /** Discards that many empty blocks in a hard fork, which the indexer follows. */
  hardFork(discarded: number): void
  /** The sum of all changes of a key by commands, as the ledgers tell it: nanomina. */
  changeOf(publicKey: string): bigint
}

const milli = 1_000_000n

/** The accounts that a command of the whole chain created, apart from those for which another account of it paid. */
function paidForThemselves(chain: Chain, genesis: Ledger): ReadonlySet<string> {
  const existing = new Set(genesis.keys())
  const found = new Set<string>()
  const create = (publicKey: string, paysItself: boolean) => {
    if (existing.has(publicKey)) return
    existing.add(publicKey)
    if (paysItself) found.add(publicKey)
  }
  for (const { userCommands, zkappCommands } of wholeChain(chain)) {
    for (const { command, failureReason } of userCommands) if (failureReason === null) create(command.to, true)
    for (const { updates, failures } of zkappCommands) {
      if (failures !== null) continue
      for (const each of updates) create(each.publicKey, each.implicitAccountCreationFee)
    }
  }
  return found
}

/** @param accounts number of keys beside those of the embedded chain */
export function busyChain(seed: string, accounts: number, historyBlocks: number, blockSeconds = 10): BusyChain {
  const random = createRandom(seed)
  let now = Date.UTC(2026, 0, 1)
  const options = { seed, now: () => now, blockSeconds, slotsPerEpoch: 12, signsOwnCommands: false }
  const chain = createChain({ ...options, historyBlocks })
  const genesis = createChain({ ...options, historyBlocks: 0 }).ledger()
  const day = createForkDay(chain)
  const { node } = day
  const signer = createSigner(chain.network)
  const named = (...names: readonly string[]) => chain.wallets.filter(({ name }) => names.includes(name))
  const payers = named('carol', 'dave', 'erin', 'mallory')
  // Nobody signs their commands, which is ten times as quick.
  const zkappPayers = named('alice', 'bob')
  const keys = Array.from({ length: accounts }, (_, index) => signer.keyPair(seed, `account ${index}`))

  const upTo = (most: number) => BigInt(integerBetween(random, 1, most)) * milli

  function send(
    { publicKey: from, privateKey }: KeyPair,
    to: string,
    amount: bigint,
    fee: bigint,
    nonce: number,
  ): void {
    const kind = amount === 0n ? 'STAKE_DELEGATION' : 'PAYMENT'
    const payload = { from, to, amount, fee, nonce, memo: '', validUntil: neverExpires }
    const signature = signer.sign({ ...payload, kind }, privateKey)
    if (kind === 'PAYMENT') node.sendPayment(payload, signature)
    else node.sendDelegation(payload, signature)
  }

  /** A payment or a delegation; one in four with a raised fee. */
  function queueCommand(pair: KeyPair, to: string): void {
    const account = node.account(pair.publicKey)
    if (account === undefined) return
    const nonce = node.inferredNonce(account)
    // Small payments cannot create an account, and large ones may exceed the balance.
    const amount = integerBetween(random, 1, 6) === 1 ? 0n : upTo(5000)
    send(pair, to, amount, 2n * milli, nonce)
    if (integerBetween(random, 1, 4) === 1) send(pair, to, amount, 3n * milli, nonce)
  }

  /** Pays two keys. An account that does not exist pays for its creation, or its payer does. */
  function queueZkapp({ publicKey: from }: KeyPair): void {
    const account = node.account(from)
    if (account === undefined || node.pool(from).length > 0 || node.zkappPool(from).length > 0) return
    const newcomer = keys.find(({ publicKey }) => node.account(publicKey) === undefined)
    const amount = upTo(2000)
    const paid = newcomer && [minaUpdate(from, -amount - accountCreationFee), minaUpdate(newcomer.publicKey, amount)]
    const updates = [...transfer(from, pick(random, keys).publicKey, upTo(3000)), ...(paid ?? [])]
    const fails = integerBetween(random, 1, 5) === 1
    node.queueZkapp(createZkappCommand({ from, fee: 5n * milli, nonce: account.nonce }, { updates, fails }))
  }

  function step(): void {
    now += blockSeconds * 1000
    day.produceIfDue()
  }

  return {
    day,
    now: () => now,
    unrewarded() {
      const rewarded = new Set(
        wholeChain(node).flatMap(({ creator, coinbaseReceiver, feeTransfers }) => [
          ...[creator, coinbaseReceiver],
          ...feeTransfers.map(({ recipient }) => recipient),
        ]),
      )
      const named = [...genesis.keys(), ...node.ledger().keys(), ...keys.map(({ publicKey }) => publicKey)]
      return [...new Set(named)].filter((key) => !rewarded.has(key))
    },
    nextBlock() {
      const funded = keys.filter(({ publicKey }) => (node.account(publicKey)?.balance ?? 0n) > 100n * milli)
      const senders = [pick(random, payers), ...(funded.length > 0 ? [pick(random, funded)] : [])]
      for (const sender of senders) queueCommand(sender, pick(random, keys).publicKey)
      for (const payer of zkappPayers) queueZkapp(payer)
      step()
    },
    hardFork(discarded) {
      day.pause()
      for (let made = 0; made < discarded; made++) step()
      day.fork(discarded)
      day.follow()
    },
    changeOf(publicKey) {
      const gained = (node.account(publicKey)?.balance ?? 0n) - (genesis.get(publicKey)?.balance ?? 0n)
      return paidForThemselves(node, genesis).has(publicKey) ? gained + accountCreationFee : gained
    },
  }
}
