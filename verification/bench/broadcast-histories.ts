// Are the answers to broadcasts true? Seeded histories of two nodes behind one address, or of several with addresses of
// their own, over a network that loses, breaks and delays operations, through the real endpoints in virtual time. Every
// answer is compared with what really happened.
//
//   npm run bench -- broadcast-histories --histories 10000 --seed 1
//   npm run bench -- broadcast-histories --nodes 3                     with addresses of their own
//   npm run bench -- broadcast-histories --replay 4711                 one history, line by line
//   npm run bench -- broadcast-histories --variant believes-blindly    a wrong service, which must be detected
import { parseArgs } from 'node:util'
import { type Broadcaster, service } from '../broadcast-histories/broadcaster.ts'
import { runHistory } from '../broadcast-histories/history.ts'
import { report } from '../broadcast-histories/judgement/report.ts'
import { isTruthful, runHistories } from '../broadcast-histories/judgement/tally.ts'
import { oneAddress, type Places } from '../broadcast-histories/setting.ts'
import { wrongVariants } from '../broadcast-histories/wrong-variants.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    histories: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    nodes: { type: 'string' },
    variant: { type: 'string' },
    replay: { type: 'string' },
  },
})

function broadcasterNamed(name: string | undefined): Broadcaster {
  if (name === undefined) return service
  const variant = new Map<string, Broadcaster>(Object.entries(wrongVariants)).get(name)
  if (variant === undefined) throw new Error(`--variant is one of ${Object.keys(wrongVariants).join(', ')}`)
  return variant
}

const places: Places = values.nodes === undefined ? oneAddress : { nodes: Number(values.nodes), hasOwnAddresses: true }
const broadcaster = broadcasterNamed(values.variant)
if (values.replay === undefined) {
  const histories = Number(values.histories)
  const startedAt = performance.now()
  const progress = (done: number) => {
    if (done < histories && done % 2500 === 0) console.error(`${done} histories`)
  }
  const tally = await runHistories(Number(values.seed), histories, broadcaster, progress, places)
  console.log(report(tally, performance.now() - startedAt))
  if (!isTruthful(tally)) process.exitCode = 1
} else {
  const { requests, isReplacementLost } = await runHistory(values.replay, broadcaster, console.log, places)
  if (isReplacementLost || requests.some(({ faults }) => faults.length > 0)) process.exitCode = 1
}
