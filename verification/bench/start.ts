// Measures npm start to its first answer beside another checkout, in turns: processor time of npm and all that it starts.
//
//   npm run bench -- start --beside FOLDER              from the second start on
//   npm run bench -- start --beside FOLDER --first      without what earlier starts have kept
//   npm run bench -- start --beside FOLDER --turns 5    9 by default
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { listen } from '../../local/start/listen.ts'
import { quantile } from '../load/spread.ts'

const { beside, first, turns } = parseArgs({
  args: process.argv.slice(3),
  options: {
    beside: { type: 'string' },
    first: { type: 'boolean', default: false },
    turns: { type: 'string', default: '9' },
  },
}).values
if (beside === undefined) throw new Error('Name the other checkout, with its packages: --beside FOLDER')
if (process.platform !== 'linux') throw new Error('Processor times are read from /proc, which only Linux has.')

/** Processor time of a process, its living children and those that have ended, in hundredths of a second. */
function ticksOf(parent: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, parentId, ...others] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
        const ticks = others.slice(9, 13).reduce((sum, each) => sum + Number(each), 0)
        return [{ id: Number(name), parentId: Number(parentId), ticks }]
      } catch {
        return []
      }
    })
  const sumFrom = (id: number): number =>
    processes.reduce(
      (sum, each) => sum + (each.id === id ? each.ticks : 0) + (each.parentId === id ? sumFrom(each.id) : 0),
      0,
    )
  return sumFrom(parent)
}

async function processorMs(folder: string): Promise<number> {
  if (first)
    for (const kept of ['compiled', 'start'])
      rmSync(join(folder, 'node_modules/.cache', kept), { recursive: true, force: true })
  const { port, close } = await listen(() => undefined, 0, '127.0.0.1')
  await close()
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const npm = spawn('npm', ['start'], { cwd: folder, env: { ...env, PORT: String(port) }, stdio: 'ignore' })
  const ended = once(npm, 'exit')
  const answered = () =>
    fetch(`http://127.0.0.1:${port}/summary`)
      .then(({ ok }) => ok)
      .catch(() => false)
  while (!(await answered())) {
    if (npm.exitCode !== null) throw new Error(`npm start in ${folder} ends with ${npm.exitCode}`)
    await wait(15)
  }
  const ms = ticksOf(npm.pid ?? 0) * 10
  npm.kill()
  await ended
  return ms
}

const [own, other] = [process.cwd(), resolve(beside)]
const seen: { own: number; other: number }[] = []
// What the first start keeps is not counted.
if (!first) for (const folder of [own, other]) await processorMs(folder)
for (let turn = 0; turn < Number(turns); turn += 1) {
  const otherFirst = turn % 2 === 0 ? await processorMs(other) : undefined
  const ownMs = await processorMs(own)
  seen.push({ own: ownMs, other: otherFirst ?? (await processorMs(other)) })
}
const spread = (values: readonly number[], digits: number) =>
  [0.5, 0.25, 0.75].map((share) => quantile(values, share).toFixed(digits)).join(', ')
console.log(`median and quartiles of ${turns} ${first ? 'first' : 'later'} starts, processor time to the first answer`)
console.log(
  `here ${spread(
    seen.map((each) => each.own),
    0,
  )} ms; there ${spread(
    seen.map((each) => each.other),
    0,
  )} ms`,
)
console.log(
  `ratio ${spread(
    seen.map((each) => each.own / each.other),
    2,
  )}`,
)
