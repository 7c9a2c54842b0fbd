// The settings of a stage, as far as the doctor needs them, from its file in config/ and the overriding environment.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

type Environment = Readonly<Record<string, string | undefined>>

/** Settings by the names that the stage files give them; times in milliseconds. */
export type Stage = Readonly<Partial<Record<StageKey, string>>>

const keys = [
  'network',
  'chainId',
  'nodeGraphqlUrl',
  'upstreamTimeoutMs',
  'indexerGraphqlUrl',
  'indexerTimeoutMs',
  'indexerStakesTimeoutMs',
] as const
type StageKey = (typeof keys)[number]

const variableOf = (key: StageKey): string => `EXPLORER_${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`

function knownStages(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? [])
  } catch {
    return []
  }
}

function textOf(stage: string, key: StageKey, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new Error(`config/${stage}.ts: ${key} is neither text nor a number`)
}

/**
 * Reads a stage; `EXPLORER_NODE_GRAPHQL_URL` and the like go before the file, as they do at synth.
 *
 * @param folder of the stage files
 * @throws Error for an unknown stage, naming the known ones, and for a file that cannot be read
 */
export async function readStage(stage: string, folder: string, env: Environment): Promise<Stage> {
  const known = knownStages(folder)
  if (!known.includes(stage)) {
    throw new Error(`--stage: there is no config/${stage}.ts; the stages are ${known.join(', ') || 'none yet'}`)
  }
  const file: { readonly default?: unknown } = await import(pathToFileURL(join(folder, `${stage}.ts`)).href)
  if (typeof file.default !== 'object' || file.default === null) {
    throw new Error(`config/${stage}.ts: its default export is no settings`)
  }
  const settings: Readonly<Record<string, unknown>> = { ...file.default }
  const entries = keys.map((key) => [key, env[variableOf(key)] || textOf(stage, key, settings[key])])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
