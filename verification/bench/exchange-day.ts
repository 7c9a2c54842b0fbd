// A day of an exchange whose programs are those of docs/recipes in Python and Go, before `npm start`: 500 keys, reorganisations
// as deep as 20 blocks, 100 kills, an outage of a minute, 100 withdrawals of which ten are raised, and a hard fork, between orders
// that are wrong and signers that fail. The books must equal the chain to the last nanomina, and the reports the books. Then older
// copies of the books are restored, fifty times: no order may be paid twice.
//
//   npm run bench -- exchange-day
//   npm run bench -- exchange-day --language python --quick
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { exchangeDay, hotWallet, network, type Plan, raisedIn } from '../exchange-day/day.ts'
import { timesOfBooks } from '../exchange-day/many-orders.ts'
import { misreadMemos } from '../exchange-day/memos.ts'
import { commandOf, ExchangeProgram, guarded, hurried, languages } from '../exchange-day/program.ts'
import { restoredBooks } from '../exchange-day/restored-books.ts'
import { npmStart } from '../exchange-day/stage.ts'
import { troubledSigner } from '../exchange-day/troubles.ts'

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, language: { type: 'string' }, restores: { type: 'string' } },
})
/** Of the time that books take, for four times as many orders. */
const maxGrowth = 6
const whole: Plan = {
  ...{ keys: 500, byZkapp: 50, withdrawals: 100, reorganisations: [1, 3, 20, 2, 8, 13, 5, 20], kills: 100 },
  ...{ outageMs: 60_000, hasFork: true, hasTroubles: true },
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

for (const language of languages.filter((each) => options.language === undefined || each === options.language)) {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-'))
  const command = commandOf(language, folder)
  if (command === undefined) {
    console.log(`${language}: not on this machine`)
    continue
  }
  console.log(`${language}:`)
  const stage = await npmStart(1)
  const { publicKey: from, privateKey } = hotWallet(stage)
  const setting = {
    url: stage.url,
    network,
    from,
    privateKey,
    confirmations: 15,
    pollSeconds: 0.5,
    signer: troubledSigner,
    options: hurried[language],
  }
  const program = new ExchangeProgram(command, folder, setting)
  const startedAt = performance.now()
  try {
    const misread = misreadMemos(program)
    console.log(`  memos read wrongly   ${JSON.stringify(misread)}`)
    const table = await exchangeDay(stage, program, plan, console.log)
    const { troubles, ...rest } = table
    for (const [name, value] of Object.entries({ ...rest, ...troubles }))
      console.log(`  ${name.padEnd(20)} ${JSON.stringify(value)}`)
    const isRight =
      table.keysEqual === table.keys && table.credited === table.deposits && table.walletDifference === '0'
    const isReported = table.reportDifferences.length === 0
    const wrong = [...(troubles?.wrongInBooks ?? []), ...(troubles?.unnamed ?? []), ...(troubles?.unsaid ?? [])]
    const isUntroubled =
      wrong.length === 0 && `${troubles?.signedLater}` === 'paid' && `${troubles?.waiting}` === 'cancelled,0 bids'
    const { withdrawals } = table
    const isWhole = table.reorganisations === plan.reorganisations.length && table.kills === plan.kills
    const isPaid = withdrawals.paid === plan.withdrawals && table.raised === raisedIn(plan)
    console.log(
      `  ${isRight && isPaid ? 'the books equal the chain' : 'THE BOOKS DIFFER'} after ${Math.round((performance.now() - startedAt) / 1000)} s`,
    )
    const programIn = (other: string) => new ExchangeProgram(command, other, setting)
    const [few = 0, many = 0] = timesOfBooks(language, programIn, [2000, 8000])
    const isLinear = many <= maxGrowth * few
    console.log(`  books of 2,000 and of 8,000 orders: ${Math.round(few)} and ${Math.round(many)} ms`)
    if (!isWhole || !isRight || !isPaid || !isReported || !isUntroubled || !isLinear || misread.length > 0)
      process.exitCode = 1
  } finally {
    await program.kill()
    await stage.close()
    rmSync(folder, { recursive: true })
  }
  if (!guarded.includes(language)) continue
  const another = await npmStart(1)
  const own = mkdtempSync(join(tmpdir(), 'exchange-'))
  try {
    const command = commandOf(language, own)
    if (command === undefined) throw new Error('not installed')
    const restored = new ExchangeProgram(command, own, { ...setting, url: another.url })
    const table = await restoredBooks(another, restored, Number(options.restores ?? (options.quick ? 2 : 50)))
    console.log(`  restores             ${JSON.stringify(table)}`)
    if ([...table.signedBeside, ...table.paidTwice, ...table.unpaid].length + table.invalid > 0) process.exitCode = 1
  } finally {
    await another.close()
    rmSync(own, { recursive: true })
  }
}
