// npm run check:clients: generates clients from openapi.json with programs of others, compiles them, and lets each send all
// requests to the service on an embedded chain. Prints a table. Needs the languages of the tools; a missing one is said.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startService } from '../../../local/start/service.ts'
import { unheldValues } from '../../../shared/contract/parameters.ts'
import { memberOf, parseExactJson } from '../../../shared/mapping/exact-json.ts'
import { broadcastsFor, includedPayment, orphanedCursor } from './check-clients/broadcasts.ts'
import { judges } from './check-clients/judges.ts'
import { startRefusing } from './check-clients/refusing.ts'
import { type ClientTool, type Command, clientTools, type Need, type Places } from './check-clients/tools.ts'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
const minutes = 60_000

const execute = async ({ program, args, cwd = root }: Command, more: readonly string[] = []): Promise<string> => {
  const { stdout } = await run(program, [...args, ...more], { cwd, timeout: 9 * minutes, maxBuffer: 1e8 })
  return stdout
}

const nameOf = (need: Need): string => (typeof need === 'string' ? need : need.name)

const isInstalled = (need: Need): Promise<boolean> =>
  execute({ program: 'sh', args: ['-c', typeof need === 'string' ? `command -v ${need}` : need.probe] }).then(
    () => true,
    () => false,
  )

/** Why a tool is not run; undefined where the machine has all that it needs. */
const obstacleOf = async (needs: readonly Need[]): Promise<string | undefined> => {
  const installed = await Promise.all(needs.map(isInstalled))
  const missing = needs.filter((_need, index) => !installed[index]).map(nameOf)
  return missing.length === 0 ? undefined : `not run: ${missing.join(', ')} is not installed`
}

const lastLines = (error: unknown): string => {
  const { stderr = '', stdout = '', message = String(error) } = Object(error) as Record<string, string>
  return `${message.split('\n')[0]}\n${(stderr || stdout).trim().split('\n').slice(-8).join('\n')}`
}

/** Of the newest block, in all its digits. */
async function totalCurrency(url: string): Promise<string> {
  const answer = parseExactJson(await (await fetch(`${url}/blocks?limit=1`)).text())
  const place = ['blocks', '0', 'protocolState', 'consensusState', 'totalCurrency']
  return String(place.reduce(memberOf, answer))
}

/** The requests that one generated client made right, as cells of the table. */
interface Result {
  readonly cells: readonly string[]
  readonly isRight: boolean
}

async function drive(tool: ClientTool, places: Places): Promise<Result> {
  const service = await startService({ blockSeconds: 3600, log: () => undefined })
  const refusing = await startRefusing()
  try {
    const orphan = orphanedCursor(service)
    const broadcasts = await broadcastsFor(service)
    const publicKey = service.wallets[0]?.publicKey ?? ''
    const { hash: included, amount } = await includedPayment(service)
    const file = join(places.folder, 'requests.json')
    const missing = unheldValues.hash
    await writeFile(file, JSON.stringify({ publicKey, broadcasts, included, missing, orphan, refusing: refusing.url }))
    const wanted = await totalCurrency(service.url)
    const printed = await execute(tool.drive(places), [service.url, file])
    const lineOf = (word: string) => new RegExp(`^${word} (.*)$`, 'm').exec(printed)?.[1]
    const gets = ['currency', 'hash', 'at', 'account', 'height', 'fate', 'missing', ...(tool.alsoReads ?? [])]
    const isRead = (word: string) => (word === 'missing' ? /^404\b/ : /./).test(lineOf(word) ?? '')
    const read = gets.filter(isRead)
    const sent = printed.match(/^sent /gm)?.length ?? 0
    for (const line of printed.match(/^failed .*$/gm) ?? []) console.error(`  ${tool.name}: ${line}`)
    const fate = lineOf('fate')?.toLowerCase()
    const isExact = lineOf('currency') === wanted && fate === `included ${amount}`
    const wrong = `wrong: ${lineOf('currency')} for ${wanted}, ${fate} for ${amount}`
    const integers = isExact ? 'exact' : tool.keepsDigits ? wrong : 'doubles'
    return {
      cells: [`${read.length} of ${gets.length}`, integers, `${sent} of ${broadcasts.length}`],
      isRight: read.length === gets.length && sent === broadcasts.length && (isExact || !tool.keepsDigits),
    }
  } finally {
    await refusing.close()
    await service.close()
  }
}

const chosen = process.argv.slice(2)
const workshop = await mkdtemp(join(tmpdir(), 'check-clients-'))
const rows = [['tool', 'version', 'compiles', 'GETs', 'integers', 'broadcasts']]
const unanswered = ['', '', '']
let failed = 0
try {
  for (const tool of clientTools.filter(
    ({ name }) => chosen.length === 0 || chosen.some((word) => name.includes(word)),
  )) {
    const obstacle = await obstacleOf(tool.needs)
    if (obstacle !== undefined) {
      rows.push([tool.name, tool.version, obstacle, ...unanswered])
      continue
    }
    const folder = join(workshop, tool.name.replace(/\W+/g, '-'))
    await mkdir(folder)
    const places = {
      folder,
      document: join(root, 'openapi.json'),
      drivers: join(import.meta.dirname, 'check-clients/drivers'),
    }
    let compiles = 'no'
    try {
      for (const command of tool.make(places)) await execute(command)
      compiles = 'yes'
      const { cells, isRight } = await drive(tool, places)
      rows.push([tool.name, tool.version, compiles, ...cells])
      if (!isRight) failed += 1
    } catch (error) {
      console.error(`${tool.name}: ${lastLines(error)}`)
      rows.push([tool.name, tool.version, compiles, 'failed', '', ''])
      failed += 1
    }
    console.error(rows.at(-1)?.join(' | '))
    await rm(folder, { recursive: true, force: true })
  }
  for (const judge of judges.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
    const obstacle = await obstacleOf(judge.needs)
    if (obstacle !== undefined) {
      rows.push([judge.name, judge.version, obstacle, ...unanswered])
      continue
    }
    try {
      const found = await judge.run({ folder: workshop, document: join(root, 'openapi.json') }, execute)
      rows.push([judge.name, judge.version, found.text, ...unanswered])
      if (!found.isRight) failed += 1
    } catch (error) {
      console.error(`${judge.name}: ${lastLines(error)}`)
      rows.push([judge.name, judge.version, 'failed', ...unanswered])
      failed += 1
    }
  }
} finally {
  await rm(workshop, { recursive: true, force: true })
}
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
console.log([line(rows[0] ?? []), '| --- | --- | --- | --- | --- | --- |', ...rows.slice(1).map(line)].join('\n'))
process.exitCode = failed === 0 ? 0 : 1
