// Are the answers to broadcasts true? Seeded histories over one to five nodes, some of another network, with instances
// that start cold, are frozen and die, and a wire that loses, breaks and delays.
// All through the chain that the functions use, in virtual time. Every answer is compared with what really happened.
//
//   npm run bench -- broadcast-histories --histories 20000 --seed 1
//   npm run bench -- broadcast-histories --layout 'one address'       two daemons behind it; 'three addresses', 'beside a healthy node'
//   npm run bench -- broadcast-histories --replay 4711                one history, line by line
//   npm run bench -- broadcast-histories --variant 'NAME'             a wrong chain, which must be detected
import { parseArgs } from 'node:util'
import { runHistory } from '../verification/world/broadcasts/history.ts'
import { isTruthful, report, runHistories } from '../verification/world/broadcasts/judgement/tally.ts'
import { layouts } from '../verification/world/broadcasts/setting.ts'
import { service, serviceAs } from '../verification/world/service/service.ts'
import { defects } from '../verification/world/variants/defects.ts'
import { lies } from '../verification/world/variants/lies.ts'
import type { Variant } from '../verification/world/variants/variant.ts'
import { record } from './figures/record.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    histories: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    layout: { type: 'string', default: 'mixed' },
    variant: { type: 'string' },
    replay: { type: 'string' },
  },
})
const layout = layouts.find((each) => each === values.layout)
if (layout === undefined) throw new Error(`--layout is one of ${layouts.join(', ')}`)
const variants = new Map<string, Variant>(Object.entries({ ...defects, ...lies }))
const variant = values.variant === undefined ? undefined : variants.get(values.variant)
if (values.variant !== undefined && variant === undefined) {
  throw new Error(`--variant is one of\n${[...variants.keys()].join('\n')}`)
}
const start = variant === undefined ? service : serviceAs(variant)

if (values.replay === undefined) {
  const histories = Number(values.histories)
  const startedAt = performance.now()
  const progress = (done: number) => {
    if (done < histories && done % 2500 === 0) console.error(`${done} histories`)
  }
  const tally = await runHistories(Number(values.seed), histories, start, layout, progress)
  console.log(report(tally, performance.now() - startedAt))
  const { outcomes, requests, faults } = tally
  const shares = [...outcomes].map(
    ([outcome, count]) => [`${outcome}, share of the answers`, count / requests] as const,
  )
  record({
    figures: { histories, requests, ...faults, ...Object.fromEntries(shares) },
    rows: [...outcomes].map(([outcome, count]) => ({ outcome, share: count / requests })),
  })
  if (!isTruthful(tally)) process.exitCode = 1
} else {
  const { requests, isReplacementLost } = await runHistory(values.replay, start, layout, console.log)
  if (isReplacementLost || requests.some(({ faults }) => faults.length > 0)) process.exitCode = 1
}
