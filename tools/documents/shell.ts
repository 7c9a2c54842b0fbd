// Commands in a shell like the reader's: without what npm and the launcher put into the environment of this script.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const root = join(import.meta.dirname, '../..')
const logs = mkdtempSync(join(tmpdir(), 'documented-commands-'))
let started = 0

/** Commands that have not ended. */
const running = new Set<ChildProcess>()

// Separate groups would outlive this script.
process.on('exit', () => {
  for (const child of running) signal(child, 'SIGTERM')
  rmSync(logs, { recursive: true })
})
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(1))

const pathOutside = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(root))

const readersEnvironment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^INIT_CWD$/.test(name))),
  PATH: pathOutside.join(delimiter),
}

/** A command that was started, with all that it starts in turn. */
export interface Started {
  readonly output: () => string
  /** The exit code; null when it was ended from here. */
  readonly ended: Promise<number | null>
  /** Ends it, by its id. */
  readonly end: () => Promise<void>
}

/** @param environment beside the reader's own */
export function start(command: string, environment: Readonly<Record<string, string>> = {}): Started {
  started += 1
  const log = join(logs, `${started}.log`)
  const file = openSync(log, 'w')
  const child = spawn(command, {
    shell: true,
    cwd: root,
    env: { ...readersEnvironment, ...environment },
    stdio: ['ignore', file, file],
    // In a separate group, so that it can be ended with its children.
    detached: process.platform !== 'win32',
  })
  running.add(child)
  const ended = once(child, 'exit').then(([code]): number | null => {
    running.delete(child)
    return code
  })
  return { output: () => readFileSync(log, 'utf8'), ended, end: () => endGroup(child, ended) }
}

/** To a command and all that it started, by its id. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (!running.has(child) || child.pid === undefined) return
  if (process.platform === 'win32') child.kill(name)
  else process.kill(-child.pid, name)
}

async function endGroup(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  signal(child, 'SIGTERM')
  await Promise.race([ended, pause(20_000, undefined, { ref: false })])
  signal(child, 'SIGKILL')
  await ended
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

/**
 * Waits for a service's first answer.
 *
 * @returns whether there was one before the service ended and within the time
 */
export async function answers(url: string, { ended }: Started, milliseconds: number): Promise<boolean> {
  const isOver = ended.then(() => true)
  for (const limit = Date.now() + milliseconds; Date.now() < limit; ) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.status === 200) return true
    if (await Promise.race([isOver, pause(250, false)])) return false
  }
  return false
}
