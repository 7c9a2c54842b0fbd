// The form of a schema that compiles to the least code: without annotations, and with each repeated part once.
import { annotationKeywords } from '../../shared/contract/annotations.ts'

type Schema = Readonly<Record<string, unknown>>

const annotations: ReadonlySet<string> = new Set(['title', 'description', 'examples', ...annotationKeywords])
const withSchema = new Set(['if', 'then', 'else', 'not', 'items'])
const withSchemas = new Set(['properties', 'anyOf'])

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** The schema with each schema directly inside it replaced. */
function replacingParts(schema: Schema, replace: (part: Schema) => Schema): Schema {
  const replaced = (part: unknown) => (isObject(part) ? replace(part) : part)
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (withSchema.has(keyword)) return [keyword, replaced(value)]
      if (!withSchemas.has(keyword) || !isObject(value)) return [keyword, value]
      if (Array.isArray(value)) return [keyword, value.map(replaced)]
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaced(part)]))]
    }),
  )
}

const withoutAnnotations = (schema: Schema): Schema =>
  replacingParts(
    Object.fromEntries(Object.entries(schema).filter(([keyword]) => !annotations.has(keyword))),
    withoutAnnotations,
  )

/** @returns a schema that reports the same faults, with its repeated parts under `$defs` */
export function sharedSchema(annotated: object): object {
  const schema = withoutAnnotations({ ...annotated })
  const uses = new Map<string, number>()
  const counting = (part: Schema): Schema => {
    const text = JSON.stringify(part)
    uses.set(text, (uses.get(text) ?? 0) + 1)
    return replacingParts(part, counting)
  }
  replacingParts(schema, counting)

  const names = new Map<string, string>()
  const definitions: Record<string, Schema> = {}
  const sharing = (part: Schema): Schema => {
    const text = JSON.stringify(part)
    if ((uses.get(text) ?? 0) < 2) return replacingParts(part, sharing)
    const known = names.get(text)
    const name = known ?? `part${names.size}`
    if (known === undefined) {
      names.set(text, name)
      definitions[name] = replacingParts(part, sharing)
    }
    return { $ref: `#/$defs/${name}` }
  }
  const body = replacingParts(schema, sharing)
  return names.size === 0 ? body : { ...body, $defs: definitions }
}
