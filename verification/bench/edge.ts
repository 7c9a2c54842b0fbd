// The requests that CloudFront answers, the ages of its answers, and the work that an attacker can cause. A model of
// CloudFront, configured by a stage's synthesised template, replays visitors, outages and attacks in virtual time.
//
//   npm run bench -- edge
//   npm run bench -- edge --stage devnet --seed 2 --requests 100000
import { parseArgs } from 'node:util'
import { learnAnswers } from '../edge-model/learned-answers.ts'
import {
  type Limit,
  limitsOfHour,
  limitsOfMalformed,
  limitsOfOutage,
  limitsOfShield,
  limitsOfUnknownIds,
} from '../edge-model/limits.ts'
import { limitsText, outcomeText } from '../edge-model/report.ts'
import { hour, type Outcome, outage, type Service, siege } from '../edge-model/scenarios.ts'
import { distributionOf, throttlesOf } from '../edge-model/template/distribution.ts'
import { synthesise } from '../edge-model/template/synthesis.ts'
import { wrongVariants } from '../edge-model/variants.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    stage: { type: 'string', default: 'mainnet' },
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '100000' },
  },
})
const { seed, stage } = values
const hourly = Number(values.requests)

function judge(title: string, outcome: Outcome, limits: readonly Limit[]): void {
  console.log(`${outcomeText(title, outcome)}\n${limitsText(limits)}\n`)
  if (!limits.every(({ isKept }) => isKept)) process.exitCode = 1
}

const startedAt = performance.now()
const [template, withShield, learned] = await Promise.all([
  synthesise(stage),
  synthesise(stage, { EXPLORER_ORIGIN_SHIELD_REGION: 'us-east-1' }),
  learnAnswers(),
])
const throttles = throttlesOf(template)
const service: Service = { distribution: distributionOf(template), throttles, learned }
const shielded: Service = { ...service, distribution: distributionOf(withShield) }

for (const [title, visits] of [
  ['An hour of visitors at one edge; one call in a hundred fails', hourly],
  ['The same with ten times the visitors', 10 * hourly],
] as const) {
  const outcome = hour(service, { seed, hourly: visits })
  const untagged = hour(wrongVariants.withoutTags(service), { seed, hourly: visits })
  judge(title, outcome, limitsOfHour(outcome, untagged))
}

const world = { seed, hourly: 10 * hourly, edges: 10 }
for (const countsAge of [false, true]) {
  const outcome = hour(shielded, { ...world, countsAge })
  const title = `Ten edges behind Origin Shield, where ${countsAge ? 'Age is counted' : 'ages add up'}`
  judge(title, outcome, limitsOfShield(outcome, countsAge))
}

for (const [title, latencyMs, fails] of [
  ['1,000 requests a second: a minute without the node, and the minute after it', 150, true],
  ['The same where each call fails after 8 s', 8000, false],
] as const) {
  const outcome = outage(service, seed, latencyMs)
  judge(title, outcome, limitsOfOutage(outcome, fails))
}

const beside = { seed, rate: 1000, durationMs: 300_000, hourly }
const malformed = siege(service, { ...beside, by: 'malformed' })
judge('Visitors beside 1,000 malformed requests a second', malformed, limitsOfMalformed(malformed))
const unknownIds = siege(service, { ...beside, by: 'unknownIds' })
judge('Visitors beside 1,000 well-formed unknown ids a second', unknownIds, limitsOfUnknownIds(unknownIds, throttles))
console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
