import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { projectRoot } from '../../infra/project-root.ts'
import { chosenStage } from '../../infra/settings/stage-file.ts'
import { synthesise } from './synthesis.ts'

const folder = mkdtempSync(join(tmpdir(), 'chain-explorer-app-'))
afterAll(() => rmSync(folder, { recursive: true }))

const noStage = (
  got: string,
  known: string,
  example: string,
): string => `There is no such stage. Nothing was synthesised.

stage
  got      ${got}
  wants    one of ${known}, each of which is a file in config/ named in lower case, digits and hyphens
  example  npm run synth -- -c stage=${example}
  or       EXPLORER_STAGE=${example} npm run synth`

const ours = readdirSync(join(projectRoot, 'config')).map((fileName) => fileName.replace(/\.ts$/, ''))

test('without a stage the app ends with a message, no stack trace and no assembly', async () => {
  const assembly = mkdtempSync(join(folder, 'assembly-'))
  expect(await synthesise(assembly, {})).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `${noStage('no stage', ours.join(', '), ours[0] ?? '')}\n`,
  })
  expect(readdirSync(assembly)).toEqual([])
})

describe('a stage', () => {
  const stages = mkdtempSync(join(folder, 'stages-'))
  writeFileSync(join(stages, 'broken.ts'), "throw new Error('a typing mistake')")
  writeFileSync(join(stages, 'empty.ts'), 'export const network = 1')
  writeFileSync(join(stages, 'good.ts'), "export default { network: 'devnet' }")
  writeFileSync(join(stages, 'README.md'), '')
  const known = 'broken, empty, good'

  test('is chosen by the context, else by the environment', async () => {
    const good = { stage: 'good', file: { network: 'devnet' } }
    expect(await chosenStage({ stage: 'good' }, { EXPLORER_STAGE: 'empty' }, stages)).toEqual(good)
    expect(await chosenStage({}, { EXPLORER_STAGE: 'good' }, stages)).toEqual(good)
  })

  test('that is unknown is refused, with a list of the known ones', async () => {
    await expect(chosenStage({ stage: '../config/good' }, {}, stages)).rejects.toThrow(
      noStage('"../config/good" from the CDK context', known, 'broken'),
    )
    await expect(chosenStage({}, { EXPLORER_STAGE: 'mainet' }, stages)).rejects.toThrow(
      noStage('"mainet" from EXPLORER_STAGE', known, 'broken'),
    )
  })

  test('whose file cannot be used is refused with the reason', async () => {
    await expect(chosenStage({ stage: 'broken' }, {}, stages)).rejects.toThrow(
      'config/broken.ts cannot be read. Nothing was synthesised.\n\nError: a typing mistake',
    )
    await expect(chosenStage({ stage: 'empty' }, {}, stages)).rejects.toThrow(
      'config/empty.ts has no settings as its default export. Nothing was synthesised.',
    )
  })
})
