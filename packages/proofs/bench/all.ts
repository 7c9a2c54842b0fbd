// Every figure of docs/measurements.md from one command. Exit code 1 when a run found a wrong answer or missed a target.
//
//   npm run bench -- all --quick            some ten minutes; without --quick about an hour
//   npm run bench -- all --beside FOLDER    compares with another checkout, such as the release before, where a bench can
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, beside: { type: 'string' } },
})
const quick = ['--quick']
const beside = values.beside === undefined ? [] : ['--beside', values.beside]
/** In the order of the page: each bench with its options, and with those of a short run. */
const runs: readonly (readonly [bench: string, options?: readonly string[], quick?: readonly string[]])[] = [
  ['judges'],
  ['broadcast-histories', ['--histories', '20000'], ['--histories', '300']],
  ...(['one address', 'three addresses', 'beside a healthy node'] as const).map(
    (layout) =>
      [
        'broadcast-histories',
        ['--histories', '1500', '--layout', layout],
        ['--histories', '300', '--layout', layout],
      ] as const,
  ),
  ['client-histories', ['--histories', '2000'], quick],
  ['upstream-faults', [], quick],
  ['nodes', [], quick],
  ['quiet-chain', [], quick],
  ['node-outages', [], quick],
  ['stopped-daemon', [], quick],
  ['frozen-instances', [], quick],
  ['chart', [], quick],
  ['exchange-day', [], quick],
  ['database-loads', [], quick],
  ['monitoring'],
  ['indexer-restarts'],
  ['cold', [], quick],
  ['memory'],
  ['sizes'],
  ['waits', beside, [...beside, '--turns', '1']],
  ['polled-blocks', beside, [...beside, '--rounds', '1', '--blocks', '2']],
]

const script = join(import.meta.dirname, 'run.ts')
const results: string[] = []
for (const [bench, full = [], short = full] of runs) {
  const args = [bench, ...(values.quick ? short : full)]
  const command = `npm run bench -- ${args.join(' ')}`
  console.log(`\n${results.length + 1} of ${runs.length}: ${command}`)
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...process.execArgv, script, ...args], { stdio: 'inherit' })
  const [exitCode] = await once(child, 'exit')
  if (exitCode !== 0) process.exitCode = 1
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  results.push(`${exitCode === 0 ? 'ok    ' : 'FAILED'} ${command}   ${seconds} s`)
}
console.log(`\n${results.join('\n')}`)
