// npm run check:documents: runs each command of the documents that anyone can run, in a fresh clone after `npm ci`, and
// says of each other one why it was left out.
//
//   npm run check:documents             some ten minutes
//   npm run check:documents -- WORD     the commands with that word only
//   npm run check:documents -- --list   what would be run
import { parseArgs } from 'node:util'
import { documentedCommands } from './documents/read.ts'
import { localAddress, type Rule, ruleOf, rules } from './documents/rules.ts'
import { answers, freePort, type Started, start } from './documents/shell.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { list: { type: 'boolean' } } })
const [word = ''] = positionals

const port = await freePort()
const address = `http://127.0.0.1:${port}`
const minute = 60_000

type Runnable = Exclude<Rule, { readonly how: 'not here' }>
interface Row {
  readonly command: string
  readonly places: readonly string[]
  readonly result: string
  readonly seconds?: number
}

const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-25).join('\n')

function report(started: Started, problem: string): string {
  console.log(`${lastLines(started.output())}\n${problem}`)
  return `FAILED: ${problem}`
}

async function toItsEnd(command: string, { minutes = 5, environment }: Runnable): Promise<string> {
  const started = start(command, environment)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), minutes * minute)
  })
  const code = await Promise.race([started.ended, late])
  clearTimeout(timer)
  if (code === 'late') await started.end()
  if (code === 0) return 'ok'
  return report(started, code === 'late' ? `not done after ${minutes} minutes` : `exit code ${code}`)
}

async function served(command: string): Promise<string> {
  const started = start(command, { PORT: `${port}` })
  const isServing = await answers(`${address}/summary`, started, 2 * minute)
  await started.end()
  return isServing ? 'ok' : report(started, 'no answer')
}

/** The service beside which other commands are run, from the first of them on. */
let service: { readonly started: Started; readonly node: string } | undefined
async function theService(): Promise<{ readonly started: Started; readonly node: string }> {
  if (service !== undefined) return service
  const started = start('npm start', { PORT: `${port}` })
  await answers(`${address}/summary`, started, 2 * minute)
  const node = /^Node GraphQL +(\S+)/m.exec(started.output())?.[1] ?? 'no address in the output of npm start'
  service = { started, node }
  return service
}

async function run(command: string, rule: Runnable): Promise<string> {
  if (rule.how === 'serve') return served(command)
  let typed = command
  for (const [name, value] of Object.entries(rule.standIns ?? {})) typed = typed.replaceAll(name, value)
  if (rule.first !== undefined) {
    const prepared = await toItsEnd(rule.first, rule)
    if (prepared !== 'ok') return prepared
  }
  if (rule.how === 'end') return toItsEnd(typed, rule)
  const { node } = await theService()
  return toItsEnd(typed.replaceAll('<node>', node).replaceAll(localAddress, address), rule)
}

const chosen = Array.from(documentedCommands(), ([command, places]) => ({ command, places, place: ruleOf(command) }))
  .filter(({ command }) => command.includes(word))
  .sort((one, other) => one.place - other.place)

const rows: Row[] = []
for (const { command, places, place } of chosen) {
  const rule = rules[place]
  if (rule === undefined) rows.push({ command, places, result: 'FAILED: no rule of tools/documents/rules.ts knows it' })
  else if (rule.how === 'not here') rows.push({ command, places, result: `left out: ${rule.reason}` })
  else if (values.list) rows.push({ command, places, result: rule.how })
  else {
    console.log(`$ ${command}`)
    const startedAt = performance.now()
    const result = await run(command, rule)
    rows.push({ command, places, result, seconds: Math.round((performance.now() - startedAt) / 1000) })
  }
}
await service?.started.end()

for (const { command, places, result, seconds } of rows) {
  const time = seconds === undefined ? '' : `${seconds} s`
  console.log(`${time.padStart(6)}  ${command}\n        ${result}   (${places.join(', ')})`)
}
const failed = rows.filter(({ result }) => result.startsWith('FAILED'))
const left = rows.filter(({ result }) => result.startsWith('left out'))
const others = rows.length - failed.length - left.length
console.log(
  `\n${rows.length} commands: ${others} ${values.list ? 'to run' : 'ok'}, ${failed.length} failed, ${left.length} left out`,
)
process.exitCode = failed.length === 0 ? 0 : 1
