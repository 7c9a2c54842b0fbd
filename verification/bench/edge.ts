// The requests that CloudFront answers, the ages of its answers, and the work that an attacker can cause. A model of
// CloudFront, configured by a stage's synthesised template, replays visitors, outages and attacks in virtual time.
//
//   npm run bench -- edge
//   npm run bench -- edge --stage devnet
//   npm run bench -- edge --help
import { parseArgs } from 'node:util'
import { synthesise } from '../../tools/synthesise.ts'
import { distributionOf, throttlesOf } from '../edge-model/distribution.ts'
import { report } from '../edge-model/report.ts'
import { learnAnswers } from '../edge-model/service.ts'
import { hourMs } from '../edge-model/traffic.ts'
import { trials, tried } from '../edge-model/trials.ts'

const { stage, help } = parseArgs({
  allowPositionals: true,
  options: {
    stage: { type: 'string', default: 'mainnet' },
    help: { type: 'boolean', default: false },
  },
}).values
if (help) {
  console.log('npm run bench -- edge [--stage mainnet]')
  process.exit()
}

const startedAt = performance.now()
const [template, withShield, learned] = await Promise.all([
  synthesise(stage),
  synthesise(stage, { EXPLORER_ORIGIN_SHIELD_REGION: 'us-east-1' }),
  learnAnswers(),
])
const service = {
  distribution: distributionOf(template),
  shielded: distributionOf(withShield),
  throttles: throttlesOf(template),
  learned,
}
/** The share of hits depends on the number of requests: with fewer of them, more are the first for their answer. */
const scale = { seed: '1', hourly: 100_000, durationMs: hourMs, rate: 1000, attackRate: 150, attackMs: 120_000 }
for (const trial of Object.values(trials)) {
  const [outcome, limits] = tried(trial, service, scale)
  console.log(`${trial.title}\n${report(outcome, limits)}\n`)
  if (!limits.every(({ isKept }) => isKept)) process.exitCode = 1
}
console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
