// Runs a script under the Node 24 of the lockfile, whichever Node npm runs on. npm before 11.6 does not link the binary
// of an optional platform package, so it is found by its package's name.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Node has import.meta.dirname since 20.11 only.
const root = fileURLToPath(new URL('..', import.meta.url))

/** Ends with a message where the script's packages are missing. */
function requirePackages() {
  const script = process.argv.slice(2).find((argument) => !argument.startsWith('-')) ?? ''
  const needed = /^(?:node_modules|tools|packages)\//.test(script) ? 'jest' : 'marked'
  if (existsSync(join(root, 'node_modules', needed))) return
  console.error(
    'Packages are missing: run `npm ci` first (for npm start and npm run demo, `npm ci --omit=dev` is enough).',
  )
  process.exit(1)
}
requirePackages()

const platform = process.platform === 'win32' ? 'win' : process.platform
const bundled = join(
  root,
  'node_modules',
  `node-${platform}-${process.arch}`,
  'bin',
  platform === 'win' ? 'node.exe' : 'node',
)
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isRecentEnough = major > 24 || (major === 24 && minor >= 9)

const node = isRecentEnough ? process.execPath : bundled
if (!isRecentEnough && !existsSync(bundled)) {
  console.error(
    `This project runs on Node 24.9 or later. This is Node ${process.versions.node}, and npm installed none for ` +
      `${process.platform}-${process.arch}. Install Node 24 and try again.`,
  )
  process.exit(1)
}

/** Node of the lockfile is there, and the system does not start it. */
function endUnstarted({ code, message }) {
  const why =
    code === 'ENOENT'
      ? 'this system lacks the loader or the C library that it is made for, as Alpine does'
      : code === 'EACCES'
        ? 'it may not be executed: its file lacks the right, or its file system is mounted with noexec'
        : message
  console.error(
    `This project runs on Node 24.9 or later. That of its packages cannot be started, since ${why}. ` +
      `Install Node 24 and try again. (${node})`,
  )
  process.exit(1)
}

// For the built-in fetch as well: Node's 250 ms for each address of a name are too short for a far host.
const flags = ['--network-family-autoselection-attempt-timeout=2500']
// A proxy in the environment is for other machines: it cannot reach the servers of this one.
const ownHosts = 'localhost,127.0.0.1,[::1]'
const noProxy = [process.env.no_proxy || process.env.NO_PROXY, ownHosts].filter(Boolean).join(',')
const proxied = process.env.NODE_USE_ENV_PROXY ? { no_proxy: noProxy, NO_PROXY: noProxy } : {}
// Keeps compiled code for the next start. Coverage needs the code compiled each time.
const compiled = process.env.NODE_V8_COVERAGE ? {} : { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') }

const args = process.argv.slice(2)
// A debugger, which comes by NODE_OPTIONS, and coverage want the modules as they are written.
if (args[0] === 'local/start.ts' && !process.env.NODE_OPTIONS && !process.env.NODE_V8_COVERAGE) {
  const { bundleOf } = await import('./start-bundle.mjs')
  args[0] = bundleOf(root, args[0])
}
const child = spawn(node, [...flags, ...args], {
  stdio: 'inherit',
  // Tools that start "node" themselves (cdk, esbuild) must find this one.
  env: { ...compiled, ...process.env, ...proxied, PATH: [dirname(node), process.env.PATH].join(delimiter) },
})
child.on('error', endUnstarted)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))

/** The parent of a process, where that is quick to find out. */
function parentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]
  } catch {
    return undefined
  }
}
// npm passes signals on, but not when it is killed. Between it and this process there may be a shell.
if (process.env.npm_lifecycle_event !== undefined) {
  const startedBy = () => `${process.ppid} ${parentOf(process.ppid)}`
  const atStart = startedBy()
  setInterval(() => startedBy() !== atStart && child.kill('SIGTERM'), 1000).unref()
}
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
