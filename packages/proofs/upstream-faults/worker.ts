// Tries one share of the cases on a separate thread, and posts each result.
import { parentPort, workerData } from 'node:worker_threads'
import { caseName, quickCases } from './cases.ts'
import { laboratory } from './run.ts'
import { type Result, resultOf } from './tally.ts'
import { wrongServices } from './wrong-services.ts'

/** The `part`-th of so many shares, from 0. */
export interface Share {
  readonly part: number
  readonly parts: number
  readonly seed: string
  readonly quick: boolean
  /** Part of the wanted cases' names. */
  readonly only?: string | undefined
  /** A wrong service by name, in place of the service. */
  readonly variant?: string | undefined
}

const { part, parts, seed, quick, only = '', variant = '' }: Share = workerData
const service = wrongServices[variant]
const lab = await laboratory()
const named = (await lab.cases(seed)).filter((one) => caseName(one).includes(only))
const wanted = quick ? quickCases(named) : named
const all = lab.scenarios.length + wanted.length
const post = (result: Result) => parentPort?.postMessage({ result, all })

// The answers by which all others are judged, first.
for (const [index, scenario] of lab.scenarios.entries()) {
  if (index % parts !== part) continue
  const { name, endpoint } = scenario
  const answers = await lab.usual(scenario)
  const judged = answers.map((answer, turn) => ({
    turn: turn === 0 ? ('fault' as const) : ('next' as const),
    status: answer.received.status,
    wrongs: lab.unprovedIn(scenario, answer),
  }))
  post({ name: `${name} without a fault`, kind: 'none', endpoint, judged })
}
for (const [index, one] of wanted.entries()) {
  if (index % parts !== part) continue
  post(resultOf(one, await lab.try(one, service)))
}
await lab.close()
