// The requests that CloudFront answers, the ages of its answers, and the work that an attacker can cause. A model of
// CloudFront, configured by a stage's synthesised template, replays visitors, outages and attacks in virtual time.
//
//   npm run bench -- edge
//   npm run bench -- edge --stage devnet
import { parseArgs } from 'node:util'
import { synthesise } from '../../tools/synthesise.ts'
import { distributionOf } from '../edge-model/distribution.ts'
import { learnAnswers } from '../edge-model/learned-answers.ts'
import { trials, tried } from '../edge-model/trials.ts'

const { stage } = parseArgs({
  allowPositionals: true,
  options: { stage: { type: 'string', default: 'mainnet' } },
}).values

const startedAt = performance.now()
const [template, learned] = await Promise.all([synthesise(stage), learnAnswers()])
const service = { distribution: distributionOf(template), learned }
for (const trial of Object.values(trials)) {
  const { report, broken } = tried(trial, service)
  console.log(`${report}\n`)
  if (broken.length > 0) process.exitCode = 1
}
console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
