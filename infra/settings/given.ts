// The settings that are given for a stage: in its file, in EXPLORER_ variables, and in the CDK context.
import { closest, distance } from 'fastest-levenshtein'
import { settingVariable, withoutReplaced } from '../../shared/deployment/stage-file.ts'
import { hidden, quoted } from './kinds.ts'
import type { Mistake } from './mistakes.ts'
import { settings, settingsAt } from './settings.ts'

/** Environment variables, those of other programs included. */
export type Variables = Readonly<Record<string, string | undefined>>

export interface SettingValue {
  readonly value: unknown
  /** A stage file, a variable, or the CDK context. */
  readonly origin: string
}

interface PlacedSettingValue extends SettingValue {
  /** Key path or variable, as it is written. */
  readonly at: string
  /** Key path; empty for a variable without one. */
  readonly path: string
}

/** Null lifts a limit that has a default; elsewhere it is as good as nothing. */
function isNothing({ path, value }: PlacedSettingValue): boolean {
  const setting = settings.get(path)
  const isLifted = value === null && setting?.fallback !== null && setting?.schema.safeParse(null).success
  return !isLifted && (value === undefined || value === null || value === '')
}

/** The key paths of settings and of their groups. */
const pathsByVariable = new Map(
  [...settings.keys()].flatMap((key) =>
    [...key.matchAll(/\.|$/g)].map(({ index }) => [settingVariable(key.slice(0, index)), key.slice(0, index)] as const),
  ),
)

/**
 * A word left out is the usual mistake, EXPLORER_NODE_URL for EXPLORER_NODE_GRAPHQL_URL; after that, single letters. A name with
 * more other letters than common ones was not mistyped.
 */
function nearestPath(variable: string): string | undefined {
  const names = [...pathsByVariable.keys()]
  const withAllWords = names.find((name) => variable.split('_').every((word) => name.split('_').includes(word)))
  if (withAllWords !== undefined) return pathsByVariable.get(withAllWords)
  const name = closest(variable, names)
  const letters = Math.max(variable.length, name.length) - settingVariable('').length
  return distance(variable, name) * 2 <= letters ? pathsByVariable.get(name) : undefined
}

function wrongKey({ at, path, value, origin }: PlacedSettingValue): Mistake {
  const isVariable = at === origin
  const members = settingsAt(path)
  const nearest = nearestPath(isVariable ? at : settingVariable(at))
  const near = members.length === 0 && nearest !== undefined ? settingsAt(nearest) : members
  const [setting] = near
  const names = near.map(({ key }) => (isVariable ? settingVariable(key) : key)).join(', ')
  const place = { origin: isVariable ? 'the environment' : origin, at, setting }
  if (members.length > 0) {
    const got = members.some(({ show }) => show !== undefined) ? hidden : quoted(value)
    return { ...place, got, wants: `the settings of this group: ${names}` }
  }
  const got = 'an unknown key'
  if (setting === undefined) return { ...place, got, wants: 'a setting; docs/operations.md lists them all' }
  return { ...place, got, wants: `a setting; the nearest ${near.length > 1 ? 'are' : 'is'} ${names}` }
}

/** The values of a stage file by key path. Descends into groups only. */
function* valuesOf(part: object, prefix = ''): Generator<readonly [path: string, value: unknown]> {
  for (const [name, value] of Object.entries(part)) {
    const path = prefix + name
    const isGroup = !settings.has(path) && settingsAt(path).length > 0
    if (isGroup && typeof value === 'object' && value !== null && !Array.isArray(value))
      yield* valuesOf(value, `${path}.`)
    else yield [path, value]
  }
}

/**
 * Gathers what is given. The context takes precedence over the environment, and that over the file. Empty text and null
 * count as not given, but for a limit that null lifts. What belongs to a single node and `nodes` replace each other.
 *
 * @param fileName of the stage file, for messages
 * @param context of the CDK, whose own keys have a hyphen, a colon or a slash
 */
export function gatherSettings(
  file: object,
  fileName: string,
  context: Readonly<Record<string, unknown>>,
  env: Variables,
): { readonly given: ReadonlyMap<string, SettingValue>; readonly mistakes: readonly Mistake[] } {
  const inFile = [...valuesOf(file)].map(([path, value]) => ({ at: path, path, value, origin: fileName, rank: 0 }))
  const inEnv = Object.entries(env)
    .filter(([variable]) => variable.startsWith('EXPLORER_') && variable !== 'EXPLORER_STAGE')
    .map(([at, value]) => ({ at, path: pathsByVariable.get(at) ?? '', value, origin: at, rank: 1 }))
  const inContext = Object.entries(context)
    .filter(([key]) => /^[\w.]+$/.test(key) && key !== 'stage')
    .map(([path, value]) => ({ at: path, path, value, origin: 'the CDK context', rank: 2 }))
  const all = [...inFile, ...inEnv, ...inContext].filter((each) => !isNothing(each))
  const known = all.filter(({ path }) => settings.has(path))
  return {
    given: new Map(withoutReplaced(known).map((each) => [each.path, each])),
    mistakes: all.filter(({ path }) => !settings.has(path)).map(wrongKey),
  }
}
