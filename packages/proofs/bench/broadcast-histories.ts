// Are the answers to broadcasts true, and those about the fate of their commands? Seeded histories over one to five nodes,
// some of another network, with instances that start cold, are frozen and die, and a wire that loses, breaks and delays.
// All through the chain that the functions use, in virtual time. Every answer is compared with what really happened.
//
//   npm run bench -- broadcast-histories --histories 20000 --seed 1
//   npm run bench -- broadcast-histories --layout 'one address'       two daemons behind it; 'three addresses', 'beside a healthy node'
//   npm run bench -- broadcast-histories --fates 0                    asks for the fate of commands at so many moments; usually 20
//   npm run bench -- broadcast-histories --forks 0.1                  the share in which the network has a hard fork; usually a tenth
//   npm run bench -- broadcast-histories --stops 0.4                  the share in which a daemon stops and goes on answering
//   npm run bench -- broadcast-histories --parts FOLDER               keeps each 500 there, and goes on after those that it finds
//   npm run bench -- broadcast-histories --replay 4711                one history, line by line
//   npm run bench -- broadcast-histories --variant 'NAME'             a wrong chain, which must be detected
import { parseArgs } from 'node:util'
import { runHistory } from '../world/broadcasts/history.ts'
import { layouts } from '../world/broadcasts/setting.ts'
import { isTruthful, report, runHistories } from '../world/broadcasts/tally.ts'
import { inParts } from '../world/parts.ts'
import { serviceAs } from '../world/service/service.ts'
import { wrongBetween } from '../world/variants/between.ts'
import { defects } from '../world/variants/defects.ts'
import { fateLies } from '../world/variants/fates.ts'
import { wrongInForkDays } from '../world/variants/forks.ts'
import { lies } from '../world/variants/lies.ts'
import type { Variant } from '../world/variants/variant.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    histories: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    layout: { type: 'string', default: 'mixed' },
    variant: { type: 'string', default: 'the right chain' },
    fates: { type: 'string', default: '20' },
    forks: { type: 'string', default: '0.1' },
    stops: { type: 'string', default: '0.4' },
    parts: { type: 'string' },
    replay: { type: 'string' },
  },
})
const layout = layouts.find((each) => each === values.layout)
if (layout === undefined) throw new Error(`--layout is one of ${layouts.join(', ')}`)
const variants: Readonly<Record<string, Variant>> = {
  'the right chain': (make) => make,
  ...defects,
  ...lies,
  ...fateLies,
  ...wrongInForkDays,
  ...wrongBetween,
}
const variant = variants[values.variant]
if (variant === undefined) throw new Error(`--variant is one of\n${Object.keys(variants).join('\n')}`)
const start = serviceAs(variant)
const fates = Number(values.fates)
const forks = Number(values.forks)
const stops = Number(values.stops)

if (values.replay === undefined) {
  const tally = await inParts(values.parts, Number(values.seed), Number(values.histories), (first, histories) =>
    runHistories(first, histories, start, layout, fates, forks, stops),
  )
  console.log(report(tally))
  if (!isTruthful(tally)) process.exitCode = 1
} else {
  const { faults } = await runHistory(values.replay, start, layout, { fates, forks, stops, log: console.log })
  if (faults.length > 0) process.exitCode = 1
}
