// The gain from several nodes, and the rules for them. Readers of the service over simulated nodes in virtual time, with the
// policies of others beside it on the same histories. The exit code is 1 when a target is missed.
//
//   npm run bench -- nodes
//   npm run bench -- nodes --quick
import { parseArgs } from 'node:util'
import {
  allCallsOf,
  callsARead,
  checksOf,
  countOf,
  type Figures,
  percentile,
  runTrial,
} from '../world/reads/measures.ts'
import { canonicalTrials, justRecovered, trials } from '../world/reads/trials.ts'
import { serviceAs } from '../world/service/service.ts'
import { policies } from '../world/variants/policies.ts'

const { quick } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean', default: false } } }).values

const others = ['first only', 'round robin', 'fallback', 'fastest', 'ask all'] as const
const counted = ['failed', 'went back', 'false 404', 'wrong canonical'] as const
const line = (name: string, cells: readonly string[]): string =>
  `  ${name.padEnd(12)}${cells.map((cell) => cell.padStart(17)).join('')}`

const cellsOf = (figures: Figures): readonly string[] => [
  percentile(figures, 0.5).toFixed(0),
  percentile(figures, 0.99).toFixed(0),
  callsARead(figures).toFixed(3),
  (allCallsOf(figures).length / figures.reads.length).toFixed(3),
  ...counted.map((wrong) => String(countOf(figures, wrong))),
]

let missed = 0
for (const trial of trials) {
  // Together 100,000 look-ups whose canonical is judged.
  const full = justRecovered.includes(trial)
    ? 50
    : canonicalTrials.includes(trial)
      ? 25
      : trial.scenario.drawn === undefined
        ? 20
        : 2000
  const sessions = quick ? Math.ceil(full / 7) : full
  const run = (policy: keyof typeof policies) => runTrial(serviceAs(policies[policy]), trial, sessions)
  const ours = await run('ours')
  console.log(`${trial.name}: ${ours.reads.length} questions`)
  console.log(line('', ['p50 ms', 'p99 ms', 'calls a read', 'with checks', ...counted]))
  console.log(line('ours', cellsOf(ours)))
  let single = ours
  if (trial.scenario.places.length > 1) {
    for (const policy of others) {
      const figures = await run(policy)
      if (policy === 'first only') single = figures
      console.log(line(policy, cellsOf(figures)))
    }
  }
  for (const { says, isMet } of checksOf(trial, ours, single)) {
    console.log(`  ${isMet ? 'met   ' : 'MISSED'} ${says}`)
    if (!isMet) missed++
  }
}
console.log(`${missed} targets missed`)
if (missed > 0) process.exitCode = 1
