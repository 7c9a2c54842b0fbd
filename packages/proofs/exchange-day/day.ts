// A day of an exchange: deposits and withdrawals through reorganisations, kills, an outage, raised fees and a hard fork, between
// orders that are wrong and signers that fail. In the end the program's books are compared with the balances of the chain, and its
// reports with the books.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import MinaSigner from 'mina-signer'
import type { Wallet } from '../../testnet/chain.ts'
import { createRandom, integerBetween } from '../../testnet/random.ts'
import { createSigner } from '../../testnet/signer.ts'
import { answersOf } from './answers.ts'
import { keyFilesOf } from './key-files.ts'
import { type Books, type ExchangeProgram, isOpen } from './program.ts'
import { reportDifferences } from './reports.ts'
import { endOfSecond } from './second-program.ts'
import { ask, hotWallet, type Stage, walletOf } from './stage.ts'
import { startTroubles, type TroublesTable } from './troubles.ts'

export const network = 'testnet'

export interface Plan {
  readonly keys: number
  /** Of the keys, those that zkApp commands pay. */
  readonly byZkapp: number
  readonly withdrawals: number
  /** Depths, in the order of the day. */
  readonly reorganisations: readonly number[]
  readonly kills: number
  readonly outageMs: number
  readonly hasFork: boolean
  readonly hasTroubles: boolean
  /** How often an older copy of the books is restored. */
  readonly restores: number
}

/** Counts, and nanomina. */
export interface DayTable {
  readonly keys: number
  /** Of the keys, those whose deposits are their balance on the chain and the fee for the account. */
  readonly keysEqual: number
  readonly credited: string
  readonly deposits: string
  readonly withdrawals: Readonly<Record<string, number>>
  readonly raised: number
  /** Of the wallet on the chain, less what the books say that it has. */
  readonly walletDifference: string
  readonly reorganisations: number
  readonly kills: number
  readonly restores: number
  /** Exit codes other than 3 of second programs on the folder. */
  readonly secondEnds: readonly (number | null)[]
  /** Expected lines about keys.txt that the program did not print. */
  readonly unnamedKeys: readonly string[]
  /** What the days' reports have otherwise than books or chain. */
  readonly reportDifferences: readonly string[]
  /** The orders that are wrong, and those whose signer fails. */
  readonly troubles?: TroublesTable
}

/** Each tenth withdrawal is raised as soon as it is ordered, the first one too. */
const raisedEvery = 10

/** How many withdrawals of a day have a raised fee. */
export const raisedIn = ({ withdrawals }: Plan): number => Math.ceil(withdrawals / raisedEvery)

const fee = 10_000_000n
const accountFee = 1_000_000_000n

/** The wallets that pay deposits. */
const payerNames = ['alice', 'bob'] as const

/** @returns the node's own answer, past the service; undefined without an account */
async function balanceOf({ nodeUrl }: Stage, publicKey: string): Promise<bigint | undefined> {
  const query = `{ account(publicKey: "${publicKey}") { balance { total } } }`
  const headers = { 'content-type': 'application/json' }
  const answer = await ask(nodeUrl, { method: 'POST', headers, body: JSON.stringify({ query }) })
  const { data } = (await answer.json()) as { data: { account: { balance: { total: string } } | null } }
  return data.account === null ? undefined : BigInt(data.account.balance.total)
}

/** Pays from one wallet: what it signed is sent in the order of nonces, and again where the chain has lost it. */
function payer(stage: Stage, wallet: Wallet) {
  const signer = new MinaSigner({ network })
  const bodies: string[] = []
  return {
    pay(to: string, amount: bigint) {
      const terms = { from: wallet.publicKey, to, amount, fee, nonce: bodies.length }
      const signed = signer.signPayment(terms, wallet.privateKey)
      bodies.push(JSON.stringify(signed, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
    },
    /** @returns true where a block has each of them */
    async send(): Promise<boolean> {
      const found = await ask(`${stage.url}/accounts/${wallet.publicKey}`).then(
        async (answer) => (answer.ok ? ((await answer.json()) as Account).account : undefined),
        () => undefined,
      )
      for (const body of found ? bodies.slice(found.nextNonce) : []) {
        const answer = await ask(`${stage.url}/broadcast/transaction`, { method: 'POST', body }).catch(() => undefined)
        if (answer?.status !== 201) break
      }
      return found?.nonce === bodies.length
    },
  }
}

interface Account {
  readonly account: { readonly nonce: number; readonly nextNonce: number }
}

/** For what a program has to do by itself, perhaps on a busy machine. */
const waitMs = 240_000

/**
 * @param program not yet started, with no key and no order
 * @param print receives each line
 * @throws Error where the books are not closed in time
 */
export async function exchangeDay(
  stage: Stage,
  program: ExchangeProgram,
  plan: Plan,
  print: (line: string) => void,
): Promise<DayTable> {
  const random = createRandom('exchange day')
  let said = ''
  program.onLine = (text) => {
    said += text
  }
  const hot = hotWallet(stage)
  const keys = Array.from(
    { length: plan.keys },
    (_, index) => createSigner(network).keyPair('exchange day', `${index}`).publicKey,
  )
  const payers = payerNames.map((name) => payer(stage, walletOf(stage, name)))
  const walletBefore = (await balanceOf(stage, hot.publicKey)) ?? 0n
  const control = async (path: string) => {
    const answer = await ask(`${stage.controlUrl}/${path}`, { method: 'POST' })
    return answer.ok
  }
  const tick = async () => {
    await sleep(stage.blockMs)
    for (const each of payers) await each.send()
  }
  let [deposited, counter] = [0n, 0]
  const pay = (key: string, amount: bigint) => {
    payers[counter++ % payers.length]?.pay(key, amount)
    deposited += amount
  }

  const keyFiles = keyFilesOf(keys, hot)
  const writeKeys = (index: number) => program.writeKeys(keyFiles[index % keyFiles.length]?.bytes ?? '')
  writeKeys(0)
  program.start()
  // It credits nothing from before its first block.
  let firstHeight: number | null = null
  while (!firstHeight) {
    await tick()
    firstHeight = program.books().height
  }
  const orderOf = (index: number) => ({
    id: `w${index}`,
    to: walletOf(stage, 'judy').publicKey,
    amount: String(1_000_000_000n + BigInt(integerBetween(random, 1, 999_999_999))),
    memo: `withdrawal ${index}`,
  })
  const orders = Array.from({ length: plan.withdrawals }, (_, index) => orderOf(index))
  const raisedOrders = new Set(orders.filter((_, index) => index % raisedEvery === 0))
  const until = async (isSo: (books: Books, words: string) => boolean) => {
    const deadline = Date.now() + waitMs
    while (!isSo(program.books(), said)) {
      if (program.hasEnded || Date.now() > deadline) throw new Error(`waited in vain: ${isSo}\n${said.slice(-2000)}`)
      await tick()
    }
  }
  const wallet = { publicKey: hot.publicKey, balance: walletBefore }
  const troubles = plan.hasTroubles && orders[0] ? startTroubles(program, orders[0], wallet, until) : undefined
  const zkappKeys = keys.slice(0, plan.byZkapp)
  const [poorKey = '', ...paidKeys] = keys.slice(plan.byZkapp)
  // Less than an account costs, so the payment fails.
  payers[0]?.pay(poorKey, accountFee / 2n)
  const amountOf = (index: number) => 2_000_000_000n + BigInt(index) * 7n + 1n

  const steps = Math.max(plan.reorganisations.length, plan.kills, 4)
  const share = <Item>(all: readonly Item[], step: number) =>
    all.slice(Math.floor((step * all.length) / steps), Math.floor(((step + 1) * all.length) / steps))
  const forkStep = Math.max(3, Math.floor(steps / 2))
  /** Spread over the day, since a chain is too short for a deep one soon after its hard fork. */
  const depths = new Map(
    plan.reorganisations.map((depth, index) => [Math.floor((index * steps) / plan.reorganisations.length), depth]),
  )
  let [killed, reorganised, restored] = [0, 0, 0]
  const secondEnds: (number | null)[] = []
  const unnamedKeys: string[] = []
  /** Two steps of each part of the day: one after which the books are copied, and a later one that begins with that copy. */
  const copyAt = Array.from({ length: plan.restores }, (_, index) =>
    Math.floor(((index + 0.25) * steps) / plan.restores),
  )
  const keptSteps = Math.max(1, Math.floor(steps / 20))
  const copy = mkdtempSync(join(tmpdir(), 'copy-'))
  /** The program of an older copy asks, and a person answers with what it proposes. */
  const restore = async () => {
    const bidsIn = ({ withdrawals }: Books, id: string) => withdrawals[id]?.bids ?? 0
    const before = program.books()
    // The others may wait for a signer that is away.
    const signed = orders.filter(({ id }) => bidsIn(before, id) > 0)
    await program.kill()
    program.restoreBooks(copy)
    program.start()
    restored += 1
    const answers = answersOf(program)
    await until((books) => {
      answers.answer()
      return (books.foreign ?? []).length === 0 && signed.every(({ id }) => bidsIn(books, id) > 0)
    })
  }
  const payByZkapp = async (key: string) => {
    while (!(await control(`zkapp?to=${key}&amount=${amountOf(keys.indexOf(key))}`))) await tick()
    await tick()
  }
  const kill = async () => {
    if (killed >= plan.kills) return
    await sleep(integerBetween(random, 0, stage.blockMs))
    await program.kill()
    killed += 1
    program.start()
  }
  for (let step = 0; step < steps; step++) {
    if (copyAt.includes(step - keptSteps)) await restore()
    for (const key of share(paidKeys, step)) {
      const index = keys.indexOf(key)
      pay(key, amountOf(index))
      // Some are paid again.
      if (index % 7 === 0) pay(key, amountOf(index) + 1n)
    }
    const ordered = share(orders, step)
    const raised = ordered.filter((each) => raisedOrders.has(each))
    const goOn = raised.length > 0 ? stage.standStill?.() : undefined
    program.order(ordered.flatMap((each) => (raised.includes(each) ? [each, { raise: each.id }] : [each])))
    if (raised.length > 0) {
      await kill()
      await until(({ withdrawals }) => raised.every(({ id }) => withdrawals[id]?.bids === 2))
      secondEnds.push(await endOfSecond(program, program.another()))
    }
    goOn?.()
    const line = keyFiles[step % keyFiles.length]?.line
    writeKeys(step)
    if (line !== undefined) {
      await until((_, words) => words.includes(line)).catch(() => unnamedKeys.push(line))
    }
    await troubles?.order(step, steps)
    for (const key of share(zkappKeys, step)) {
      await payByZkapp(key)
      deposited += amountOf(keys.indexOf(key))
    }
    await tick()
    if (step === 1) {
      await control(`zkapp?to=${keys[0]}&amount=3000000000&fails=true`)
      await tick()
      await control(`zkapp?to=${keys[0]}&amount=3000000000&token=true`)
    }
    if (raised.length === 0) await kill()
    const depth = depths.get(step)
    if (depth !== undefined) {
      await tick()
      const isDone = await control(`reorganised?depth=${depth}`)
      if (isDone) reorganised += 1
      print(`  a reorganisation of ${depth} blocks${isDone ? '' : ' was not to be had'}`)
    }
    if (copyAt.includes(step)) {
      await program.kill()
      program.copyBooks(copy)
      program.start()
    }
    if (step === 2 && plan.outageMs > 0) {
      print(`  nothing answers for ${plan.outageMs / 1000} s`)
      await stage.outage(plan.outageMs)
    }
    if (step === forkStep && plan.hasFork) {
      print('  a hard fork: commands stop, and a new chain begins')
      await control('fork')
      for (let blocks = 0; blocks < 6; blocks++) await tick()
      await control('follow')
      // One in the discarded end of the old chain is in no pool of the new one.
      for (const key of zkappKeys.slice(0, Math.floor(((step + 1) * zkappKeys.length) / steps))) {
        if ((await balanceOf(stage, key)) === undefined) await payByZkapp(key)
      }
    }
  }

  const deadline = Date.now() + 400 * stage.blockMs + waitMs
  const isClosed = () => {
    const books = program.books()
    const hasEnded = orders.every(({ id }) => !isOpen(books.withdrawals[id]))
    const credited = Object.values(books.deposits).reduce((sum, each) => sum + BigInt(each), 0n)
    return hasEnded && credited >= deposited && (troubles?.isOver(books) ?? true)
  }
  while (!isClosed()) {
    if (program.hasEnded) throw new Error('the program has ended')
    if (Date.now() > deadline) break
    // Each look at the books starts the program anew.
    for (let blocks = 0; blocks < 3; blocks++) await tick()
  }
  await program.kill()
  rmSync(copy, { recursive: true })
  return comparedWithChain(stage, program, {
    keys,
    walletBefore,
    deposited,
    ids: orders.map(({ id }) => id),
    firstHeight,
    reorganisations: reorganised,
    kills: killed,
    ...{ restores: restored, secondEnds: secondEnds.filter((code) => code !== 3), unnamedKeys },
    ...(troubles && { troubles: troubles.table(program.books(), said, killed) }),
  })
}

interface Ended
  extends Pick<DayTable, 'reorganisations' | 'kills' | 'restores' | 'secondEnds' | 'unnamedKeys' | 'troubles'> {
  readonly keys: readonly string[]
  readonly walletBefore: bigint
  readonly deposited: bigint
  readonly ids: readonly string[]
  readonly firstHeight: number
}

async function comparedWithChain(stage: Stage, program: ExchangeProgram, ended: Ended): Promise<DayTable> {
  const books = program.books()
  const { deposits, withdrawals } = books
  let [keysEqual, credited] = [0, 0n]
  for (const key of ended.keys) {
    const balance = await balanceOf(stage, key)
    const onChain = balance === undefined ? 0n : balance + accountFee
    credited += BigInt(deposits[key] ?? 0)
    if (onChain === BigInt(deposits[key] ?? 0)) keysEqual += 1
  }
  const all = Object.values(withdrawals)
  const spent = all.reduce(
    (sum, { state, amount, fee: paid }) => sum + BigInt(paid ?? 0) + (state === 'paid' ? BigInt(amount) : 0n),
    0n,
  )
  const left = (await balanceOf(stage, hotWallet(stage).publicKey)) ?? 0n
  const states = Object.groupBy(ended.ids, (id) => withdrawals[id]?.state ?? 'waiting')
  const raised = all.filter(({ bids }) => bids > 1)
  return {
    keys: ended.keys.length,
    keysEqual,
    credited: String(credited),
    deposits: String(ended.deposited),
    withdrawals: Object.fromEntries(Object.entries(states).map(([state, found]) => [state, found?.length ?? 0])),
    raised: raised.length,
    walletDifference: String(left - (ended.walletBefore - spent)),
    reorganisations: ended.reorganisations,
    ...{ kills: ended.kills, restores: ended.restores, secondEnds: ended.secondEnds, unnamedKeys: ended.unnamedKeys },
    reportDifferences: await reportDifferences(stage.url, program, books, ended.firstHeight),
    ...(ended.troubles && { troubles: ended.troubles }),
  }
}
