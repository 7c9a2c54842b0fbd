// Every setting by its key path, such as `throttles.reads.rate`, with what the schema says about it.
import { z } from 'zod'
import { type Description, descriptions, type Example, quoted, unwrapped } from './kinds.ts'
import { stageSchema } from './schema.ts'

export interface Setting extends Description {
  readonly key: string
  readonly schema: z.ZodType
  /** Undefined where every stage must give the setting. */
  readonly fallback: unknown
  readonly example: Example
  /** The group that a stage may leave out as a whole, and this setting with it. */
  readonly optionalGroup: string | undefined
}

function* settingsOf(group: z.ZodObject, prefix = '', optionalGroup?: string): Generator<Setting> {
  for (const [name, schema] of Object.entries<z.ZodType>(group.shape)) {
    const key = prefix + name
    const inner = unwrapped(schema)
    if (inner instanceof z.ZodObject) yield* settingsOf(inner, `${key}.`, inner === schema ? optionalGroup : key)
    else {
      const description = inner instanceof z.ZodType ? descriptions.get(inner) : undefined
      if (description === undefined) throw new Error(`${key} is not described`)
      const fallback = schema.safeParse(undefined).data
      yield { key, schema, fallback, example: fallback as Example, ...description, optionalGroup }
    }
  }
}

/** In the order of the schema. */
export const settings: ReadonlyMap<string, Setting> = new Map(
  [...settingsOf(stageSchema)].map((setting) => [setting.key, setting]),
)

/** A setting under its own key path; several under the path of a group; none under any other. */
export const settingsAt = (path: string): readonly Setting[] =>
  [...settings.values()].filter(({ key }) => key === path || key.startsWith(`${path}.`))

/** A given value as messages show it, or the default where nothing is given. Neither holds a secret. */
export function shown({ fallback, show = quoted }: Setting, given: { readonly value: unknown } | undefined): string {
  if (given !== undefined) return show(given.value)
  return fallback === undefined || fallback === null || fallback === '' ? 'nothing' : quoted(fallback)
}
