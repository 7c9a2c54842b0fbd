// Selects the stage and loads its file in config/.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { importFault, stageOf } from '../../shared/deployment/stage-file.ts'
import { projectRoot } from '../project-root.ts'
import type { Variables } from './given.ts'
import { quoted } from './kinds.ts'
import { SettingsError } from './mistakes.ts'

/** The selected stage. */
export interface ChosenStage {
  readonly stage: string
  /** The default export of its file, unchecked. */
  readonly file: object
}

function refuseStage(got: string, known: readonly string[]): never {
  const [example = 'devnet'] = known
  throw new SettingsError(
    [
      'This stage does not exist. Nothing was synthesised.',
      '',
      'stage',
      `  got      ${got}`,
      `  wants    one of ${known.join(', ')}, each of which is a file in config/ named in lower case, digits and hyphens`,
      `  example  npm run synth -- -c stage=${example}`,
      `  or       EXPLORER_STAGE=${example} npm run synth`,
    ].join('\n'),
  )
}

/**
 * Loads the stage that `-c stage=…` selects, or else `EXPLORER_STAGE`.
 *
 * @param folder of the stage files
 * @throws SettingsError with the known stages, or with the reason why the file cannot be used
 */
export async function chosenStage(
  context: Readonly<Record<string, unknown>>,
  env: Variables,
  folder = join(projectRoot, 'config'),
): Promise<ChosenStage> {
  const known = readdirSync(folder).flatMap((fileName) => stageOf(fileName) ?? [])
  const stage = context.stage || env.EXPLORER_STAGE
  if (stage === undefined || stage === '') refuseStage('no stage', known)
  if (typeof stage !== 'string' || !known.includes(stage)) {
    refuseStage(`${quoted(stage)} from ${context.stage ? 'the CDK context' : 'EXPLORER_STAGE'}`, known)
  }
  const fileName = `config/${stage}.ts`
  let exported: { readonly default?: unknown }
  try {
    exported = await import(pathToFileURL(join(folder, `${stage}.ts`)).href)
  } catch (error) {
    throw new SettingsError(`${importFault(error, fileName)}\n\nNothing was synthesised.`)
  }
  const { default: file } = exported
  if (typeof file !== 'object' || file === null) {
    throw new SettingsError(`${fileName} has no settings as its default export. Nothing was synthesised.`)
  }
  return { stage, file }
}
