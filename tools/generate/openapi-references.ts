// Named schemas, each written once and referred to.
import { namedSchemas, type Titled } from './named-schemas.ts'

/** A schema with every named schema inside it, and itself, replaced by a reference. */
export function referring(schema: unknown): unknown {
  const { title }: Titled = Object(schema)
  return typeof title === 'string' ? { $ref: `#/components/schemas/${title}` } : withReferences(schema)
}

/** Without its title, which is the name under which it stands. */
function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(referring)
  if (typeof schema !== 'object' || schema === null) return schema
  const { title, ...rest }: Titled = schema
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, referring(value)]))
}

/** The named schemas, with references inside. */
export const schemaComponents = (): object =>
  Object.fromEntries(Object.entries(namedSchemas).map(([name, schema]) => [name, withReferences(schema)]))
