// What do several nodes bring, and do the rules hold? Readers of the service over simulated nodes in virtual time, with the
// policies of others beside it on the same histories. The exit code is 1 when a target is missed.
//
//   npm run bench -- nodes
//   npm run bench -- nodes --quick
import { parseArgs } from 'node:util'
import { checksOf, type Figures, runTrial } from '../verification/world/reads/measures.ts'
import { canonicalTrials, trials, usualMs } from '../verification/world/reads/trials.ts'
import { serviceAs } from '../verification/world/service/service.ts'
import { policies } from '../verification/world/variants/policies.ts'
import { record } from './figures/record.ts'

const { values } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean', default: false } } })

const columns = [
  'p50 ms',
  'p99 ms',
  'calls a read',
  'with checks',
  'failed',
  'went back',
  'false 404',
  'wrong canonical',
]

const cells = ({ p50Ms, p99Ms, calls, allCalls, questions, wrong }: Figures): readonly string[] => [
  p50Ms.toFixed(0),
  p99Ms.toFixed(0),
  (calls / questions).toFixed(3),
  (allCalls / questions).toFixed(3),
  ...(['failed', 'went back', 'false 404', 'wrong canonical'] as const).map((key) => String(wrong[key])),
]

const line = (name: string, texts: readonly string[]): string =>
  `  ${name.padEnd(12)}${texts.map((text, index) => text.padStart((columns[index]?.length ?? 0) + 2)).join('')}`

const startedAt = performance.now()
let missed = 0
const rows: Record<string, number | string>[] = []
for (const [index, trial] of trials.entries()) {
  console.error(`${index + 1} of ${trials.length}: ${trial.name}`)
  // Together 100,000 look-ups whose canonical is judged.
  const full = canonicalTrials.includes(trial) ? 25 : trial.scenario.drawn === undefined ? 20 : 2000
  const sessions = values.quick ? Math.ceil(full / 7) : full
  const isOne = trial.scenario.places.length < 2
  const results = new Map<string, Figures>()
  for (const [name, policy] of Object.entries(policies)) {
    if (name === 'ours' || !isOne) results.set(name, await runTrial(serviceAs(policy), trial, sessions))
  }
  const ours = results.get('ours')
  if (ours === undefined) throw new Error('our policy is missing')
  const single = results.get('first only') ?? ours
  console.log(`${trial.name}: ${ours.questions} questions`)
  console.log(line('', columns))
  for (const [policy, figures] of results) {
    console.log(line(policy, cells(figures)))
    const { p50Ms, p99Ms, calls, questions, wrong } = figures
    const ratios = { p50: p50Ms / single.p50Ms, p99: p99Ms / single.p99Ms, calls: calls / questions }
    const waits = { p50Usual: p50Ms / usualMs, p99Usual: p99Ms / usualMs }
    const { failed: errors, 'went back': wentBack, 'false 404': false404, 'wrong canonical': wrongCanonical } = wrong
    rows.push({ trial: trial.name, policy, ...ratios, ...waits, errors, wentBack, false404, wrongCanonical, questions })
  }
  for (const { says, isMet } of checksOf(trial, ours, single)) {
    console.log(`  ${isMet ? 'met   ' : 'MISSED'} ${says}`)
    if (!isMet) missed++
  }
}
console.log(`${missed} targets missed, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
const ours = rows.filter(({ policy }) => policy === 'ours')
const sumOf = (key: string) => ours.reduce((sum, row) => sum + Number(row[key]), 0)
record({
  figures: {
    'targets missed': missed,
    questions: sumOf('questions'),
    'tips going back': sumOf('wentBack'),
    'false 404': sumOf('false404'),
    'wrong canonical': sumOf('wrongCanonical'),
    ...Object.fromEntries(ours.map(({ trial, calls }) => [`calls a question, ${trial}`, Number(calls)])),
  },
  rows,
})
if (missed > 0) process.exitCode = 1
