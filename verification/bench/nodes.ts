// What do several nodes bring, and do the rules hold? The real pool on simulated nodes in virtual time, with simpler
// policies beside it on the same histories. The exit code is 1 when a target is missed.
//
//   npm run bench -- nodes
//   npm run bench -- nodes --quick
import { parseArgs } from 'node:util'
import { policies } from '../nodes/policies.ts'
import { runTrial } from '../nodes/run.ts'
import { type Figures, trials } from '../nodes/scenarios.ts'

const { values } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean', default: false } } })
const quickSessions = 3

const columns = ['p50 ms', 'p99 ms', 'calls per question', 'beside it', 'errors', 'went back', 'false 404']

const cells = (figures: Figures): readonly string[] => [
  figures.p50Ms.toFixed(0),
  figures.p99Ms.toFixed(0),
  (figures.calls / figures.questions).toFixed(3),
  (figures.sideCalls / figures.questions).toFixed(3),
  String(figures.errors),
  String(figures.wentBack),
  String(figures.false404),
]

const line = (name: string, texts: readonly string[]): string =>
  `  ${name.padEnd(12)}${texts.map((text, index) => text.padStart((columns[index]?.length ?? 0) + 2)).join('')}`

const startedAt = performance.now()
let missed = 0
for (const [index, trial] of trials.entries()) {
  console.error(`${index + 1} of ${trials.length}: ${trial.name}`)
  const sessions = values.quick ? quickSessions : trial.sessions
  const results = new Map<string, Figures>()
  for (const [name, policy] of Object.entries(policies)) results.set(name, await runTrial(policy, trial, sessions))
  const [ours, single] = [results.get('ours'), results.get('first only')]
  if (ours === undefined || single === undefined) throw new Error('two policies are missing')
  console.log(`${trial.name}: ${ours.questions} questions`)
  console.log(line('', columns))
  for (const [policy, figures] of results) console.log(line(policy, cells(figures)))
  for (const { says, isMet } of trial.checks(ours, single)) {
    console.log(`  ${isMet ? 'met   ' : 'MISSED'} ${says}`)
    if (!isMet) missed++
  }
}
console.log(`${missed} targets missed, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
if (missed > 0) process.exitCode = 1
