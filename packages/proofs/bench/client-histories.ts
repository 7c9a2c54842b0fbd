// Does a client ever pay twice, say "not paid" of what was paid, or stay stuck? Seeded histories of `sendQueue`,
// `waitForInclusion` and the recipe `settle` against the endpoints, in virtual time.
//
//   npm run bench -- client-histories --histories 20000 --seed 1
//   npm run bench -- client-histories --parts FOLDER                  keeps each 500 there, and goes on after those that it finds
//   npm run bench -- client-histories --quick                         300 histories
//   npm run bench -- client-histories --replay 4711                   one history, line by line
//   npm run bench -- client-histories --variant 'NAME'                a wrong client, which must be detected
import { parseArgs } from 'node:util'
import { runHistory } from '../world/clients/history.ts'
import { isFaultless, report, runHistories } from '../world/clients/tally.ts'
import { inParts } from '../world/parts.ts'
import { type ClientVariant, wrongClients } from '../world/variants/clients.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    histories: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    parts: { type: 'string' },
    quick: { type: 'boolean', default: false },
    variant: { type: 'string', default: 'the right client' },
    replay: { type: 'string' },
  },
})
const variants: Readonly<Record<string, ClientVariant>> = { 'the right client': (make) => make, ...wrongClients }
const variant = variants[values.variant]
if (variant === undefined) throw new Error(`--variant is one of\n${Object.keys(variants).join('\n')}`)

if (values.replay === undefined) {
  const histories = values.quick ? 300 : Number(values.histories)
  const tally = await inParts(values.parts, Number(values.seed), histories, (first, count) =>
    runHistories(first, count, variant),
  )
  console.log(report(tally))
  if (!isFaultless(tally)) process.exitCode = 1
} else {
  const { faults } = await runHistory(values.replay, { variant, log: console.log })
  if (faults.length > 0) process.exitCode = 1
}
