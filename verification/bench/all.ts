// Every figure of docs/measurements.md from one command. Exit code 1 when a run found a wrong answer or missed a target.
//
//   npm run bench -- all --quick     some ten minutes; without --quick about an hour
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

interface Run {
  readonly bench: string
  /** Options of the whole measurement, and of a short one. */
  readonly options?: readonly string[]
  readonly quick?: readonly string[]
}

const histories = (...nodes: readonly string[]): Run => ({
  bench: 'broadcast-histories',
  options: ['--histories', '10000', ...nodes],
  quick: ['--histories', '300', ...nodes],
})

/** In the order of the page. */
const runs: readonly Run[] = [
  { bench: 'polling' },
  histories(),
  histories('--nodes', '3'),
  { bench: 'upstream-faults', quick: ['--quick'] },
  { bench: 'nodes', quick: ['--quick'] },
  { bench: 'node-outages', quick: ['--quick'] },
  { bench: 'edge' },
  { bench: 'indexer-restarts' },
  { bench: 'indexer-latency', quick: ['--quick'] },
  { bench: 'cold', quick: ['--quick'] },
  { bench: 'memory' },
]

const isQuick = process.argv.includes('--quick')
const script = join(import.meta.dirname, 'run.ts')
const results: string[] = []
for (const { bench, options = [], quick = options } of runs) {
  const args = [bench, ...(isQuick ? quick : options)]
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
