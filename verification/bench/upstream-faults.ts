// What does the service answer when an upstream misbehaves? Every fault of a catalogue, and every field of every
// upstream answer with every wrong value, over real HTTP; each answer is judged from what the upstreams really sent.
//
//   npm run bench -- upstream-faults                        all
//   npm run bench -- upstream-faults --quick                each named fault once, one field fault in a hundred
//   npm run bench -- upstream-faults --only "summary | "    cases with this in their name
//   npm run bench -- upstream-faults --variant NAME         a wrong service in place of ours
//   npm run bench -- upstream-faults --seed 2               other items of lists
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { report } from '../upstream-faults/report.ts'
import type { Share } from '../upstream-faults/share.ts'
import { emptyTally, merge, type Tally } from '../upstream-faults/tally.ts'
import { isWrongVariant, wrongVariants } from '../upstream-faults/wrong-variants.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    variant: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})
const { quick, only, variant, seed } = values
if (variant !== undefined && !isWrongVariant(variant)) {
  throw new Error(`--variant is one of ${Object.keys(wrongVariants).join(', ')}`)
}

const worker = new URL('../upstream-faults/share-worker.ts', import.meta.url)
const parts = 2

interface Message {
  readonly tally?: Tally
  readonly done?: number
  readonly all?: number
}

function work(part: number, progress: (done: number, all: number) => void): Promise<Tally> {
  const share: Share = {
    seed,
    isQuick: quick,
    part,
    parts,
    ...(only !== undefined && { only }),
    ...(variant !== undefined && { variant }),
  }
  return new Promise((resolve, reject) => {
    const thread = new Worker(worker, { workerData: share })
    thread.on('message', ({ tally, done = 0, all = 0 }: Message) => (tally ? resolve(tally) : progress(done, all)))
    thread.on('error', reject)
    thread.on('exit', () => reject(new Error('a share of the cases ended without a result')))
  })
}

const startedAt = performance.now()
const finished = new Map<number, readonly [done: number, all: number]>()
let lastPrinted = 0
const shares = Array.from({ length: parts }, (_, part) =>
  work(part, (done, all) => {
    finished.set(part, [done, all])
    if (performance.now() - lastPrinted < 5000) return
    lastPrinted = performance.now()
    const sum = (index: 0 | 1) => [...finished.values()].reduce((total, each) => total + each[index], 0)
    console.error(`${sum(0)} of ${sum(1)} faults`)
  }),
)
const tally = emptyTally()
for (const share of await Promise.all(shares)) merge(tally, share)
console.log(report(tally, performance.now() - startedAt))
if (tally.wrong > 0 || tally.cases === 0) process.exitCode = 1
