// Answers any operation of the daemon's schema by a walk over the document, which is validated once.
import {
  buildSchema,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  validate,
  valueFromASTUntyped,
} from 'graphql'
import { nodeSchemaText } from '../../../local/chain/node/schema.ts'

type Variables = Readonly<Record<string, unknown>>

/** Resolves a root field. */
export type Resolver = (args: Readonly<Record<string, unknown>>) => unknown

/** A node's error message. */
export class NodeRefusal extends Error {}

export interface GraphQlAnswer {
  readonly data: Record<string, unknown> | null
  readonly errors: readonly string[]
}

const schema = buildSchema(nodeSchemaText)
const operations = new Map<string, OperationDefinitionNode>()

function operationOf(document: string): OperationDefinitionNode {
  const known = operations.get(document)
  if (known !== undefined) return known
  const parsed: DocumentNode = parse(document)
  const [fault] = validate(schema, parsed)
  if (fault !== undefined) throw fault
  const definition = parsed.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`No operation: ${document}`)
  operations.set(document, definition)
  return definition
}

function select(selectionSet: SelectionSetNode | undefined, value: unknown): unknown {
  if (selectionSet === undefined || value === null) return value
  if (Array.isArray(value)) return value.map((item) => select(selectionSet, item))
  if (typeof value !== 'object') throw new Error('The model has a scalar where the document selects fields')
  const selected: Record<string, unknown> = {}
  for (const field of selectionSet.selections) {
    if (field.kind !== Kind.FIELD) throw new Error('The model knows no fragments')
    const given: unknown = Reflect.get(value, field.name.value)
    const held = typeof given === 'function' ? given() : given
    if (held === undefined) throw new Error(`The model has no ${field.name.value}`)
    selected[field.alias?.value ?? field.name.value] = select(field.selectionSet, held)
  }
  return selected
}

/**
 * The node's answer, with GraphQL's rule for a failing field: null if it is nullable, else no data at all.
 *
 * @throws GraphQLError for a document that the daemon's schema does not allow
 */
export function answerOperation(
  document: string,
  variables: Variables,
  resolvers: Readonly<Record<string, Resolver>>,
): GraphQlAnswer {
  const data: Record<string, unknown> = {}
  const errors: string[] = []
  for (const field of operationOf(document).selectionSet.selections) {
    if (field.kind !== Kind.FIELD) throw new Error('The model knows no fragments')
    const args = Object.fromEntries(
      (field.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, { ...variables })]),
    )
    const resolve = resolvers[field.name.value]
    if (resolve === undefined) throw new Error(`The model has no ${field.name.value}`)
    try {
      data[field.alias?.value ?? field.name.value] = select(field.selectionSet, resolve(args))
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error
      if (field.name.value !== 'bestChain') return { data: null, errors: [error.message] }
      data[field.alias?.value ?? field.name.value] = null
      errors.push(error.message)
    }
  }
  return { data, errors }
}
