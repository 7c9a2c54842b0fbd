// Named schemas, each written once and referred to.
import { namedSchemas } from '../../shared/contract/named-schemas.ts'

const nameOf: ReadonlyMap<unknown, string> = new Map(
  Object.entries(namedSchemas).map(([name, schema]) => [schema, name]),
)

/** A schema with every named schema inside it, and itself, replaced by a reference. */
export function referring(schema: unknown): unknown {
  const name = nameOf.get(schema)
  return name === undefined ? withReferences(schema) : { $ref: `#/components/schemas/${name}` }
}

function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(referring)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, referring(value)]))
}

/** The named schemas, with references inside. */
export const schemaComponents = (): object =>
  Object.fromEntries(Object.entries(namedSchemas).map(([name, schema]) => [name, withReferences(schema)]))
