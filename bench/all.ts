// Every figure of the README from one command. Exit code 1 when a bench found a wrong answer or missed a target.
//
//   npm run bench -- all --quick     some ten minutes; without --quick about an hour
//   npm run bench -- all --json FILE writes the figures to a file
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Findings, figuresVariable } from './figures/record.ts'
import { commandOf, type Run, runs } from './figures/runs.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
})

interface Outcome extends Partial<Findings> {
  readonly command: string
  readonly isGood: boolean
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

async function runOne(run: Run, index: number): Promise<Outcome> {
  const options = values.quick ? run.quick : run.options
  const command = commandOf(run, options)
  const file = join(folder, `${index}.json`)
  console.error(`\n${index + 1} of ${runs.length}: ${command}`)
  const startedAt = performance.now()
  const script = join(import.meta.dirname, 'run.ts')
  const child = spawn(process.execPath, [...process.execArgv, script, run.bench, ...options], {
    stdio: 'inherit',
    env: { ...process.env, [figuresVariable]: file },
  })
  const [code] = await once(child, 'exit')
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  return { command, isGood: code === 0, seconds, ...findingsIn(file) }
}

const outcomes: Outcome[] = []
try {
  for (const [index, run] of runs.entries()) outcomes.push(await runOne(run, index))
} finally {
  rmSync(folder, { recursive: true })
}

console.log('\nAll figures')
for (const { command, isGood, seconds, figures = {} } of outcomes) {
  console.log(`\n${isGood ? 'ok    ' : 'FAILED'} ${command}   ${seconds} s`)
  for (const [what, value] of Object.entries(figures)) {
    console.log(`  ${what.padEnd(64)} ${Number.isInteger(value) ? value : value.toPrecision(3)}`)
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(outcomes, null, 2)}\n`)
if (outcomes.some(({ isGood }) => !isGood)) process.exitCode = 1
