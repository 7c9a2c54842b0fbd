// Named schemas, each written once and referred to, in the form that the OpenAPI document gives them.
import { namedSchemas, type Titled } from './named-schemas.ts'

/** A schema with every named schema inside it, and itself, replaced by a reference. */
export function referring(schema: unknown): unknown {
  const { title }: Titled = Object(schema)
  return typeof title === 'string' ? { $ref: `#/components/schemas/${title}` } : withReferences(schema)
}

/**
 * Without its title, which is the name under which it stands, and without the contract's `uniqueItems`, which the words of
 * the list say: of it Java's generators make unordered sets, and ogen, in Go, methods named as fields are.
 */
function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(referring)
  if (typeof schema !== 'object' || schema === null) return schema
  const { title, uniqueItems, ...rest }: Titled & { readonly uniqueItems?: boolean } = schema
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, referring(value)]))
}

/** The named schemas, with references inside. */
export const schemaComponents = (): object =>
  Object.fromEntries(Object.entries(namedSchemas).map(([name, schema]) => [name, withReferences(schema)]))
