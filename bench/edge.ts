// How much does CloudFront take off the service, and does it ever tell an old story? A model of one edge, set up by the
// synthesised template of a stage, replays an hour of visitors in virtual time.
//
//   npm run bench -- edge
//   npm run bench -- edge --stage mainnet --seed 2 --requests 100000
import { parseArgs } from 'node:util'
import { createCount } from './edge/figures.ts'
import { judge } from './edge/judgement.ts'
import { type LearnedAnswers, learnAnswers } from './edge/learned-answers.ts'
import { createEdge } from './edge/model.ts'
import { synthesise } from './edge/synthesis.ts'
import { type Distribution, distributionOf } from './edge/template.ts'
import { createHour } from './edge/traffic.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    stage: { type: 'string', default: 'devnet' },
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '100000' },
  },
})

function figuresOf(distribution: Distribution, learned: LearnedAnswers, requests: number) {
  const hour = createHour(values.seed, requests, learned)
  const serve = createEdge(distribution, hour.origin)
  const count = createCount()
  for (const request of hour.requests) count.add(serve(request))
  return count.figures()
}

const startedAt = performance.now()
const [template, learned] = await Promise.all([synthesise(values.stage), learnAnswers()])
const distribution = distributionOf(template)
for (const times of [1, 10]) {
  const { isKept, text } = judge(figuresOf(distribution, learned, times * Number(values.requests)))
  console.log(`${times === 1 ? 'An hour of visitors' : `${times} times the visitors`}: ${text}`)
  if (!isKept) process.exitCode = 1
}
console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
