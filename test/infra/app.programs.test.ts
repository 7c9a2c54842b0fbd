import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { projectRoot } from '../../infra/project-root.ts'
import { releaseOf } from '../../infra/release.ts'
import { chosenStage } from '../../infra/settings/stage-file.ts'
import { temporaryFolder } from '../serving.ts'
import { synthesise } from './synthesis.ts'

const noStage = (
  got: string,
  known: string,
  example: string,
): string => `This stage does not exist. Nothing was synthesised.

stage
  got      ${got}
  wants    one of ${known}, each of which is a file in config/ named in lower case, digits and hyphens
  example  npm run synth -- -c stage=${example}
  or       EXPLORER_STAGE=${example} npm run synth`

const ours = readdirSync(join(projectRoot, 'config')).map((fileName) => fileName.replace(/\.ts$/, ''))

test('without a stage the app ends with a message, no stack trace and no assembly', async () => {
  const assembly = temporaryFolder()
  expect(await synthesise(assembly, {})).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `${noStage('no stage', ours.join(', '), ours[0] ?? '')}\n`,
  })
  expect(readdirSync(assembly)).toEqual([])
})

describe('a stage', () => {
  const stages = temporaryFolder()
  writeFileSync(join(stages, 'broken.ts'), "// A stage.\nthrow new Error('a typing mistake')")
  writeFileSync(join(stages, 'comma.ts'), "export default {\n  network: 'devnet',\n  key: 's3cret',,\n}")
  writeFileSync(join(stages, 'empty.ts'), 'export const network = 1')
  writeFileSync(join(stages, 'good.ts'), "export default { network: 'devnet' }")
  writeFileSync(join(stages, 'README.md'), '')
  const known = 'broken, comma, empty, good'

  test('comes from the context, else from the environment', async () => {
    const good = { stage: 'good', file: { network: 'devnet' } }
    expect(await chosenStage({ stage: 'good' }, { EXPLORER_STAGE: 'empty' }, stages)).toEqual(good)
    expect(await chosenStage({}, { EXPLORER_STAGE: 'good' }, stages)).toEqual(good)
  })

  test.each([
    ['../config/good', {}, noStage('"../config/good" from the CDK context', known, 'broken')],
    ['', { EXPLORER_STAGE: 'mainet' }, noStage('"mainet" from EXPLORER_STAGE', known, 'broken')],
    ['broken', {}, 'config/broken.ts:2: Error: a typing mistake\n\nNothing was synthesised.'],
    ['empty', {}, 'config/empty.ts has no settings as its default export. Nothing was synthesised.'],
  ])('is refused with the reason: %j %j', async (stage, env, message) => {
    await expect(chosenStage({ stage }, env, stages)).rejects.toThrow(message)
  })

  // Jest parses files itself, so a separate process reads this one.
  test('with a syntax error is refused with the line, and without its text', () => {
    const reading = `
      import { chosenStage } from ${JSON.stringify(join(projectRoot, 'infra/settings/stage-file.ts'))}
      chosenStage({ stage: 'comma' }, {}, ${JSON.stringify(stages)}).catch(({ message }) => process.stdout.write(message))
    `
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', reading], { encoding: 'utf8' })
    expect(stdout).toMatch(/^config\/comma\.ts:3: SyntaxError: Unexpected token .*\n\nNothing was synthesised\.$/)
  })
})

const checkout = temporaryFolder()
const git = (...words: string[]): string =>
  execFileSync('git', ['-C', checkout, '-c', 'user.name=test', '-c', 'user.email=test@example.org', ...words], {
    encoding: 'utf8',
  })

test('the release is the commit, also in a checkout of another user, and two changes are two releases', () => {
  const said: string[] = []
  const released = () => releaseOf(checkout, (line) => said.push(line))
  writeFileSync(join(checkout, 'package.json'), '{ "version": "9.8.7" }')
  const outside = released()
  expect(outside).toEqual({ version: '9.8.7', commit: expect.stringMatching(/^sources-[0-9a-f]{12}$/) })
  expect(said.splice(0)).toEqual([
    expect.stringMatching(
      /^git does not tell the commit \(fatal: not a git repository.*\): the release is named sources-/,
    ),
  ])
  mkdirSync(join(checkout, 'functions'))
  writeFileSync(join(checkout, 'functions/a.ts'), '1')
  expect(released().commit).not.toBe(outside.commit)
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  const commit = git('rev-parse', '--short=12', 'HEAD').trim()
  said.length = 0
  // Of git's own tests: it takes every checkout for another user's.
  const env = { ...process.env, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }
  expect(spawnSync('git', ['-C', checkout, 'rev-parse', 'HEAD'], { env, encoding: 'utf8' }).stderr).toMatch('dubious')
  const asking = `
    import { releaseOf } from ${JSON.stringify(join(projectRoot, 'infra/release.ts'))}
    console.log(releaseOf(${JSON.stringify(checkout)}).commit)`
  const there = spawnSync(process.execPath, ['--input-type=module', '--eval', asking], { env, encoding: 'utf8' })
  expect([there.stdout, there.stderr]).toEqual([`${commit}\n`, ''])
  expect(released()).toEqual({ version: '9.8.7', commit })
  const changes = ['2', '3'].map((text) => {
    writeFileSync(join(checkout, 'functions/a.ts'), text)
    return released().commit
  })
  expect(changes).toEqual(changes.map(() => expect.stringMatching(new RegExp(`^${commit}-dirty-[0-9a-f]{12}$`))))
  expect([new Set(changes).size, said]).toEqual([2, []])
})
