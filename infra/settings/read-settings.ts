// Settings of a stage, checked: whatever is wrong is said at once.
import { completeSettings } from './complete-settings.ts'
import { gatherSettings, type Variables } from './given-settings.ts'
import { SettingsError, type StageSettings } from './schema.ts'
import { conflictsOf } from './setting-conflicts.ts'
import { type Mistake, mistakeText } from './setting-mistake.ts'
import { quoted, type Rule } from './setting-rules.ts'
import {
  groupOf,
  type OptionalGroup,
  optionalGroups,
  type SettingKey,
  type SettingValues,
  settingKeys,
  settingTable,
} from './setting-table.ts'

/** The settings of a stage, and the same for people. */
export interface ReadSettings {
  readonly settings: StageSettings
  /** One line a setting with where it came from; of a secret its name only. */
  readonly printed: string
}

type Found = { -readonly [Key in SettingKey]?: SettingValues[Key] }

const rules: { readonly [Key in SettingKey]: Rule<SettingValues[Key]> } = settingTable

const reasonOf = (error: unknown): string => String(error).replace(/^Error: /, '')

const shownDefault = (value: unknown): string =>
  value === undefined || value === null || value === '' ? 'nothing' : quoted(value)

/**
 * Checks the settings of a stage and completes them with defaults.
 *
 * @param stage the name of its file
 * @param file what that file exports
 * @param context of the CDK (`-c nodeGraphqlUrl=…`), which goes before the environment
 * @param env where `throttles.reads.rate` is called `EXPLORER_THROTTLES_READS_RATE`, which goes before the file
 * @throws SettingsError naming each mistake: where it stands, what it got, what it wants, and an example
 */
export function readStageSettings(
  stage: string,
  file: object,
  context: Readonly<Record<string, unknown>>,
  env: Variables,
): ReadSettings {
  const fileName = `config/${stage}.ts`
  const { given, mistakes: unknown } = gatherSettings(file, fileName, context, env)
  const mistakes: Mistake[] = [...unknown]
  const lines: (readonly [key: string, shown: string, origin: string])[] = []
  const found: Found = {}
  const has = (group: OptionalGroup): boolean => [...given.keys()].some((key) => groupOf(key) === group)

  function read<Key extends SettingKey>(key: Key): void {
    const rule = rules[key]
    const { wants } = rule
    const entry = given.get(key)
    if (entry === undefined) {
      if (rule.fallback === undefined)
        mistakes.push({ origin: fileName, at: key, got: 'nothing', wants, exampleOf: key })
      else found[key] = rule.fallback
      lines.push([key, shownDefault(rule.fallback), 'default'])
      return
    }
    const { value, origin } = entry
    const got = rule.show(value)
    lines.push([key, got, origin])
    try {
      const parsed = rule.parse(value)
      if (parsed === undefined) mistakes.push({ origin, at: key, got, wants, exampleOf: key })
      else found[key] = parsed
    } catch (error) {
      mistakes.push({ origin, at: key, got: `${got}: ${reasonOf(error)}`, wants, exampleOf: key })
    }
  }

  const readKeys = settingKeys.filter((key) => {
    const group = groupOf(key)
    return group === undefined || has(group)
  })
  for (const key of readKeys) read(key)
  for (const { at, but, exampleOf = at, ...conflict } of conflictsOf(found, has('vpc'))) {
    const entry = given.get(at)
    const got = `${entry === undefined ? shownDefault(rules[at].fallback) : rules[at].show(entry.value)}, but ${but}`
    mistakes.push({ ...conflict, origin: entry?.origin ?? fileName, at, got, exampleOf })
  }
  for (const group of optionalGroups) if (!has(group)) lines.push([group, 'nothing', 'default'])

  const isComplete = (values: Found): values is SettingValues => readKeys.every((key) => values[key] !== undefined)
  if (mistakes.length > 0 || !isComplete(found)) {
    const sections = [
      `The settings of stage ${stage} are wrong. Nothing was synthesised.`,
      ...mistakes.map(mistakeText),
    ]
    throw new SettingsError(sections.join('\n\n'))
  }
  const keyWidth = Math.max(...lines.map(([key]) => key.length))
  const printed = lines.map(([key, shown, origin]) => `  ${key.padEnd(keyWidth)}  ${shown}  (${origin})`)
  return { settings: completeSettings(stage, found, has), printed: [`Stage ${stage}`, ...printed].join('\n') }
}
