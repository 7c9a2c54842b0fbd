// The promise of an answer: every selected key, with the type that the upstream's schema gives it. It follows from the
// document and the schema, not from the service's own descriptions.
import {
  buildSchema,
  type FieldNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql'
import { at, isObject } from '../../exact-json.ts'
import type { TrueExchange, Upstream } from '../../fault.ts'
import { schemaTexts } from '../../setting/twin-chains.ts'
import { legalityOf } from './scalars.ts'

const schemas: Readonly<Record<Upstream, GraphQLSchema>> = {
  node: buildSchema(schemaTexts.node),
  indexer: buildSchema(schemaTexts.indexer),
}

/** The places where an answer breaks its promise, and those where nobody can say; each with its path. */
export interface Findings {
  readonly broken: string[]
  readonly doubtful: string[]
}

type Question = Pick<TrueExchange, 'upstream' | 'document' | 'variables'>

interface Place {
  readonly path: string
  readonly question: Question
  readonly findings: Findings
}

/** The most items that the list may have, where an argument says so. */
function maxItems({ arguments: given = [] }: FieldNode, { variables }: Question): number {
  const limit = given.find(({ name }) => name.value === 'limit' || name.value === 'maxLength')?.value
  // An indexer looks at its limit once a row is there, so that 0 gives one.
  if (limit?.kind === Kind.INT) return Math.max(1, Number(limit.value))
  return limit?.kind === Kind.VARIABLE ? Number(variables[limit.name.value]) : Number.POSITIVE_INFINITY
}

function checkValue(value: unknown, given: GraphQLOutputType, field: FieldNode, place: Place): void {
  const { path, findings } = place
  const type = isNonNullType(given) ? given.ofType : given
  if (value === undefined) findings.broken.push(`${path} is absent`)
  else if (value === null) {
    if (isNonNullType(given)) findings.broken.push(`${path} is null`)
  } else if (isListType(type)) {
    if (!Array.isArray(value)) findings.broken.push(`${path} is not a list`)
    else {
      // Rows of an indexer beyond the limit do no harm: the service checks every row.
      const tooMany = place.question.upstream === 'node' ? findings.broken : findings.doubtful
      if (value.length > maxItems(field, place.question)) tooMany.push(`${path} has ${value.length} items`)
      for (const [index, item] of value.entries()) {
        checkValue(item, type.ofType, field, { ...place, path: `${path}[${index}]` })
      }
    }
  } else if (field.selectionSet !== undefined) {
    if (isObject(value)) checkFields(value, String(type), field.selectionSet, place)
    else findings.broken.push(`${path} is not an object`)
  } else {
    const legality = legalityOf(
      { type: String(type), field: field.name.value, upstream: place.question.upstream },
      value,
    )
    if (legality === 'illegal') findings.broken.push(`${path} is not a legal ${type}`)
    if (legality === 'doubtful') findings.doubtful.push(path)
  }
}

/** Means something for a payment or delegation only: to read it of a zkApp command, or not to, are both right. */
const isMeaningless = (value: unknown, field: string): boolean =>
  at(value, 'kind') === 'ZKAPP' ? /^(?:amount|receiver_account|to)$/.test(field) : field === 'zkapp'

/** False for a field that the question leaves out by `@include`. */
function isIncluded({ directives = [] }: FieldNode, { variables }: Question): boolean {
  const condition = directives.find(({ name }) => name.value === 'include')?.arguments?.[0]?.value
  return condition?.kind !== Kind.VARIABLE || variables[condition.name.value] === true
}

function checkFields(value: unknown, typeName: string, { selections }: SelectionSetNode, given: Place): void {
  const { doubtful } = given.findings
  const isCommand = /^Transaction(?:WithoutBlock)?$/.test(typeName)
  const type = schemas[given.question.upstream].getType(typeName)
  for (const field of selections) {
    if (field.kind !== Kind.FIELD) throw new Error('The judge reads no fragments')
    if (!isIncluded(field, given.question)) continue
    const definition = isObjectType(type) || isInterfaceType(type) ? type.getFields()[field.name.value] : undefined
    if (definition === undefined) throw new Error(`${typeName} has no ${field.name.value}`)
    const key = field.alias?.value ?? field.name.value
    const isUnread = isCommand && isMeaningless(value, key)
    const place = isUnread ? { ...given, findings: { broken: doubtful, doubtful } } : given
    checkValue(at(value, key), definition.type, field, { ...place, path: `${place.path}.${key}` })
  }
}

const documents = new Map<string, { readonly root: string; readonly selectionSet: SelectionSetNode }>()

function documentOf({ upstream, document }: Question) {
  const key = `${upstream} ${document}`
  const known = documents.get(key)
  if (known !== undefined) return known
  const [definition] = parse(document).definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The judge reads one operation')
  const schema = schemas[upstream]
  const root = String(definition.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType())
  const read = { root, selectionSet: definition.selectionSet }
  documents.set(key, read)
  return read
}

/** The places in an answer's data that do not fit the document. */
export function findingsIn(question: Question, data: unknown): Findings {
  const findings: Findings = { broken: [], doubtful: [] }
  const { root, selectionSet } = documentOf(question)
  if (!isObject(data)) findings.broken.push('data is not an object')
  else checkFields(data, root, selectionSet, { path: '', question, findings })
  return findings
}
