// npm run check: what a change must pass, on a laptop and in the pipeline alike. Stops at the first failure.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stageOf } from '../shared/deployment/stage-file.ts'

const root = join(import.meta.dirname, '..')
const stages = readdirSync(join(root, 'config')).flatMap((file) => stageOf(file) ?? [])

const commands = [
  'npm test -- --all',
  'npm run lint',
  'npm run types',
  ...stages.map((stage) => `npm run synth -- -c stage=${stage}`),
  // Installs generators and compilers' packages, so only where it is asked for.
  ...(process.env.CHECK_CLIENTS === '1' ? ['npm run check:clients'] : []),
]

function run(command: string): boolean {
  console.log(`\n$ ${command}`)
  return spawnSync(command, { cwd: root, shell: true, stdio: 'inherit' }).status === 0
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
