// How many requests does CloudFront answer, and are its answers ever too old? A model of one edge, configured by a
// stage's synthesised template, replays an hour of visitors in virtual time.
//
//   npm run bench -- edge
//   npm run bench -- edge --stage mainnet --seed 2 --requests 100000
import { parseArgs } from 'node:util'
import { createCount } from '../verification/edge-model/figures.ts'
import { judge } from '../verification/edge-model/judgement.ts'
import { type LearnedAnswers, learnAnswers } from '../verification/edge-model/learned-answers.ts'
import { createEdge } from '../verification/edge-model/model.ts'
import { synthesise } from '../verification/edge-model/synthesis.ts'
import { type Distribution, distributionOf } from '../verification/edge-model/template.ts'
import { createHour } from '../verification/edge-model/traffic.ts'

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
