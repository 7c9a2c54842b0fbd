// The settings of a stage that the doctor needs, from its file in config/ and the environment.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { importFault, settingVariable, stageOf, withoutReplaced } from '../../../shared/deployment/stage-file.ts'
import { type StageSettingName, stageRows } from '../../../shared/deployment/stage-settings.ts'
import { memberOf } from '../../../shared/mapping/exact-json.ts'

type Environment = Readonly<Record<string, string | undefined>>

type CredentialPart = 'header' | 'secret' | 'parameter'

type Key = 'network' | StageSettingName | `${'node' | 'indexer'}Credential.${CredentialPart}`

/** Key paths of settings; objects, such as headers, are read as JSON. */
const keys: readonly string[] = [
  'network',
  ...stageRows.flatMap(([name, { kind }]) =>
    kind === 'credential' ? ['header', 'secret', 'parameter'].map((part) => `${name}.${part}`) : [name],
  ),
]

/** The values that a stage sets, as text. */
export type Stage = Readonly<Partial<Record<Key, string>>>

function knownStages(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((fileName) => stageOf(fileName) ?? [])
  } catch {
    return []
  }
}

function textAt(file: object, key: string): string | undefined {
  const value: unknown = key.split('.').reduce<unknown>(memberOf, file)
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

async function read(stage: string, folder: string): Promise<{ readonly default?: unknown }> {
  try {
    return await import(pathToFileURL(join(folder, `${stage}.ts`)).href)
  } catch (error) {
    throw new Error(importFault(error, `config/${stage}.ts`))
  }
}

/**
 * Reads a stage. Variables such as `EXPLORER_NODE_GRAPHQL_URL` take precedence over the file, as they do at synthesis.
 * The values are checked where they are used.
 *
 * @param folder of the stage files
 * @throws Error for an unknown stage, naming the known ones, and for a file that cannot be read or has no settings
 */
export async function readStage(stage: string, folder: string, env: Environment): Promise<Stage> {
  const known = knownStages(folder)
  if (!known.includes(stage)) {
    const stages = known.length === 0 ? 'there are no stages' : `the stages are ${known.join(', ')}`
    throw new Error(`--stage: there is no config/${stage}.ts; ${stages}`)
  }
  const { default: file } = await read(stage, folder)
  if (typeof file !== 'object' || file === null) {
    throw new Error(`config/${stage}.ts: its default export is not an object`)
  }
  const given = keys.flatMap((path) => {
    const [variable, ofFile] = [env[settingVariable(path)], textAt(file, path)]
    if (variable) return [{ path, text: variable, rank: 1 }]
    return ofFile === undefined ? [] : [{ path, text: ofFile, rank: 0 }]
  })
  return Object.fromEntries(withoutReplaced(given).map(({ path, text }) => [path, text]))
}
