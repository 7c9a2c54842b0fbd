// The answers of the service while an upstream misbehaves. Every fault of a catalogue, and every field of every upstream
// answer with every wrong value, over real HTTP. The answers without a fault are proved by the chain, all others by these.
//
//   npm run bench -- upstream-faults                        all
//   npm run bench -- upstream-faults --quick                each named fault once, one field fault in a hundred
//   npm run bench -- upstream-faults --only "summary | "    cases with this in their name
//   npm run bench -- upstream-faults --variant NAME         a wrong service in place of ours; `judges` proves that each is detected
//   npm run bench -- upstream-faults --seed 2               other items of lists
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { count, emptyTally, type Result, report } from '../upstream-faults/tally.ts'
import type { Share } from '../upstream-faults/worker.ts'
import { wrongServices } from '../upstream-faults/wrong-services.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    variant: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})
const { variant } = values
if (variant !== undefined && !Object.hasOwn(wrongServices, variant)) {
  throw new Error(`--variant is one of ${Object.keys(wrongServices).join(', ')}`)
}

const startedAt = performance.now()
const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
const tally = emptyTally()
const parts = 2

function work(part: number): Promise<void> {
  const workerData: Share = { ...values, part, parts }
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('../upstream-faults/worker.ts', import.meta.url), { workerData })
    thread.on('message', ({ result, all }: { readonly result: Result; readonly all: number }) => {
      count(tally, result)
      if (tally.cases % 500 === 0) console.error(`${tally.cases} of ${all} faults, ${seconds()}`)
    })
    thread.on('error', reject)
    thread.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a share of the cases ended with ${code}`))))
  })
}

await Promise.all(Array.from({ length: parts }, (_, part) => work(part)))
console.log(report(tally, performance.now() - startedAt))
if (tally.wrong > 0 || tally.cases === 0) process.exitCode = 1
