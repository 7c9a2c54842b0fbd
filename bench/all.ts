// Every figure of the README from one command. Exit code 1 when a bench found a wrong answer or missed a target.
//
//   npm run bench -- all --quick     some ten minutes; without --quick about an hour
//   npm run bench -- all --json FILE writes the figures to a file
//   npm run bench -- all --charts    writes them to docs/, and draws the charts there
//   npm run bench -- all --only cold only this run, or several; the figures of the others stay as they are in docs/
//   npm run bench -- all --peers FOLDER  cold start beside frameworks too, installed into FOLDER if they are not there
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printed, readFigures, writeDrawn, writeFigures } from './figures/files.ts'
import { merged, type Outcome } from './figures/outcome.ts'
import { type Findings, figuresVariable } from './figures/record.ts'
import { commandOf, type Run, runs } from './figures/runs.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    charts: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    peers: { type: 'string' },
  },
})

const names = runs.map(({ name }) => name)
const chosen = values.only ?? names
const unknown = chosen.find((name) => !names.includes(name))
if (unknown !== undefined) throw new Error(`--only takes one of: ${names.join(', ')}`)

interface Timed {
  readonly outcome: Outcome
  readonly seconds: number
}

const folder = mkdtempSync(join(tmpdir(), 'figures-'))

function findingsIn(file: string): Partial<Findings> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

async function runOne(run: Run): Promise<Timed> {
  const options = values.quick ? run.quick : run.options
  const peers = run.bench === 'cold' && values.peers !== undefined ? ['--peers', values.peers] : []
  const file = join(folder, `${run.name}.json`)
  const startedAt = performance.now()
  const script = join(import.meta.dirname, 'run.ts')
  const child = spawn(process.execPath, [...process.execArgv, script, run.bench, ...options, ...peers], {
    stdio: 'inherit',
    env: { ...process.env, [figuresVariable]: file },
  })
  const [exitCode] = await once(child, 'exit')
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const command = commandOf(run, peers.length > 0 ? [...options, '--peers', 'FOLDER'] : options)
  return { outcome: { name: run.name, command, isGood: exitCode === 0, ...findingsIn(file) }, seconds }
}

const timed: Timed[] = []
try {
  for (const [index, name] of chosen.entries()) {
    const run = runs.find((each) => each.name === name)
    if (run === undefined) continue
    console.error(`\n${index + 1} of ${chosen.length}: ${name}`)
    timed.push(await runOne(run))
  }
} finally {
  rmSync(folder, { recursive: true })
}

console.log('\nAll figures')
for (const { outcome, seconds } of timed) {
  const { command, isGood, figures = {} } = outcome
  console.log(`\n${isGood ? 'ok    ' : 'FAILED'} ${command}   ${seconds} s`)
  for (const [what, value] of Object.entries(figures)) {
    console.log(`  ${what.padEnd(64)} ${Number.isInteger(value) ? value : value.toPrecision(3)}`)
  }
}
const outcomes = timed.map(({ outcome }) => outcome)
if (values.json !== undefined) writeFileSync(values.json, printed(outcomes))
if (values.charts) {
  writeFigures(merged(names, readFigures(), outcomes))
  await writeDrawn()
}
if (outcomes.some(({ isGood }) => !isGood)) process.exitCode = 1
