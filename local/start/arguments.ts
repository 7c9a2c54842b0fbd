// The settings of `npm start`, all from the environment.
import { settingWords, stageRows } from '../../shared/deployment/stage-settings.ts'

export interface StartArguments {
  readonly port: number
  /** Of the embedded node, its indexer and the chain's controls. */
  readonly nodePort: number
  readonly host: string
  readonly blockSeconds: number
  readonly slotsPerEpoch: number
  readonly keptBlocks: number
  /** The folder that keeps the embedded chain over a restart. */
  readonly keep?: string
}

const column = 34

/** One setting of the functions. A key that AWS holds is nothing for a laptop. */
function lineOf([name, row]: (typeof stageRows)[number]): readonly string[] {
  if (row.kind === 'credential') return []
  const given = typeof row.default === 'object' ? row.variable : `${row.variable}=${row.default}`
  const form = { headers: ', as a JSON object', nodeList: ', as a JSON list' }[String(row.kind)] ?? ''
  return [`  ${given}`.padEnd(column) + settingWords[name] + form]
}

export const usage = `npm start
  the service on an embedded chain
npm start -- --flaky [RATE]
  the same, with a node that loses, delays and breaks that share of its answers (0.3): try your own code on it
npm start -- --lenient
  the same, with a payload read as leniently as data: for wallets of the old service
npm start -- --lines FILE
  the same, and adds to a file the lines that deployed functions log, metrics included: for the runbook's queries
NODE_GRAPHQL_URL=http://127.0.0.1:3085/graphql npm start
  the service in front of your own node; several addresses, separated by commas, are several nodes

Variables of the laptop, with their defaults:
  PORT=8080 HOST=127.0.0.1 BLOCK_SECONDS=10 SLOTS_PER_EPOCH=40
  KEPT_BLOCKS=20000       blocks that the embedded chain remembers, some 100 MB
  KEEP=FOLDER             the embedded chain goes on from there at the next start; none by default
  NODE_PORT=3085          of the embedded node, its indexer and /chain; any free one by default
Variables of the service, as its functions have them too, with their defaults:
${stageRows.flatMap(lineOf).join('\n')}`

type Environment = Readonly<Record<string, string | undefined>>

function readWhole(env: Environment, variable: string, defaultValue: number, min: number, max: number): number {
  const text = env[variable] || String(defaultValue)
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new Error(
    `${variable}: wanted a whole number from ${min} to ${max} such as ${variable}=${defaultValue}, got ${JSON.stringify(text)}`,
  )
}

const ownVariables = ['PORT', 'HOST', 'BLOCK_SECONDS', 'SLOTS_PER_EPOCH', 'KEPT_BLOCKS', 'KEEP', 'NODE_PORT']

/** Of words with an underscore: a short word may be any program's. */
const variables = [...ownVariables, ...stageRows.map(([, { variable }]) => variable)]
const distinctive = variables.filter((name) => name.includes('_'))

/** How many letters have to be put in, taken out or changed to make one word of another. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1]
    for (const [place, other] of Array.from(to).entries()) {
      const changed = (row[place] ?? 0) + Number(letter !== other)
      next.push(Math.min(changed, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** Two letters may differ in a long name, one in a short one: NODE_PATH is another program's, not NODE_PORT. */
const isNearly = (name: string, variable: string): boolean =>
  Math.abs(name.length - variable.length) <= 2 && distance(name, variable) <= (variable.length < 10 ? 1 : 2)

/** @throws Error of one line that names a variable which is almost one of these */
function refuseMisspelt(env: Environment): void {
  for (const name of Object.keys(env)) {
    if (variables.includes(name)) continue
    const meant = distinctive.find((variable) => isNearly(name, variable))
    if (meant !== undefined) throw new Error(`${name}: unknown variable. Did you mean ${meant}?`)
  }
}

/** @throws Error of one line that names the variable, what it got and what it wants */
export function readArguments(env: Environment): StartArguments {
  refuseMisspelt(env)
  return {
    port: readWhole(env, 'PORT', 8080, 0, 65_535),
    nodePort: readWhole(env, 'NODE_PORT', 0, 0, 65_535),
    host: env.HOST || '127.0.0.1',
    blockSeconds: readWhole(env, 'BLOCK_SECONDS', 10, 1, 3600),
    slotsPerEpoch: readWhole(env, 'SLOTS_PER_EPOCH', 40, 2, 100_000),
    keptBlocks: readWhole(env, 'KEPT_BLOCKS', 20_000, 100, 1_000_000),
    ...(env.KEEP && { keep: env.KEEP }),
  }
}

/** The message for the terminal when the service could not start. */
export function startFailure(
  error: unknown,
  { host, port, nodePort }: Pick<StartArguments, 'host' | 'port' | 'nodePort'>,
): string {
  const { code, port: taken } = Object(error)
  if (nodePort !== port && nodePort === taken)
    return `NODE_PORT: ${nodePort} cannot be had (${code}). NODE_PORT=0 npm start takes any free port`
  switch (code) {
    case 'EADDRINUSE':
      return `PORT: ${port} on ${host} is in use by another program. PORT=0 npm start takes any free port`
    case 'EACCES':
      return `PORT: ${port} needs more rights than this user has. Choose a port above 1023: PORT=8080 npm start`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST: ${host} is not an address of this machine. 127.0.0.1 serves this machine only, 0.0.0.0 every machine that can reach it`
    default:
      return error instanceof Error ? error.message : String(error)
  }
}
