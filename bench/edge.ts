// How many requests does CloudFront answer, are its answers ever too old, and what can an attacker make the node do? A model
// of CloudFront, configured by a stage's synthesised template, replays visitors, outages and attacks in virtual time.
//
//   npm run bench -- edge
//   npm run bench -- edge --stage devnet --seed 2 --requests 100000
//   npm run bench -- edge --variant withoutAdmission
import { parseArgs } from 'node:util'
import { learnAnswers } from '../verification/edge-model/learned-answers.ts'
import {
  type Limit,
  limitsOfHour,
  limitsOfMalformed,
  limitsOfOutage,
  limitsOfShield,
  limitsOfUnknownIds,
} from '../verification/edge-model/limits.ts'
import { limitsText, rowsOfHour, rowsOfOutage, rowsOfSiege, tableOf } from '../verification/edge-model/report.ts'
import { hour, outage, type Service, siege } from '../verification/edge-model/scenarios.ts'
import { distributionOf, throttlesOf } from '../verification/edge-model/template/distribution.ts'
import { synthesise } from '../verification/edge-model/template/synthesis.ts'
import { before, withFormerTimes, wrongVariants } from '../verification/edge-model/variants.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    stage: { type: 'string', default: 'mainnet' },
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '100000' },
    variant: { type: 'string', default: '' },
  },
})
const { seed, stage } = values
const hourly = Number(values.requests)

const asItIs = (service: Service): Service => service
const variants: Readonly<Record<string, (service: Service) => Service>> = { '': asItIs, ...wrongVariants }
const variant = variants[values.variant]
if (variant === undefined) throw new Error(`--variant takes one of ${Object.keys(wrongVariants).join(', ')}`)

function judge(of: string, limits: readonly Limit[]): void {
  console.log(`${limitsText(of, limits)}\n`)
  if (!limits.every(({ isKept }) => isKept)) process.exitCode = 1
}

const startedAt = performance.now()
const [template, withShield, learned] = await Promise.all([
  synthesise(stage),
  synthesise(stage, { EXPLORER_ORIGIN_SHIELD_REGION: 'us-east-1' }),
  learnAnswers(),
])
const throttles = throttlesOf(template)
const real: Service = { distribution: distributionOf(template), throttles, learned }
const service = variant(real)

const past = hour(before(real), { seed, hourly })
const now = hour(service, { seed, hourly })
const pastTimesTen = hour(before(real), { seed, hourly: 10 * hourly })
const nowTimesTen = hour(service, { seed, hourly: 10 * hourly })
const pastWithTags = hour(withFormerTimes(real), { seed, hourly })
console.log(
  tableOf('An hour of visitors at one edge; one call in a hundred fails', rowsOfHour, [
    { name: 'before', outcome: past },
    { name: 'before, with tags', outcome: pastWithTags },
    { name: 'now', outcome: now },
    { name: 'before, x 10', outcome: pastTimesTen },
    { name: 'now, x 10', outcome: nowTimesTen },
  ]),
)
judge('an hour', limitsOfHour(now, past))
judge('an hour of ten times the visitors', limitsOfHour(nowTimesTen, pastTimesTen))

const world = { seed, hourly: 10 * hourly, edges: 10 }
const shielded = variant({ ...real, distribution: distributionOf(withShield) })
const apart = hour(service, world)
const adding = hour(shielded, world)
const counting = hour(shielded, { ...world, countsAge: true })
console.log(
  tableOf('The same hour of ten times the visitors at ten edges', rowsOfHour, [
    { name: 'each edge alone', outcome: apart },
    { name: 'Origin Shield, ages add up', outcome: adding },
    { name: 'Origin Shield, Age is counted', outcome: counting },
  ]),
)
judge('Origin Shield where ages add up', limitsOfShield(adding, false))
judge('Origin Shield where Age is counted', limitsOfShield(counting, true))

const refusing = outage(service, seed, 150)
const hanging = outage(service, seed, 8000)
console.log(
  tableOf('1,000 requests a second: a minute without the node, and the minute after it', rowsOfOutage, [
    { name: 'calls fail at once', outcome: refusing },
    { name: 'after 8 s', outcome: hanging },
  ]),
)
judge('an outage', limitsOfOutage(refusing, true))
judge('an outage of a node that hangs', limitsOfOutage(hanging, false))

const beside = { seed, rate: 1000, durationMs: 300_000, hourly }
const alone = siege(service, { ...beside, by: 'nobody' })
const malformed = siege(service, { ...beside, by: 'malformed' })
const unknownIds = siege(service, { ...beside, by: 'unknownIds' })
console.log(
  tableOf('Five minutes of visitors beside an attacker', rowsOfSiege, [
    { name: 'visitors alone', outcome: alone },
    { name: 'malformed requests', outcome: malformed },
    { name: 'well-formed unknown ids', outcome: unknownIds },
  ]),
)
judge('malformed requests', limitsOfMalformed(malformed))
judge('well-formed unknown ids', limitsOfUnknownIds(unknownIds, throttles))
console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
