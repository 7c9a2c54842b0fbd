// The files of docs/monitoring/ in the programs that they are for: Prometheus 2.42 with json_exporter 0.7.0 and with
// blackbox_exporter 0.27.0, and the shell check. A service over two nodes is ok, degraded, down (its chain halts), gone, and ok
// again: at each the right alert rings, and at ok none. What cannot be installed here is said to be "not run". Exit code 1 for a
// wrong alert, and where nothing ran.
//
//   npm run bench -- monitoring       a minute, and on the first time some more to build the exporters; needs the internet
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { listen } from '../../../local/start/listen.ts'
import { goProgram, prometheus } from '../monitoring/programs.ts'
import { type State, states, switchedService } from '../monitoring/service.ts'

parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean' } } })

const files = join(import.meta.dirname, '../../../docs/monitoring')
const folder = mkdtempSync(join(tmpdir(), 'monitoring-'))
const service = await switchedService()
const played: readonly State[] = [...states, 'ok']
const second = () => new Promise((resolve) => setTimeout(resolve, 1000))

async function freePort(): Promise<number> {
  const { port, close } = await listen(() => undefined, 0, '127.0.0.1')
  await close()
  return port
}

/** A file of the docs in the folder, with places and times of here. */
function fitted(name: string, changes: readonly (readonly [RegExp, string])[]): string {
  const path = join(folder, name)
  const text = readFileSync(join(files, name), 'utf8')
  writeFileSync(
    path,
    changes.reduce((changed, [from, to]) => changed.replaceAll(from, to), text),
  )
  return path
}

const running: ReturnType<typeof spawn>[] = []
const start = (path: string, args: readonly string[]) =>
  running.push(spawn(path, args, { cwd: folder, stdio: 'ignore' }))

const wrong: string[] = []
let ran = 0

function tell(program: string, state: State, got: readonly string[], wanted: readonly string[]): void {
  const isRight = got.join() === wanted.join()
  console.log(`${isRight ? 'ok  ' : 'FAIL'} ${program}, service ${state}: ${got.join(', ') || 'nothing rings'}`)
  if (!isRight) wrong.push(`${program} at ${state}: wanted ${wanted.join(', ') || 'nothing'}`)
}

async function checkShell(): Promise<void> {
  const codes: Readonly<Record<State, number>> = { ok: 0, degraded: 1, down: 2, gone: 3 }
  if ((await promisify(execFile)('sh', ['-c', 'command -v curl']).catch(() => undefined)) === undefined) {
    console.log('not run: check.sh: curl is not installed')
    return
  }
  ran++
  for (const state of played) {
    service.become(state)
    const ended = promisify(execFile)('sh', [join(files, 'check.sh'), service.url])
    const code = await ended.then(
      () => 0,
      (error: { code?: unknown }) => error.code,
    )
    tell('check.sh', state, [`exit code ${code}`], [`exit code ${codes[state]}`])
  }
}

/** The rules of one exporter, by the alert that rings at each state. */
interface Exporter {
  readonly module: string
  readonly version: string
  readonly config: string
  readonly job: string
  readonly defaultPort: string
  readonly alerts: string
}

const exporters: readonly Exporter[] = [
  {
    ...{ module: 'github.com/prometheus-community/json_exporter', version: 'v0.7.0', config: 'json_exporter.yml' },
    ...{ job: 'chain-explorer', defaultPort: '7979', alerts: 'ChainExplorer' },
  },
  {
    ...{ module: 'github.com/prometheus/blackbox_exporter', version: 'v0.27.0', config: 'blackbox.yml' },
    ...{ job: 'chain-explorer-blackbox', defaultPort: '9115', alerts: 'ChainExplorerBlackbox' },
  },
]

/** The answer of Prometheus. */
interface Alerts {
  readonly data: {
    readonly alerts: readonly { readonly state: string; readonly labels: { readonly alertname: string } }[]
  }
}

async function ringing(url: string): Promise<readonly string[]> {
  const answer = await fetch(`${url}/api/v1/alerts`)
  const { data } = (await answer.json()) as Alerts
  const firing = data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
  return [...new Set(firing)].toSorted()
}

/** What rings once it has not changed for five evaluations, or after a minute. */
async function settled(url: string, wanted: readonly string[]): Promise<readonly string[]> {
  let got: readonly string[] = []
  for (let tries = 0, right = 0; tries < 60 && right < 5; tries++) {
    await second()
    got = await ringing(url).catch(() => ['no answer'])
    right = got.join() === wanted.join() ? right + 1 : 0
  }
  return got
}

async function checkPrometheus(): Promise<void> {
  const server = await prometheus(folder)
  if ('obstacle' in server) {
    console.log(`not run: Prometheus: ${server.obstacle}`)
    return
  }
  const used: Exporter[] = []
  const changes: (readonly [RegExp, string])[] = [
    [/https:\/\/explorer\.example\.org/g, service.url],
    [/\b1m\b/g, '1s'],
    [/ +for: \w+\n/g, ''],
  ]
  for (const exporter of exporters) {
    const program = await goProgram(folder, exporter.module, exporter.version)
    if ('obstacle' in program) {
      console.log(`not run: ${exporter.module}: ${program.obstacle}`)
      continue
    }
    used.push(exporter)
    const address = `127.0.0.1:${await freePort()}`
    changes.push([new RegExp(`127\\.0\\.0\\.1:${exporter.defaultPort}`, 'g'), address])
    start(program.path, [`--config.file=${fitted(exporter.config, [])}`, `--web.listen-address=${address}`])
  }
  if (used.length === 0) return
  ran += used.length
  fitted('rules.yml', changes)
  const address = `127.0.0.1:${await freePort()}`
  const config = `--config.file=${fitted('prometheus.yml', changes)}`
  start(server.path, [config, `--web.listen-address=${address}`, `--storage.tsdb.path=${join(folder, 'data')}`])
  const names: Readonly<Record<State, string>> = { ok: '', degraded: 'Degraded', down: 'Down', gone: 'Silent' }
  // An exporter that is not here is silent.
  const missing = exporters.filter((each) => !used.includes(each)).map(({ alerts }) => `${alerts}Silent`)
  for (const state of played) {
    service.become(state)
    const right = state === 'ok' ? [] : used.map(({ alerts }) => alerts + names[state])
    const wanted = [...right, ...missing].toSorted()
    tell(
      ['Prometheus', ...used.map(({ job }) => job)].join(', '),
      state,
      await settled(`http://${address}`, wanted),
      wanted,
    )
  }
}

try {
  await checkShell()
  await checkPrometheus()
} finally {
  for (const child of running) child.kill()
  await service.close()
  rmSync(folder, { recursive: true, maxRetries: 5 })
}
if (ran === 0) console.log('FAIL nothing ran')
for (const each of wrong) console.log(each)
if (ran === 0 || wrong.length > 0) process.exitCode = 1
