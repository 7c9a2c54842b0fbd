// npm run check:findings: runs what findings/ says of programs of others, all of it or what is named, each from a clean
// environment. They install what they are about, so the gate does not run them.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../findings')
/** What a clean environment keeps: where programs and folders are, and how a network of one's own is reached. */
const kept =
  /^(?:PATH|HOME|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|HTTPS?_PROXY|NO_PROXY|https?_proxy|no_proxy)$/
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.test(name)))
const names = readdirSync(folder).flatMap((file) => /^(.+)\.sh$/.exec(file)?.[1] ?? [])
const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !names.includes(name))
if (unknown.length > 0) throw new Error(`no finding of this name: ${unknown.join(', ')}; there are ${names.join(', ')}`)

const isInstalled = (program: string) => spawnSync('bash', ['-c', `command -v ${program}`]).status === 0
const missing = ['npm', 'python3', 'mvn', 'java', 'cargo', 'go'].filter((program) => !isInstalled(program))

/** What became of one, in a few words; undefined where it is still so. */
function troubleOf(name: string): string | undefined {
  const file = join(folder, `${name}.sh`)
  const text = readFileSync(file, 'utf8')
  const lacking = missing.filter((program) => new RegExp(`\\b${program} `).test(text))
  if (lacking.length > 0) return `not run: ${lacking.join(', ')} is not installed`
  const { status, signal } = spawnSync('bash', [file], { env, stdio: 'inherit', timeout: 600_000 })
  return status === 0 ? undefined : `failed: ${signal ?? `exit code ${status}`}`
}

let failed = 0
for (const name of chosen.length > 0 ? chosen : names) {
  const beganAt = performance.now()
  console.log(`\n${name}`)
  const trouble = troubleOf(name)
  if (trouble?.startsWith('failed')) failed += 1
  console.log(trouble ?? `still so, after ${((performance.now() - beganAt) / 1000).toFixed(0)} s`)
}
process.exitCode = failed === 0 ? 0 : 1
