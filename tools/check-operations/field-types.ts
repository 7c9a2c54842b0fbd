// Checks that the service can read the types that a schema gives to the fields of an operation: an answer is made up from the
// schema and read as the service reads it.
import {
  type FieldNode,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql'
import { WireError } from '../../shared/upstream/errors.ts'
import type { Operation } from '../../shared/upstream/operation.ts'

/** A value of an answer, with the values of its type that have not been tried. */
interface Leaf {
  readonly type: string
  readonly untried: unknown[]
}

interface Answer {
  data: unknown
  /** By path, as errors name it. */
  readonly leaves: Map<string, Leaf>
}

const texts = ['7', 'x', 'X', 'Positive', '2021-03-17T00:03:00.000Z']

/** Values of a type, of which the service must be able to read one. A scalar of the schema's own may be text or a number. */
function samplesOf(type: GraphQLOutputType): unknown[] {
  const named = getNamedType(type)
  if (isEnumType(named)) return named.getValues().map(({ name }) => name)
  if (named.name === 'Boolean') return [true]
  if (named.name === 'Int') return [7]
  if (named.name === 'Float') return [7.5]
  return ['String', 'ID'].includes(named.name) ? [...texts] : [...texts, 7, true]
}

function madeUp(given: GraphQLOutputType, field: FieldNode, path: string, answer: Answer): unknown {
  const type = isNonNullType(given) ? given.ofType : given
  if (isListType(type)) return [madeUp(type.ofType, field, `${path}[0]`, answer)]
  if ((isObjectType(type) || isInterfaceType(type)) && field.selectionSet !== undefined)
    return objectOf(type, field.selectionSet, path, answer)
  const [sample, ...untried] = samplesOf(type)
  answer.leaves.set(path, { type: String(given), untried })
  return sample
}

function objectOf(
  type: GraphQLObjectType | GraphQLInterfaceType,
  { selections }: SelectionSetNode,
  path: string,
  answer: Answer,
): object {
  const fields = selections.filter((selection) => selection.kind === Kind.FIELD)
  return Object.fromEntries(
    fields.map((field) => {
      const key = field.alias?.value ?? field.name.value
      const declared = type.getFields()[field.name.value]
      if (declared === undefined) throw new RangeError(`${path} has no field ${field.name.value}`)
      return [key, madeUp(declared.type, field, `${path}.${key}`, answer)]
    }),
  )
}

/** Sets the value at a path such as `name.blocks[0].fee`, whose first part names the operation. */
function put(data: unknown, path: string, value: unknown): void {
  const keys = path.match(/[^.[\]]+/g)?.slice(1) ?? []
  const last = keys.pop() ?? ''
  const holder = keys.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), data)
  Reflect.set(Object(holder), last, value)
}

/**
 * Takes a value away that was read well and does not fit a question that nobody put, so that those after it are read: the
 * list that it is or is in, else the value itself.
 *
 * @returns the path of what was taken away
 */
function takeAway(data: unknown, path: string): string {
  const keys = path.match(/[^.[\]]+/g)?.slice(1) ?? []
  const isList = Array.isArray(keys.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), data))
  const list = isList ? path : path.match(/^.*(?=\[0\])/)?.[0]
  put(data, list ?? path, list === undefined ? null : [])
  return list ?? path
}

/**
 * The first field whose type the service does not read, as a line; none where it reads all.
 *
 * @param operation valid in the schema
 */
export function unreadableField(schema: GraphQLSchema, { name, document, data: wire }: Operation): readonly string[] {
  const [definition] = parse(document).definitions
  const root = schema.getQueryType()
  const isQuery = definition?.kind === Kind.OPERATION_DEFINITION && definition.operation === 'query'
  if (!isQuery || root === undefined || root === null) return []
  const answer: Answer = { data: undefined, leaves: new Map() }
  answer.data = objectOf(root, definition.selectionSet, name, answer)
  const takenAway = new Set<string>()
  for (;;) {
    try {
      wire.read(answer.data, name, {})
      return []
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      const path = error.message.slice(0, error.message.indexOf(': '))
      const leaf = answer.leaves.get(path)
      if (takenAway.has(path)) return []
      if (error.fault === 'mismatched') takenAway.add(takeAway(answer.data, path))
      else if (leaf === undefined) return [error.message]
      else if (leaf.untried.length === 0) return [`${error.message}, where the schema has ${leaf.type}`]
      else put(answer.data, path, leaf.untried.shift())
    }
  }
}
