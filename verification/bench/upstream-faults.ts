// What does the service answer when an upstream misbehaves? Every fault of a catalogue, and every field of every
// upstream answer with every wrong value, over real HTTP; each answer is judged from what the upstreams really sent.
//
//   npm run bench -- upstream-faults                        all, and then each wrong service, to see it caught
//   npm run bench -- upstream-faults --quick                each named fault once, one field fault in a hundred
//   npm run bench -- upstream-faults --only "summary | "    cases with this in their name
//   npm run bench -- upstream-faults --variant NAME         a wrong service in place of ours
//   npm run bench -- upstream-faults --seed 2               other items of lists
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { report } from '../upstream-faults/report.ts'
import { laboratory } from '../upstream-faults/run.ts'
import type { Share } from '../upstream-faults/share.ts'
import { emptyTally, merge, type Tally } from '../upstream-faults/tally.ts'
import { isWrongVariant, telling, wrongVariants } from '../upstream-faults/wrong-variants.ts'

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

/** Wrong answers of every wrong service, each in the cases that should show it. */
async function seen(): Promise<ReadonlyMap<string, number>> {
  const lab = await laboratory()
  const cases = await lab.namedCases()
  const counts = new Map<string, number>()
  for (const name of Object.keys(wrongVariants).filter(isWrongVariant)) {
    let wrong = 0
    for (const one of telling(name, cases)) {
      const judged = await lab.try(one, wrongVariants[name])
      wrong += judged.filter(({ wrongs }) => wrongs.length > 0).length
    }
    counts.set(name, wrong)
  }
  await lab.close()
  return counts
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

if (variant === undefined && only === undefined) {
  const counts = await seen()
  console.log('wrong answers of wrong services')
  for (const [name, wrong] of counts) console.log(`  ${name.padEnd(34)} ${String(wrong).padStart(6)}`)
  const fewest = Math.min(...counts.values())
  if (fewest === 0) process.exitCode = 1
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s in all`)
}
