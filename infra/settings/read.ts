// Reads the settings of a stage and reports all mistakes at once.
import { conflictsOf } from './conflicts.ts'
import { gatherSettings, type Variables } from './given.ts'
import { type Mistake, mistakeText, SettingsError } from './mistakes.ts'
import { type Partly, type StageSettings, stageSchema } from './schema.ts'
import { settings, shown } from './settings.ts'
import { hintsFor } from './warnings.ts'

interface ReadSettings {
  readonly settings: StageSettings
  /** For people: one line a setting, its value without secrets and where it comes from; then hints. */
  readonly printed: string
}

interface Group {
  [name: string]: unknown
}

/** Sets `group.throttles.reads.rate` for the key path `throttles.reads.rate`. */
function put(group: Group, key: string, value: unknown): void {
  const [name = '', ...rest] = key.split('.')
  group[name] = rest.length === 0 ? value : (group[name] ?? {})
  if (rest.length > 0) put(group[name] as Group, rest.join('.'), value)
}

/**
 * Checks the settings of a stage and completes them with defaults.
 *
 * @param stage the name of its file
 * @param file what that file exports
 * @param context of the CDK (`-c nodeGraphqlUrl=…`), which takes precedence over the environment
 * @param env with `EXPLORER_THROTTLES_READS_RATE` for `throttles.reads.rate`; takes precedence over the file
 * @throws SettingsError naming each mistake: where it is, what was given, what is wanted, and an example
 */
export function readStageSettings(
  stage: string,
  file: object,
  context: Readonly<Record<string, unknown>>,
  env: Variables,
): ReadSettings {
  const fileName = `config/${stage}.ts`
  const { given, mistakes: wrongKeys } = gatherSettings(file, fileName, context, env)
  const mistakes: Mistake[] = [...wrongKeys]
  const lines: (readonly [key: string, shown: string, origin: string])[] = []
  const raw = {}
  // zod does not check an object as a whole while one of its settings is wrong, so each is checked alone, and then the right ones
  // together.
  const right: Partly<StageSettings> = {}
  const absent = new Set<string>()

  for (const setting of settings.values()) {
    const { key, optionalGroup, schema, wants, faultOf, rightPartOf } = setting
    if (optionalGroup !== undefined && ![...given.keys()].some((each) => each.startsWith(`${optionalGroup}.`))) {
      absent.add(optionalGroup)
      continue
    }
    const entry = given.get(key)
    const got = shown(setting, entry)
    lines.push([key, got, entry?.origin ?? 'default'])
    const { data, error } = schema.safeParse(entry?.value)
    put(raw, key, entry?.value)
    put(right, key, error === undefined ? data : rightPartOf?.(entry?.value))
    if (error === undefined) continue
    const reasons = new Set(
      error.issues.flatMap((issue) => faultOf?.(issue) ?? ((issue.code === 'custom' && issue.params?.reason) || [])),
    )
    const origin = entry?.origin ?? fileName
    mistakes.push({
      origin,
      at: key,
      got: [got, [...reasons].join('; ')].filter((text) => text !== '').join(': '),
      wants,
      setting,
    })
  }
  for (const group of absent) lines.push([group, 'nothing', 'default'])
  for (const { at, but, exampleOf = at, ...conflict } of conflictsOf(right)) {
    const [changed, setting] = [settings.get(at), settings.get(exampleOf)]
    if (changed === undefined || setting === undefined) throw new Error(`Neither ${at} nor ${exampleOf} is a setting`)
    const entry = given.get(at)
    const got = `${shown(changed, entry)}, but ${but}`
    mistakes.push({ ...conflict, origin: entry?.origin ?? fileName, at, got, setting })
  }
  if (mistakes.length > 0) {
    const heading = `The settings of stage ${stage} are wrong. Nothing was synthesised.`
    throw new SettingsError([heading, ...mistakes.map(mistakeText)].join('\n\n'))
  }
  const width = Math.max(...lines.map(([key]) => key.length))
  const printed = lines.map(([key, shown, origin]) => `  ${key.padEnd(width)}  ${shown}  (${origin})`)
  const read = { stage, ...stageSchema.parse(raw) }
  const hints = hintsFor(read).map(({ at, text }) => `  ${at}: ${text}`)
  if (hints.length > 0) printed.push('', 'Did you mean this?', ...hints)
  return { settings: read, printed: [`Stage ${stage}`, ...printed].join('\n') }
}
