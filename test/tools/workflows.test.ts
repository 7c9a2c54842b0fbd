// The workflows say the same as the repository: nothing here can run them.
import { execSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { stageOf } from '../../shared/deployment/stage-file.ts'
import { gate, proofs } from '../../tools/check/commands.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const workflows = readdirSync(join(root, '.github/workflows')).map((file) => `.github/workflows/${file}`)
const { scripts } = JSON.parse(read('package.json'))

describe.each(workflows)('%s', (file) => {
  const text = read(file)

  test('pins each action to a commit, with its version beside', () => {
    const uses = Array.from(text.matchAll(/uses: (.*)/g), ([, action = '']) => action)
    expect(uses.length).toBeGreaterThan(0)
    expect(uses.filter((action) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([])
  })

  test('runs scripts that there are', () => {
    const named = Array.from(text.matchAll(/npm run (?:--silent )?([\w:-]+)/g), ([, name = '']) => name)
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  })

  test('writes nothing into a command that its starter chose', () => {
    const commands = text.match(/\brun: (?!\|).*|\brun: \|\n(?: {10}.*\n|\n)+/g) ?? []
    expect(commands.filter((command) => /\$\{\{ *(?:inputs|github)\b/.test(command))).toEqual([])
    expect(commands.length).toBe(text.match(/\brun:/g)?.length)
  })

  test('gives no right to all of its jobs but to read', () => {
    expect(/^permissions:\n {2}contents: read\n\n/m.test(text)).toBe(true)
  })
})

test('the workflow of deployments lists the stages of config/, and each job waits for a variable or for one that does', () => {
  const text = read('.github/workflows/deploy.yml')
  const stages = readdirSync(join(root, 'config')).flatMap((file) => stageOf(file) ?? [])
  const [, listing = ''] = /run: echo "stages=\$\((.*)\)" >>/.exec(text) ?? []
  expect(JSON.parse(execSync(listing, { cwd: root, encoding: 'utf8' }))).toEqual(stages.sort())
  expect(stages.filter((stage) => text.includes(stage))).toEqual([])
  const [, jobs = ''] = text.split(/^jobs:\n/m)
  const conditions = jobs.split(/^ {2}(?=\w)/m).flatMap((job) => job.match(/^ {4}(?:if|needs): .*/m)?.[0].trim() ?? [])
  expect(conditions).toEqual([
    "if: github.event_name == 'workflow_dispatch' && vars.DEPLOY_ROLE != ''",
    'needs: compare',
    "if: github.event_name == 'schedule' && vars.DRIFT_ROLE != ''",
    'needs: stages',
  ])
})

/** Commands of the pipeline that `npm run check` leaves out, and why. */
const onlyInPipeline: Readonly<Record<string, string>> = {
  'npm ci': 'a laptop has installed',
  'npm install --global npm@${{ matrix.npm }}': 'the oldest npm that is supported',
  'npm audit --omit=dev --workspaces=false --audit-level=high': 'it fails by what others find, not by a change',
}

test('the pipeline of changes runs what `npm run check -- --all` runs, and little else', () => {
  const text = read('.github/workflows/check.yml')
  const run = Array.from(text.matchAll(/\brun: (.*)/g), ([, command = '']) => command.replace(/ > \S+$/, ''))
  expect(read('.ci/run')).toMatch(/^npm ci$[\s\S]*^npm run check\b/m)
  const ofPipeline = new Set(run.flatMap((command) => (command === 'bash .ci/run' ? gate : [command])))
  const ofCheck = [...gate, ...proofs]
  expect(ofCheck.filter((command) => !ofPipeline.has(command))).toEqual([])
  const others = [...ofPipeline].filter((command) => !ofCheck.includes(command))
  expect(others.toSorted()).toEqual(Object.keys(onlyInPipeline).toSorted())
})

test('what a workflow writes into a file is without the banner of npm', () => {
  const redirected = workflows.flatMap((file) => read(file).match(/npm run .* > \S+/g) ?? [])
  expect(redirected.filter((command) => !command.startsWith('npm run --silent '))).toEqual([])
})

test('a release attests the origin of every file that it publishes, before it publishes them', () => {
  const text = read('.github/workflows/release.yml')
  const steps = text.matchAll(/attest-build-provenance|subject-path: (\S+)|gh release create \S+ (\S+)/g)
  expect(Array.from(steps, ([step, attested, published]) => attested ?? published ?? step)).toEqual([
    'attest-build-provenance',
    'release/*',
    'release/*',
  ])
  expect(text).toContain('      id-token: write\n      attestations: write\n')
})
