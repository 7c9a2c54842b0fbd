// A hundred years of a healthy chain that leaves slots empty, as mainnet does, and what the service makes of each pause of
// five slots and more: false `down`s of GET /health, reads that are 503 for the age of the tip alone, and pages of the alarm
// for that age. Densities of 35, 44, 56 and 75 %, slots of 90 and 180 s, over one node, two nodes, and two pins with a listed
// node down; and the tickets of a tip, of a spare node and of an indexer that lag. Then chains and nodes that really stand still, and how soon that is told.
//
// The pauses are drawn. What the service answers in one depends on its length alone, so each length is played once in each
// setting, by instances that have served the chain before and by new ones. Exit code 1 for more than chance allows.
//
//   npm run bench -- quiet-chain                 some ten seconds
//   npm run bench -- quiet-chain --years 1000
//   npm run bench -- quiet-chain --seed other
import { parseArgs } from 'node:util'
import { createRandom } from '../../testnet/random.ts'
import { quietAlarms } from '../quiet-chain/alarm.ts'
import { lagTickets } from '../quiet-chain/lags.ts'
import { lengthOf, pausesOf } from '../quiet-chain/pauses.ts'
import { type Setting, settings, standstillIn, stoppedNode, toldOf } from '../quiet-chain/service.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: 'a hundred years' },
    years: { type: 'string', default: '100' },
    quick: { type: 'boolean', default: false },
  },
})
const years = values.quick ? 10 : Number(values.years)
const densities = [0.35, 0.44, 0.56, 0.75]
const slotLengths = [90_000, 180_000]
const daysInYear = 365.25
const dayMs = 86_400_000
/** A block reaches people so long after its slot begins, at worst. */
const longestGossipMs = 75_000
/** A ticket may come by chance once in 200 days. */
const mostTickets = (years * daysInYear) / 200

const { page: alarm, ticket, nodeLag, indexerLag } = await quietAlarms()
const played = new Map<string, Awaited<ReturnType<typeof toldOf>>>()

async function toldIn(setting: Setting, slotMs: number, slots: number) {
  const key = `${setting}, ${slotMs}, ${slots}`
  const told = played.get(key) ?? (await toldOf(setting, slotMs, slots))
  played.set(key, told)
  return told
}

interface Row {
  pauses: number
  longest: number
  downs: number
  refused: number
  pages: number
  tickets: number
}

async function playYears(density: number, slotMs: number): Promise<Readonly<Record<Setting, Row>>> {
  const random = createRandom(`${values.seed}: ${density}, ${slotMs}`)
  const empty = (): Row => ({ pauses: 0, longest: 0, downs: 0, refused: 0, pages: 0, tickets: 0 })
  const rows = { 'one node': empty(), 'two nodes': empty(), 'two pins, a listed node down': empty() }
  const pauses = pausesOf(density, (years * daysInYear * dayMs) / slotMs, random)
  for (let count = 0; count < pauses; count++) {
    const slots = lengthOf(density, random)
    const phaseMs = slots > 15 ? random() * alarm.periodMs : 0
    for (const setting of settings) {
      const row = rows[setting]
      const { isDown, isRefused } = await toldIn(setting, slotMs, slots)
      row.pauses++
      row.longest = Math.max(row.longest, slots)
      row.downs += Number(isDown)
      row.refused += Number(isRefused)
      row.pages += Number(alarm.rangIn(slots * slotMs, slotMs, phaseMs))
      row.tickets += Number(ticket.rangIn(slots * slotMs + longestGossipMs, slotMs, phaseMs))
    }
  }
  return rows
}

console.log(`${years} years, seed "${values.seed}": pauses of five slots and more, and what was told wrongly in them`)
let allowed = true
const atDensity = new Map<number, number>()
for (const density of densities) {
  for (const slotMs of slotLengths) {
    const rows = Object.entries(await playYears(density, slotMs))
    for (const [setting, { pauses, longest, downs, refused, pages, tickets }] of rows) {
      console.log(
        `${Math.round(density * 100)} %, ${slotMs / 1000} s, ${setting}: ${pauses} pauses, the longest of ${longest} slots; ` +
          `down ${downs}, reads refused ${refused}, pages ${pages}, tickets ${tickets}`,
      )
    }
    // A pause of one chain is one event, in whatever settings it is told.
    const worst = Math.max(...rows.flatMap(([, { downs, refused, pages }]) => [downs, refused, pages]))
    // One row has them all: the ticket looks at the tip alone.
    if (density >= 0.44) allowed &&= (rows[0]?.[1].tickets ?? 0) <= mostTickets
    const slotsInAll = (years * daysInYear * dayMs) / slotMs
    if (density < 0.44) allowed &&= worst <= 2 * slotsInAll * density * (1 - density) ** 30
    else atDensity.set(density, (atDensity.get(density) ?? 0) + worst)
  }
}
const mistakes = [...atDensity.values()].reduce((sum, each) => sum + each, 0)
allowed &&= mistakes <= 1
console.log(`pauses of healthy chains of 44 % and more that were taken for an outage: ${mistakes}`)

for (const slotMs of slotLengths) {
  for (const setting of settings) {
    const { downAtSlot } = await standstillIn(setting, slotMs)
    const pageMs = alarm.latestPageMs(slotMs) - downAtSlot * slotMs
    console.log(
      `${slotMs / 1000} s, ${setting}: a chain that stands still is down after ${downAtSlot} slots, ` +
        `its page comes ${pageMs / 1000} s later at most`,
    )
    allowed &&= downAtSlot <= 32 && pageMs <= 3 * alarm.periodMs
  }
}
for (const [what, { Threshold, Period, EvaluationPeriods }] of Object.entries({ nodeLag, indexerLag })) {
  const rang = lagTickets(
    0.44,
    90_000,
    years,
    { maxLag: Threshold, periodMs: Period * 1000 },
    createRandom(values.seed),
  )
  const latestMs = (EvaluationPeriods + 1) * Period * 1000
  console.log(
    `${what}: tickets on healthy upstreams ${rang}; otherwise at the latest after ${latestMs / 60_000} minutes`,
  )
  allowed &&= rang <= mostTickets && latestMs <= 600_000
}
for (const trouble of ['does not answer', 'stands still'] as const) {
  const { afterMs, where } = await stoppedNode(trouble)
  console.log(`of two nodes one that ${trouble} is told after ${afterMs / 1000} s: ${where.join('; ')}`)
  allowed &&= afterMs <= 120_000
}
if (!allowed) process.exitCode = 1
