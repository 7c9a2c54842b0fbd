// Deposits of an exchange on an embedded chain: the client's `deposits` through what a chain does to it.
import MinaSigner from 'mina-signer'
import { creditDeposits, type DepositStore } from '../../packages/client/examples/deposits.ts'
import { type Cursor, createClient, type Deposit } from '../../packages/client/src/client.ts'
import type { Chain } from '../../packages/testnet/chain.ts'
import { accountCreationFee, nanominaPerMina } from '../../packages/testnet/ledger/ledger.ts'
import { createSigner } from '../../packages/testnet/signer.ts'
import { createZkappCommand, minaUpdate } from '../../packages/testnet/zkapp-command.ts'
import { startService } from '../start/service.ts'
import { type Signer, signedPayment } from './signing.ts'

const blockMs = 10_000
const confirmations = 15
const zkappKeys = 4
const fee = 10_000_000n

/** The outcome of the deposits: counts, and nanomina. */
export interface DepositTable {
  readonly addresses: number
  readonly paid: { readonly byPayments: number; readonly byZkappCommands: number; readonly nanomina: bigint }
  /** Commands that failed on the chain, and what they would have paid. */
  readonly failed: number
  readonly credited: { readonly deposits: number; readonly nanomina: bigint }
  /** By the reorganisation that went deeper than the confirmations; they were credited again later. */
  readonly takenBack: number
  readonly twice: number
  readonly missed: number
  /** Addresses whose balance on the chain is what was credited, less the fee for a new account. */
  readonly reconciled: number
}

/** A database that can lose its connection in the middle. */
function memoryStore() {
  let kept: { readonly cursor: Cursor | undefined; readonly deposits: ReadonlyMap<string, Deposit> } = {
    cursor: undefined,
    deposits: new Map(),
  }
  const counts = { takenBack: 0, steps: 0 }
  const fault = { isNext: false }
  const commit = (cursor: Cursor, deposits: ReadonlyMap<string, Deposit>) => {
    if (fault.isNext) {
      fault.isNext = false
      throw new Error('the program ended before its database had committed')
    }
    kept = { cursor, deposits }
    counts.steps += 1
  }
  const store: DepositStore = {
    cursor: async () => kept.cursor,
    credit: async (found, cursor) => {
      const isNew = ({ id }: Deposit) => !kept.deposits.has(id)
      commit(cursor, new Map([...kept.deposits, ...found.filter(isNew).map((each) => [each.id, each] as const)]))
    },
    takeBack: async (stateHash, cursor) => {
      const left = [...kept.deposits].filter(([, deposit]) => deposit.stateHash !== stateHash)
      counts.takenBack += kept.deposits.size - left.length
      commit(cursor, new Map(left))
    },
  }
  return { store, counts, fault, deposits: () => [...kept.deposits.values()] }
}

/**
 * Pays every address once, by payments and by zkApp commands, while the chain reorganises twice, commands fail, the node is
 * gone for a while and the program ends in the middle; credits by the client, and compares with the balances on the chain.
 *
 * @param print receives each line
 */
export async function demonstrateDeposits(
  addresses = 1000,
  print: (line: string) => void = console.log,
): Promise<DepositTable> {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const options = { now: () => clock.now, repeat: () => () => undefined, log: () => undefined }
  const service = await startService(options)
  try {
    const { chain, url } = service
    if (!chain) throw new Error('the service has no chain')
    const produce = () => {
      clock.now += blockMs
      chain.produceBlock()
    }
    return await credited({ chain, url, addresses, produce, print })
  } finally {
    await service.close()
  }
}

interface Stage {
  readonly chain: Chain
  readonly url: string
  readonly addresses: number
  readonly produce: () => void
  readonly print: (line: string) => void
}

async function credited({ chain, url, addresses, produce, print }: Stage): Promise<DepositTable> {
  const keys = Array.from(
    { length: addresses },
    (_, index) => createSigner(chain.network).keyPair('deposits', `address ${index}`).publicKey,
  )
  const payments = keys.filter((_, index) => index % (zkappKeys + 1) === 0)
  const groups = payments.map((_, index) => keys.slice(index * (zkappKeys + 1) + 1, (index + 1) * (zkappKeys + 1)))
  const amountOf = (key: string) => BigInt(2 + keys.indexOf(key)) * nanominaPerMina + 1n
  const mina = new MinaSigner({ network: chain.network })
  const walletNamed = (name: string): Signer => {
    const wallet = chain.wallets.find((each) => each.name === name)
    if (wallet === undefined) throw new Error(`no wallet ${name}`)
    return { ...wallet, nonce: 0, fee }
  }
  const [payer, zkapp] = [walletNamed('dave'), walletNamed('oscar')]
  const [nextNonce, nextZkappNonce] = [counter(), counter()]
  const { store, counts, fault, deposits } = memoryStore()

  async function pay(to: string, amount: bigint): Promise<void> {
    const terms = { amount: String(amount), nonce: nextNonce() }
    const { signed } = signedPayment(mina, payer, to, terms)
    const answer = await fetch(`${url}/broadcast/transaction`, { method: 'POST', body: JSON.stringify(signed) })
    if (answer.status !== 201) throw new Error(`a payment was answered with ${answer.status}: ${await answer.text()}`)
  }
  const payByZkapp = (to: readonly string[], fails = false) => {
    const sum = to.reduce((total, key) => total + amountOf(key), 0n)
    const updates = [minaUpdate(zkapp.publicKey, -sum), ...to.map((key) => minaUpdate(key, amountOf(key), true))]
    const payment = { from: zkapp.publicKey, fee, nonce: nextZkappNonce() }
    chain.queueZkapp(createZkappCommand(payment, { updates, memo: 'deposits', fails }))
  }
  const ours = new Set(keys)
  /** The program, from its start until nothing is left to do, or it meets trouble. */
  const run = async () => {
    const controller = new AbortController()
    const wait = async () => controller.abort()
    const clock = { now: Date.now, random: Math.random, wait }
    const client = createClient({ baseUrl: url, network: chain.network, retries: 0, clock })
    const [before, stepsBefore] = [deposits().length, counts.steps]
    const ended = await creditDeposits(client, ours, store, controller.signal).catch((error: Error) => error)
    if (ended) print(`  the program: ${ended.message}`)
    const steps = counts.steps - stepsBefore
    const { height } = chain.tip()
    print(
      `  height ${height}: ${steps} ${steps === 1 ? 'step' : 'steps'}, ${deposits().length - before} deposits, ${deposits().length} in all`,
    )
  }

  print(`The service answers at ${url}; ${addresses} addresses, credited under ${confirmations} blocks`)
  await run()
  const perBlock = Math.ceil(payments.length / 20)
  for (let made = 0; made < 20; made++) {
    for (const key of payments.slice(made * perBlock, (made + 1) * perBlock)) await pay(key, amountOf(key))
    for (const group of groups.slice(made * perBlock, (made + 1) * perBlock)) if (group.length > 0) payByZkapp(group)
    if (made === 3) {
      print('  a payment too small to make an account, and a zkApp command whose precondition fails')
      await pay(mina.genKeys().publicKey, accountCreationFee - 1n)
      payByZkapp(keys.slice(0, 3), true)
    }
    produce()
    if (made === 6) {
      print('  a reorganisation orphans the last 3 blocks')
      chain.reorganise(3)
    }
    if (made === 17) fault.isNext = true
    await run()
  }
  print('  the node has no chain for a while')
  chain.bootstrapping = true
  await run()
  chain.bootstrapping = false
  for (let made = 0; made < 6; made++) produce()
  await run()
  print(`  a reorganisation orphans the last ${confirmations + 3} blocks, deeper than the confirmations`)
  chain.reorganise(confirmations + 3)
  for (let made = 0; made <= confirmations; made++) produce()
  await run()

  const found = deposits()
  const paidTo = new Map<string, number>()
  for (const { publicKey } of found) paidTo.set(publicKey, (paidTo.get(publicKey) ?? 0) + 1)
  const sumOf = (key: string) => found.reduce((sum, each) => (each.publicKey === key ? sum + each.amount : sum), 0n)
  const table: DepositTable = {
    addresses,
    paid: {
      byPayments: payments.length,
      byZkappCommands: addresses - payments.length,
      nanomina: keys.reduce((sum, key) => sum + amountOf(key), 0n),
    },
    failed: failedSince(chain, [payer.publicKey, zkapp.publicKey]),
    credited: { deposits: found.length, nanomina: found.reduce((sum, { amount }) => sum + amount, 0n) },
    takenBack: counts.takenBack,
    twice: keys.filter((key) => (paidTo.get(key) ?? 0) > 1).length,
    missed: keys.filter((key) => !paidTo.has(key)).length,
    reconciled: keys.filter((key) => chain.account(key)?.balance === sumOf(key) - accountCreationFee).length,
  }
  printTable(table, print)
  return table
}

function counter(): () => number {
  let next = 0
  return () => next++
}

/** Commands of these senders that failed in blocks of the best chain. */
const failedSince = (chain: Chain, senders: readonly string[]): number =>
  chain
    .bestChain()
    .flatMap(({ userCommands, zkappCommands }) => [
      ...userCommands.filter(({ failureReason }) => failureReason !== null).map(({ command }) => command.from),
      ...zkappCommands.filter(({ failures }) => failures !== null).map(({ from }) => from),
    ])
    .filter((from) => senders.includes(from)).length

const minaOf = (nanomina: bigint): string =>
  `${nanomina / nanominaPerMina}.${String(nanomina % nanominaPerMina).padStart(9, '0')}`

function printTable(table: DepositTable, print: (line: string) => void): void {
  const { addresses, paid, failed, credited, takenBack, twice, missed, reconciled } = table
  const rows: readonly (readonly [string, string | number])[] = [
    ['addresses', addresses],
    ['paid by payments', paid.byPayments],
    ['paid by zkApp commands', paid.byZkappCommands],
    ['commands that failed on the chain', failed],
    ['taken back, and credited again', takenBack],
    ['credited', credited.deposits],
    ['credited twice', twice],
    ['missed', missed],
    ['paid, MINA', minaOf(paid.nanomina)],
    ['credited, MINA', minaOf(credited.nanomina)],
    ['balances that are the credit less 1 MINA', reconciled],
  ]
  print('')
  for (const [name, value] of rows) print(`  ${name.padEnd(42)}${String(value).padStart(20)}`)
}
