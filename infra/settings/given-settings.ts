// What is given for a stage, and where: its file, EXPLORER_ variables, and the CDK context, of which the last goes first.
import { settingVariable } from '../../shared/deployment-names.ts'
import type { Mistake } from './setting-mistake.ts'
import { hidden, quoted } from './setting-rules.ts'
import { isSettingKey, type SettingKey, settingKeys } from './setting-table.ts'

/** Settings as text, by name; others than settings may be among them. */
export type Variables = Readonly<Record<string, string | undefined>>

interface Given {
  readonly value: unknown
  /** A stage file, a variable, or the CDK context. */
  readonly origin: string
}

export type GivenSettings = ReadonlyMap<SettingKey, Given>

/** The settings under each key path: one under its own, several under what holds them, `throttles` say. */
const keysByPath = new Map<string, [SettingKey, ...SettingKey[]]>()
for (const key of settingKeys) {
  const ends = [...key.matchAll(/\.|$/g)].map(({ index }) => index)
  for (const path of ends.map((end) => key.slice(0, end))) {
    const keys = keysByPath.get(path)
    if (keys === undefined) keysByPath.set(path, [key])
    else keys.push(key)
  }
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Who writes a name wrong leaves something out more often than not: EXPLORER_NODE_URL for EXPLORER_NODE_GRAPHQL_URL. */
const leftOut = 0.25

/** Single changes that make one text of the other, a letter left out counting less. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index * leftOut)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + leftOut))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

function nearest(name: string, nameOf: (path: string) => string): readonly [SettingKey, ...SettingKey[]] {
  const farOff = [...keysByPath].map(([path, keys]) => ({
    keys,
    far: distance(name.toLowerCase(), nameOf(path).toLowerCase()),
  }))
  return farOff.reduce((best, other) => (other.far < best.far ? other : best)).keys
}

function unknown(origin: string, at: string, nameOf: (path: string) => string): Mistake {
  const keys = nearest(at, nameOf)
  const wants = `a setting; the nearest ${keys.length === 1 ? 'is' : 'are'} ${keys.map(nameOf).join(', ')}`
  return { origin, at, got: 'a key that no setting has', wants, exampleOf: keys[0] }
}

/** The values of a stage file by key path; what stands where a group should is a value of its own. */
function* valuesOf(part: object, prefix = ''): Generator<readonly [string, unknown]> {
  for (const [name, value] of Object.entries(part)) {
    const key = prefix + name
    const isGroup =
      typeof value === 'object' && value !== null && !Array.isArray(value) && !isSettingKey(key) && keysByPath.has(key)
    if (isGroup) yield* valuesOf(value, `${key}.`)
    else if (!isNothing(value)) yield [key, value]
  }
}

/**
 * Gathers what is given. Empty text and null count as nothing.
 *
 * @param file what the stage file exports
 * @param origin the stage file, as messages name it
 * @param context of the CDK; its own keys have a hyphen, a colon or a slash, ours have none
 */
export function gatherSettings(
  file: object,
  origin: string,
  context: Readonly<Record<string, unknown>>,
  env: Variables,
): { readonly given: GivenSettings; readonly mistakes: readonly Mistake[] } {
  const given = new Map<SettingKey, Given>()
  const mistakes: Mistake[] = []

  for (const [key, value] of valuesOf(file)) {
    const keys = keysByPath.get(key)
    if (isSettingKey(key)) given.set(key, { value, origin })
    else if (keys === undefined) mistakes.push(unknown(origin, key, (path) => path))
    else {
      const wants = `an object of ${keys.map((inner) => inner.slice(key.length + 1)).join(', ')}`
      const got = keys.some((inner) => inner.endsWith('.secret')) ? hidden : quoted(value)
      mistakes.push({ origin, at: key, got, wants, exampleOf: keys[0] })
    }
  }
  const keyOfVariable = new Map(settingKeys.map((key) => [settingVariable(key), key]))
  for (const [variable, value] of Object.entries(env)) {
    if (!variable.startsWith('EXPLORER_') || variable === 'EXPLORER_STAGE' || isNothing(value)) continue
    const key = keyOfVariable.get(variable)
    if (key === undefined) mistakes.push(unknown('the environment', variable, settingVariable))
    else given.set(key, { value, origin: variable })
  }
  for (const [key, value] of Object.entries(context)) {
    if (!/^[\w.]+$/.test(key) || key === 'stage' || isNothing(value)) continue
    if (isSettingKey(key)) given.set(key, { value, origin: 'the CDK context' })
    else mistakes.push(unknown('the CDK context', key, (path) => path))
  }
  return { given, mistakes }
}
