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
import { exchangeDay, network, type Plan, raisedIn } from '../exchange-day/day.ts'
import { timesOfBooks } from '../exchange-day/many-orders.ts'
import { misreadMemos } from '../exchange-day/memos.ts'
import { commandOf, ExchangeProgram, guarded, hurried, languages } from '../exchange-day/program.ts'
import { restoredBooks } from '../exchange-day/restored-books.ts'
import { secondPrograms } from '../exchange-day/second-program.ts'
import { hotWallet, npmStart, type Stage } from '../exchange-day/stage.ts'
import { troubledSigner } from '../exchange-day/troubles.ts'

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, language: { type: 'string' }, restores: { type: 'string' } },
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
    const isGuarded =
      table.restores === plan.restores && table.secondEnds.length === 0 && table.unnamedKeys.length === 0
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
    if (
      !isWhole ||
      !isRight ||
      !isPaid ||
      !isReported ||
      !isUntroubled ||
      !isGuarded ||
      !isLinear ||
      misread.length > 0
    )
      process.exitCode = 1
  } finally {
    await program.kill()
    await stage.close()
    rmSync(folder, { recursive: true })
  }
  if (!guarded.includes(language)) continue
  const restores = Number(options.restores ?? (options.quick ? 2 : 50))
  const starts = options.quick ? 5 : 50
  const beside = {
    restores: (another: Stage, its: ExchangeProgram) => restoredBooks(another, its, restores),
    'second programs': (another: Stage, its: ExchangeProgram) => secondPrograms(another, its, starts, [1, 9]),
  }
  for (const [name, play] of Object.entries(beside)) {
    const another = await npmStart(1)
    const own = mkdtempSync(join(tmpdir(), 'exchange-'))
    try {
      const built = commandOf(language, own)
      if (built === undefined) throw new Error('not installed')
      const table = await play(another, new ExchangeProgram(built, own, { ...setting, url: another.url }))
      console.log(`  ${name.padEnd(20)} ${JSON.stringify(table)}`)
      const wrong =
        'signedBeside' in table ? [...table.signedBeside, ...table.unsettled, ...Array(table.invalid)] : table.wrongEnds
      if (wrong.length + table.paidTwice.length + table.unpaid.length > 0) process.exitCode = 1
    } finally {
      await another.close()
      rmSync(own, { recursive: true })
    }
  }
}
