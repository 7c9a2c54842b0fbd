// npm run check: what a change must pass, on a laptop and in the pipeline alike. Stops at the first failure. With --all also
// the longer proofs of the pipeline.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gate, proofs } from './check/commands.ts'

const root = join(import.meta.dirname, '..')
const { all } = parseArgs({ options: { all: { type: 'boolean', default: false } } }).values

const commands = [
  ...gate,
  ...(all ? proofs : []),
  // Install programs of others, so only where it is asked for.
  ...(process.env.CHECK_CLIENTS === '1'
    ? ['npm run check:clients', 'npm run check:o1js', 'npm run check:servers']
    : []),
]

function run(command: string): boolean {
  console.log(`\n$ ${command}`)
  // What a silent command prints is for a file.
  const stdout = command.includes('--silent') ? 'ignore' : 'inherit'
  return spawnSync(command, { cwd: root, shell: true, stdio: ['inherit', stdout, 'inherit'] }).status === 0
}

/** Files of the commit whose lines end otherwise after a clone as Git for Windows makes it. */
function carriageReturns(): readonly string[] {
  const clone = mkdtempSync(join(tmpdir(), 'clone-'))
  const git = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  try {
    git('clone', '--quiet', '--no-hardlinks', '-c', 'core.autocrlf=true', root, clone)
    const files = git('-C', clone, 'ls-files', '--eol').split('\n')
    return files.filter((line) => /\bw\/(?:crlf|mixed)\b/.test(line))
  } finally {
    rmSync(clone, { recursive: true })
  }
}

const times: string[] = []
const startedAt = performance.now()
for (const command of commands) {
  const beganAt = performance.now()
  if (!run(command)) {
    console.error(`\nFAILED: ${command}`)
    process.exit(1)
  }
  times.push(`${((performance.now() - beganAt) / 1000).toFixed(0).padStart(5)} s  ${command}`)
}
const wrongEndings = carriageReturns()
if (wrongEndings.length > 0) {
  console.error(
    `\nFAILED: on Windows these files would get carriage returns; see .gitattributes\n${wrongEndings.join('\n')}`,
  )
  process.exit(1)
}
console.log(`\n${times.join('\n')}\n${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  in all`)
