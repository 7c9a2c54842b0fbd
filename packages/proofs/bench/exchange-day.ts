// A day of an exchange whose programs are those of docs/recipes in Python and Go, before `npm start`: 500 keys, reorganisations
// as deep as 20 blocks, 100 kills, an outage of a minute, 100 withdrawals of which ten are raised, and a hard fork, between orders
// that are wrong and signers that fail. The books must equal the chain to the last nanomina, and the reports the books. Then older
// copies of the books are restored, fifty times: no order may be paid twice.
//
//   npm run bench -- exchange-day
//   npm run bench -- exchange-day --language python --quick
//   npm run bench -- exchange-day --only restores              one part: day, restores or second programs
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { exchangeDay, network, type Plan, raisedIn } from '../exchange-day/day.ts'
import { timesOfBooks } from '../exchange-day/many-orders.ts'
import { misreadMemos } from '../exchange-day/memos.ts'
import { commandOf, ExchangeProgram, hurried, type Language, languages } from '../exchange-day/program.ts'
import { restoredBooks } from '../exchange-day/restored-books.ts'
import { secondPrograms } from '../exchange-day/second-program.ts'
import { hotWallet, npmStart, type Stage } from '../exchange-day/stage.ts'
import { troubledSigner } from '../exchange-day/troubles.ts'

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, language: { type: 'string' }, only: { type: 'string' } },
})
/** Of the time that books take, for four times as many orders. */
const maxGrowth = 6
const whole: Plan = {
  ...{ keys: 500, byZkapp: 50, withdrawals: 100, reorganisations: [1, 3, 20, 2, 8, 13, 5, 20], kills: 100 },
  ...{ outageMs: 60_000, hasFork: true, hasTroubles: true, restores: 2 },
}
const short: Plan = {
  ...whole,
  keys: 60,
  byZkapp: 8,
  withdrawals: 12,
  reorganisations: [2, 20],
  kills: 4,
  outageMs: 5000,
}

const plan = options.quick ? short : whole

interface Place {
  readonly language: Language
  readonly stage: Stage
  /** A program that is not started yet. */
  programIn(folder: string): ExchangeProgram
}

function print(table: object): void {
  for (const [name, value] of Object.entries(table)) console.log(`    ${name.padEnd(20)} ${JSON.stringify(value)}`)
}

/** Each plays before a service of its own, and returns what is wrong. */
const parts: Readonly<Record<string, (place: Place, folder: string) => Promise<readonly unknown[]>>> = {
  async day({ language, stage, programIn }, folder) {
    const startedAt = performance.now()
    const program = programIn(folder)
    const misread = misreadMemos(program)
    const { troubles, ...table } = await exchangeDay(stage, program, plan, console.log)
    print({ ...table, ...troubles, misread, seconds: Math.round((performance.now() - startedAt) / 1000) })
    const [few = 0, many = 0] = timesOfBooks(language, programIn, [2000, 8000])
    console.log(`    books of 2,000 and of 8,000 orders: ${Math.round(few)} and ${Math.round(many)} ms`)
    const { keys, keysEqual, credited, deposits, withdrawals, raised, walletDifference, restores, kills } = table
    const { reorganisations } = table
    const shown = { keysEqual, credited, paid: withdrawals.paid, raised, walletDifference, restores, kills }
    const expected = { keysEqual: keys, credited: deposits, paid: plan.withdrawals, raised: raisedIn(plan) }
    const isExpected = isDeepStrictEqual(
      { ...shown, reorganisations, signedLater: troubles?.signedLater, waiting: troubles?.waiting },
      {
        ...{ ...expected, walletDifference: '0', restores: plan.restores, kills: plan.kills },
        ...{ reorganisations: plan.reorganisations.length, signedLater: ['paid'], waiting: ['cancelled', '0 bids'] },
      },
    )
    return [
      ...(isExpected ? [] : ['the books differ']),
      ...(many > maxGrowth * few ? ['books of many orders are slow'] : []),
      ...[...misread, ...table.reportDifferences, ...table.secondEnds, ...table.unnamedKeys],
      ...[...(troubles?.wrongInBooks ?? []), ...(troubles?.unnamed ?? []), ...(troubles?.unsaid ?? [])],
    ]
  },
  async restores({ stage, programIn }, folder) {
    const table = await restoredBooks(stage, programIn(folder), options.quick ? 2 : 50)
    print(table)
    return [...table.signedBeside, ...table.paidTwice, ...table.unpaid, ...table.unsettled, ...Array(table.invalid)]
  },
  async 'second programs'({ stage, programIn }, folder) {
    const table = await secondPrograms(stage, programIn(folder), options.quick ? 5 : 50, [1, 9])
    print(table)
    return [...table.wrongEnds, ...table.paidTwice, ...table.unpaid]
  },
}

for (const language of languages.filter((each) => options.language === undefined || each === options.language)) {
  for (const [name, play] of Object.entries(parts)) {
    if (options.only !== undefined && options.only !== name) continue
    const folder = mkdtempSync(join(tmpdir(), 'exchange-'))
    const command = commandOf(language, folder)
    if (command === undefined) {
      console.log(`${language}: not on this machine`)
      break
    }
    console.log(`${language}, ${name}:`)
    const stage = await npmStart(1)
    const { publicKey: from, privateKey } = hotWallet(stage)
    const setting = {
      ...{ url: stage.url, network, from, privateKey, confirmations: 15, pollSeconds: 0.5 },
      ...{ signer: troubledSigner, options: hurried[language] },
    }
    try {
      const programIn = (own: string) => new ExchangeProgram(command, own, setting)
      const wrong = await play({ language, stage, programIn }, folder)
      console.log(wrong.length === 0 ? '    right' : `    WRONG: ${JSON.stringify(wrong).slice(0, 2000)}`)
      if (wrong.length > 0) process.exitCode = 1
    } finally {
      await stage.close()
      rmSync(folder, { recursive: true })
    }
  }
}
