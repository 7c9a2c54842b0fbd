// The contract's word on an answer: its shape, and the fields that it may have.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { annotationFormats, annotationKeywords } from '../../../../shared/contract/annotations.ts'
import { contracts, type EndpointName } from '../../../../shared/endpoints/all.ts'
import { at } from '../exact-json.ts'
import type { Received } from '../setting/service.ts'

const ajv = new Ajv2020({ allErrors: true, formats: annotationFormats }).addVocabulary([...annotationKeywords])

const schemaOf = (name: EndpointName, status: number): object | undefined => contracts[name].responses[status]?.schema

const compiled = new Map<string, ValidateFunction>()

/** The places in which an answer breaks its schema. */
export function shapeFaults(name: EndpointName, { status, text }: Received): readonly string[] {
  const schema = schemaOf(name, status)
  if (schema === undefined) return [`the contract of ${name} has no ${status}`]
  const key = `${name} ${status}`
  const validate = compiled.get(key) ?? ajv.compile(schema)
  compiled.set(key, validate)
  validate(JSON.parse(text))
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** The properties that each object of an answer may have, by its path without places in lists. */
export type PropertiesByPath = ReadonlyMap<string, ReadonlySet<string>>

function collect(schema: unknown, path: string, found: Map<string, Set<string>>): void {
  for (const choice of [at(schema, 'anyOf') ?? [], at(schema, 'oneOf') ?? []].flat()) collect(choice, path, found)
  if (at(schema, 'items') !== undefined) collect(at(schema, 'items'), path, found)
  for (const [key, field] of Object.entries(Object(at(schema, 'properties')))) {
    found.set(path, (found.get(path) ?? new Set()).add(key))
    collect(field, `${path}.${key}`, found)
  }
}

const collected = new Map<string, PropertiesByPath>()

export function propertiesOf(name: EndpointName, status: number): PropertiesByPath {
  const key = `${name} ${status}`
  const known = collected.get(key)
  if (known !== undefined) return known
  const found = new Map<string, Set<string>>()
  collect(schemaOf(name, status), '', found)
  collected.set(key, found)
  return found
}
