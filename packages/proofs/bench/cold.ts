// Measures a cold start and a warm request beside the same endpoint written by hand. Every figure is a ratio to the
// hand-written handler on the built-in fetch, in the same turn of one run. Genesis block and chain id are pinned, as every
// stage of a public network pins them. A loopback server stands in for Lambda's Runtime API; each cold start is a new process.
//
//   npm run bench -- cold
//   npm run bench -- cold --quick            a minute's run
//   npm run bench -- cold --rounds 15
//   npm run bench -- cold --beside FOLDER    another checkout of this project too, installed, in the same turns
//   npm run bench -- cold --ric FOLDER       under the aws-lambda-ric in FOLDER, instead of our own runtime client
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cannedNode, embeddedPins } from '../load/canned-node.ts'
import { quantile } from '../load/spread.ts'
import { baseline, otherTitle, sizeOf, type Variant, variantsBeside } from './cold/bundles.ts'
import { originSecret, type Scenario, scenarios } from './cold/scenarios.ts'
import { coldStart, type LambdaResult, lambdaEnvironment, type Sample } from './cold/start.ts'

const { quick, rounds, ric, beside } = parseArgs({
  args: process.argv.slice(3),
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    ric: { type: 'string' },
    beside: { type: 'string' },
  },
}).values
if (process.platform !== 'linux') throw new Error('Processor times are read from /proc, which only Linux has.')

const turns = Number(rounds ?? (quick ? 7 : 21))
const variants = variantsBeside(beside)
const folder = mkdtempSync(join(tmpdir(), 'cold-'))
const cases = await scenarios()
const { genesisStateHash, chainId } = embeddedPins()
const node = await cannedNode(cases.map(({ nodeAnswer }) => nodeAnswer))

const client = join(import.meta.dirname, 'cold/runtime-client.mjs')

function commandFor(code: string): readonly string[] {
  if (ric === undefined) return [client, join(code, 'index.mjs')]
  return [join(resolve(ric), 'node_modules/aws-lambda-ric/index.mjs')]
}

const codeFolder = (scenario: number, variant: Variant): string =>
  join(folder, `${scenario}`, variant.title.replaceAll(/\W+/g, '-'))

async function sampleOf({ event, warmRequests }: Scenario, index: number, variant: Variant): Promise<Sample> {
  const code = codeFolder(index, variant)
  const sample = await coldStart({
    command: commandFor(code),
    env: {
      NODE_GRAPHQL_URL: node.urlOf(index),
      UPSTREAM_TIMEOUT_MS: '8000',
      GENESIS_STATE_HASH: genesisStateHash,
      CHAIN_ID: chainId,
      ORIGIN_SECRETS: originSecret,
      SERVICE_NAME: 'chain-explorer-bench',
      RELEASE: '1.0.0+0123456789ab',
      ...lambdaEnvironment(code),
    },
    event,
    warmRequests: quick ? warmRequests / 4 : warmRequests,
  })
  if (sample.answer.statusCode >= 300) throw new Error(`${variant.title} answers ${JSON.stringify(sample.answer)}`)
  return sample
}

const callersView = ({ statusCode, headers, body }: LambdaResult): string =>
  JSON.stringify([statusCode, headers['content-type'], headers['cache-control'], body])

/** Like a shuffled pack of cards: no variant always follows the same other one. */
const shuffled = <T>(items: readonly T[]): readonly T[] =>
  items
    .map((item) => [Math.random(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item)

const columns = ['coldProcessorMs', 'coldMs', 'warmProcessorMs', 'peakMegabytes'] as const

/** `0.72 (0.70-0.75)`: ratios in the same turn. What slows a turn slows both. */
function ratioOf(values: readonly number[], base: readonly number[]): string {
  const ratios = values.map((value, turn) => value / (base[turn] ?? Number.NaN))
  const [first, median, third] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(2))
  return `${median} (${first}-${third})`
}

/** The same with the median. */
const cellOf = (values: readonly number[], base: readonly number[]): string =>
  `${ratioOf(values, base)} ${quantile(values, 0.5).toPrecision(3)}`.padEnd(24)

function report(
  { title }: Scenario,
  samples: ReadonlyMap<Variant, Sample[]>,
  sizes: ReadonlyMap<Variant, number>,
): void {
  const valuesOf = (variant: Variant, column: (typeof columns)[number]) =>
    (samples.get(variant) ?? []).map((sample) => sample[column])
  console.log(`\n${title}`)
  for (const variant of variants) {
    const cells = columns.map((column) => cellOf(valuesOf(variant, column), valuesOf(baseline, column)))
    const kilobytes = ((sizes.get(variant) ?? 0) / 1024).toFixed(0)
    console.log(`  ${variant.title.padEnd(29)} ${cells.join(' ')} ${kilobytes} KB`)
  }
  if (beside === undefined) return
  const [service, other] = variants
  if (service === undefined || other === undefined) return
  const toOther = columns.map((column) => ratioOf(valuesOf(service, column), valuesOf(other, column)).padEnd(24))
  console.log(`  ${'this service to the other'.padEnd(29)} ${toOther.join(' ')}`)
}

console.log(
  `${turns} turns, Node ${process.version}, ${ric === undefined ? 'stand-in runtime client' : 'aws-lambda-ric'}`,
)
console.log(`Ratios to "${baseline.title}": median (quartiles) and median in ms or MB, for`)
console.log(
  'processor time and time until the first answer, processor time of a warm request, peak memory; and code size',
)
try {
  for (const [index, scenario] of cases.entries()) {
    const samples = new Map(variants.map((variant) => [variant, [] as Sample[]]))
    const sizes = new Map<Variant, number>()
    for (const variant of variants) {
      const code = codeFolder(index, variant)
      mkdirSync(code, { recursive: true })
      await variant.bundle(scenario.endpoint, code)
      sizes.set(variant, sizeOf(code))
    }
    for (let turn = 1; turn <= turns; turn += 1) {
      for (const variant of shuffled(variants)) samples.get(variant)?.push(await sampleOf(scenario, index, variant))
      console.error(`${scenario.title}: turn ${turn} of ${turns}`)
      const answers = [...samples].map(([{ title }, [sample]]) => ({
        title,
        view: sample && callersView(sample.answer),
      }))
      const different = answers.filter(({ title, view }) => title !== otherTitle && view !== answers[0]?.view)
      if (different.length > 0)
        throw new Error(`${different.map(({ title }) => title)}: answers differ from the service's`)
    }
    report(scenario, samples, sizes)
  }
} finally {
  await node.close()
  rmSync(folder, { recursive: true })
}
