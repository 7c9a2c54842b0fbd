// Seeded nights before the exchange's programs of docs/recipes.md: their books are lost or older copies, payments are made by hand,
// an indexer comes and goes, and a tired person decides wrongly. In the morning a rested one answers what is asked. No order may be
// paid twice, and none may stay unpaid.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { createRandom, integerBetween, pick } from '../../packages/testnet/random.ts'
import { memoFromText } from '../../shared/mapping/command.ts'
import { temporaryFolder } from '../serving.ts'
import {
  describePrograms,
  moreRounds,
  type Payment,
  paymentHash,
  paymentOf,
  receiver,
  serviceOf,
  standing,
} from './exchange-service.ts'

const memos = ['a', 'b'] as const
/** What orders and payments must share, beside the receiver. */
const termsOf = ({ amount, memo }: { readonly amount: number | string; readonly memo: string }) =>
  `${amount} ${memos.find((text) => memoFromText(text) === memo) ?? memo}`

describePrograms(({ language, testOfProgram, programAt }) => {
  /** A night, and the world in which it passes. */
  async function nightOf(seed: number) {
    const random = createRandom(`night ${seed}`)
    const chance = (share: number) => random() < share
    let tip = 100
    const { url, paid, counts } = await serviceOf(() => standing(tip))
    Object.assign(paid, { sent: 'waits', showsReplaced: true, areFinal: 29, kept: 20, hasIndexer: chance(0.6) })
    const folder = temporaryFolder()
    const file = join(folder, 'orders.jsonl')
    const program = programAt(url, 0, folder)
    const orders: { readonly id: string; readonly to: string; readonly amount: string; readonly memo: string }[] = []
    const byHand = new Set<Payment>()
    let copies: string[] = []
    const append = (line: object) => program.order([line])
    /** Brings the chain forward, and what waits into its next block. */
    const grow = (blocks: number) => {
      tip += blocks
      const waiting = paid.payments
        .filter(({ height }) => !height)
        .sort((one, other) => one.command.nonce - other.command.nonce || other.command.fee - one.command.fee)
      for (const each of waiting) {
        const rival = paid.payments.find(({ command, height }) => height && command.nonce === each.command.nonce)
        if (rival) paid.payments.splice(paid.payments.indexOf(each), 1)
        else each.height = tip
      }
    }
    const places: Readonly<Record<string, () => void | Promise<void>>> = {
      order() {
        const one = {
          id: `o${orders.length}`,
          to: receiver,
          amount: `${integerBetween(random, 7, 8)}`,
          memo: pick(random, memos),
        }
        orders.push(one)
        append(one)
      },
      blocks: () => grow(pick(random, [1, 1, 3, 12, 25, 40])),
      async copy() {
        await program.kill()
        const copy = temporaryFolder()
        program.copyBooks(copy)
        copies.push(copy)
        program.start()
      },
      async restore() {
        await program.kill()
        const isLost = copies.length === 0 || chance(0.35)
        program.restoreBooks(isLost ? undefined : pick(random, copies))
        if (isLost) copies = []
        // The decisions may be lost too.
        if (isLost && chance(0.4)) writeFileSync(file, readFileSync(file, 'utf8').replace(/^(?!\{"id").*\n/gm, ''))
        program.start(...(chance(0.25) ? ['--fresh'] : []))
      },
      byHand() {
        const [nonce, memo] = [
          1 + Math.max(-1, ...paid.payments.map(({ command }) => command.nonce)),
          pick(random, memos),
        ]
        const command = paymentOf({
          nonce,
          memo,
          amount: integerBetween(random, 7, 9),
          hash: paymentHash(`by hand ${nonce}`),
        })
        byHand.add(command)
        paid.payments.push({ command, pool: 'every' })
        if (chance(0.5)) grow(1)
      },
      indexer() {
        paid.hasIndexer = !paid.hasIndexer
      },
      mistake() {
        const { foreign = [] } = program.books()
        const order = pick(random, orders).id
        const decide = (decided: object) => ({ ...decided, ...(chance(0.4) ? { foreign: true } : { order }) })
        const lines: object[] = [{ cancel: order }, { raise: order }]
        if (program.adopt().some((line) => line.includes('{"start": 0}')))
          for (let more = 0; more < 4; more++) lines.push({ start: integerBetween(random, 0, paid.payments.length) })
        for (const { hash, nonce } of foreign)
          lines.push(hash ? decide({ adopt: hash }) : { adoptNonce: nonce, foreign: true })
        for (const { command } of paid.payments) if (chance(0.2)) lines.push(decide({ adopt: command.hash }))
        const line = pick(random, lines)
        append(line)
        if (chance(0.2)) append(line)
      },
    }
    const names = [
      ...Array(3).fill('order'),
      ...Array(3).fill('blocks'),
      'copy',
      ...Array(3).fill('restore'),
      'byHand',
      'indexer',
      ...Array(4).fill('mistake'),
    ]
    const made = () => paid.payments.map(({ command }) => command).filter((command) => !byHand.has(command))
    return {
      ...{ program, orders, made, byHand, grow, paid },
      rounds: () => moreRounds(counts, 4),
      async pass() {
        program.start()
        await places.order?.()
        for (let left = integerBetween(random, 8, 16); left > 0; left--) {
          await places[pick(random, names)]?.()
          await moreRounds(counts, 4)
        }
        paid.hasIndexer = true
      },
    }
  }

  type Night = Awaited<ReturnType<typeof nightOf>>

  /** What is wrong in the end. */
  function wrongsOf({ program, orders, made }: Night): readonly string[] {
    const { withdrawals, foreign } = program.books()
    const stateOf = ({ id }: { readonly id: string }) => withdrawals[id]?.state ?? ''
    const open = orders.filter((order) => !/^(?:paid|cancelled)$/.test(stateOf(order)))
    const counts = [...new Set([...orders, ...made()].map(termsOf))].map((terms) => {
      const alike = orders.filter((order) => termsOf(order) === terms)
      const least = alike.filter((order) => stateOf(order) === 'paid').length
      const nonces = new Set(made().flatMap((command) => (termsOf(command) === terms ? [command.nonce] : [])))
      const isRight = nonces.size >= least && nonces.size <= alike.length
      return isRight ? [] : [`${terms}: ${nonces.size} payments for ${least} to ${alike.length} orders`]
    })
    return [
      ...open.map((order) => `${order.id} is ${stateOf(order)}`),
      ...(foreign ? ['foreign'] : []),
      ...counts.flat(),
    ]
  }

  /**
   * The lines with which a rested person answers what is open; none where the chain must go on first.
   *
   * @param byNonce what an earlier line has said of a nonce can only be said anew of the nonce
   */
  function answersTo({ program, orders, made, byHand, paid }: Night, byNonce: boolean): readonly object[] {
    const { foreign = [], withdrawals } = program.books()
    if (program.adopt().some((line) => line.includes('{"start": 0}'))) return [{ start: 0 }]
    const inBlock = (nonce: number | undefined) =>
      paid.payments.find(({ command, height }) => height && command.nonce === nonce)?.command
    const nameOf = ({ hash, nonce }: Payment) => (byNonce ? { adoptNonce: nonce } : { adopt: hash })
    const of = ({ id }: { readonly id: string }) => withdrawals[id]
    for (const order of orders) {
      const own = inBlock(of(order)?.nonce)
      const isWrong = own && (byHand.has(own) || termsOf(own) !== termsOf(order))
      if (isWrong && !/replaced/.test(of(order)?.state ?? '')) return [{ ...nameOf(own), foreign: true }]
    }
    const used = new Set(Object.values(withdrawals).map(({ nonce }) => nonce))
    const unpaid = orders.filter((order) => !inBlock(of(order)?.nonce))
    const asked = foreign.find(({ hash }) => hash !== undefined)
    const decided = asked
      ? paid.payments.map(({ command }) => command).filter(({ hash }) => hash === asked.hash)
      : made()
    for (const command of decided) {
      if (byHand.has(command)) return [{ adopt: command.hash, foreign: true }]
      const alike = orders.filter((each) => termsOf(each) === termsOf(command))
      // Its bids of before may be among those that lost.
      const order =
        alike.find((each) => asked && of(each)?.nonce === command.nonce) ?? alike.find((each) => unpaid.includes(each))
      if (order && (asked || !used.has(command.nonce))) return [{ ...nameOf(command), order: order.id }]
    }
    if (asked || paid.payments.some(({ height }) => !height)) return []
    const held = unpaid.find((order) => of(order)?.isHeld && of(order)?.state !== 'cancelled')
    if (held) return [{ pay: held.id }]
    const dead = orders.find((order) => /^(?:replaced|refused)$/.test(of(order)?.state ?? ''))
    if (dead === undefined) return []
    const again = { ...dead, id: `${dead.id} again` }
    orders.splice(orders.indexOf(dead), 1, again)
    return [{ cancel: dead.id }, again]
  }

  testOfProgram.each(Array.from({ length: language === 'go' ? 12 : 3 }, (_, seed) => seed))(
    'pays each order once through night %s',
    async (seed) => {
      const night = await nightOf(seed)
      await night.pass()
      for (let turn = 0; turn < 60 && wrongsOf(night).length > 0; turn++) {
        night.grow(turn % 3 === 2 ? 30 : 1)
        await night.rounds()
        if (wrongsOf(night).length > 0) night.program.order(answersTo(night, turn % 4 === 3))
      }
      expect(wrongsOf(night)).toEqual([])
    },
  )
})
