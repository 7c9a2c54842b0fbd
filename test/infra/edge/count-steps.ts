// Counts the steps of a viewer function for each request: how often V8 enters a block of its code. A separate process with
// flags, since V8 counts less in optimised code. Takes `Count` on stdin, answers on stdout.
import { Session } from 'node:inspector/promises'
import { json } from 'node:stream/consumers'
import { createContext, runInContext } from 'node:vm'

/** Code whose steps are counted for each request. */
export interface Count {
  readonly code: string
  readonly requests: readonly object[]
}

const filename = 'viewer-function.js'
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/** Counts the entries into blocks of the code since the last call. */
async function blocksEntered(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => url === filename)
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0)
}

const { code, requests } = (await json(process.stdin)) as Count
const steps: number[] = []
for (const request of requests) {
  const context = createContext({ request })
  runInContext(code, context, { filename })
  await blocksEntered()
  runInContext('handler({ request })', context)
  steps.push(await blocksEntered())
}
console.log(JSON.stringify(steps))
