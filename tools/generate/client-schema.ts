// The client's types, from the contract: plain interfaces, and the options of each read.
import { broadcastAdvice } from '../../shared/contract/broadcast-advice.ts'
import { broadcastCodes } from '../../shared/contract/broadcast-codes.ts'
import { contractRequests } from '../../shared/contract/documented-body.ts'
import { documented, type Kind, type OptionOf, type QueryOption } from '../../shared/contract/query/kinds.ts'
import { contracts, type EndpointName } from '../../shared/endpoints/all.ts'
import { namedSchemas } from './named-schemas.ts'

interface Schema {
  readonly title?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly then?: Schema
  readonly 'x-unit'?: string
}

/** The bodies that the client sends. */
const requests: Readonly<Record<string, object>> = Object.fromEntries(contractRequests.map((one) => [one.title, one]))

const namedSchema = (name: string): Schema => {
  const schema = namedSchemas[name] ?? requests[name]
  if (schema === undefined) throw new Error(`No schema has the title ${name}`)
  return schema
}

/** The schemas of which a value has one: they may stand under `then`, where generators of others do not look. */
const alternativesOf = ({ anyOf, oneOf, then }: Schema): readonly Schema[] | undefined => anyOf ?? oneOf ?? then?.oneOf

const partsOf = (schema: Schema): readonly Schema[] => [
  ...Object.values(schema.properties ?? {}),
  ...(schema.items ? [schema.items] : []),
  ...(alternativesOf(schema) ?? []),
]

/** The names of a schema and of all inside it. */
const namesWithin = (schema: Schema): readonly string[] => {
  const { title } = schema
  return [...(title === undefined ? [] : [title]), ...partsOf(schema).flatMap(namesWithin)]
}

/** The outermost names inside a schema: of `{blocks: […]}`, whose form is the client's own matter, that of a block. */
const namesJustWithin = (schema: Schema): readonly string[] =>
  partsOf(schema).flatMap((part) => (part.title === undefined ? namesJustWithin(part) : [part.title]))

/** The endpoints whose answers the client hands over whole: of others it gives a part. */
const givenWhole: readonly EndpointName[] = [
  'getAccountTransactions',
  'getBlocksBefore',
  'getFees',
  'getHealth',
  'getPool',
]

/** The schemas of the answers that the client reads. */
const answers: readonly string[] = [
  ...new Set(
    Object.entries(contracts).flatMap(([name, { responses }]) => {
      const schema: Schema = (responses[200] ?? responses[201])?.schema ?? {}
      const inside = namesJustWithin(schema)
      const isWhole = inside.length === 0 || givenWhole.some((whole) => whole === name)
      return isWhole ? [schema.title ?? []].flat() : inside
    }),
  ),
].sort()

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** @param isAnswer answers have their nanomina as bigint, requests in the form in which they are sent */
function typeOf(schema: Schema, isAnswer: boolean, isNamed = true): string {
  const name = isNamed ? schema.title : undefined
  if (name !== undefined) return name
  if (isAnswer && schema['x-unit'] === 'nanomina') return 'bigint'
  if (schema.enum) return union(schema.enum)
  const inside = (part: Schema) => typeOf(part, isAnswer)
  const either = alternativesOf(schema)
  if (either) return either.map(inside).join(' | ')
  if (schema.items) return `readonly ${schema.items.anyOf ? `(${inside(schema.items)})` : inside(schema.items)}[]`
  if (schema.properties) return objectType(schema, isAnswer)
  if (schema.type === 'object') return 'Readonly<Record<string, unknown>>'
  const types = [schema.type ?? []].flat().map((type) => plainTypes[type])
  if (types.length === 0 || types.includes(undefined)) throw new Error(`no type for ${JSON.stringify(schema)}`)
  return [...new Set(types)].join(' | ')
}

const indented = (text: string): string => text.replaceAll('\n', '\n  ')

/** @param isAnswer digits are the form of what is sent only: an amount of an answer is bigint */
function comment(description: string | undefined, isAnswer: boolean): string {
  if (description === undefined) return ''
  const text = isAnswer ? description.replace('nanomina, decimal digits', 'nanomina') : description
  return `/** ${text.charAt(0).toUpperCase()}${text.slice(1)} */\n`
}

function objectType(schema: Schema, isAnswer: boolean): string {
  const members = Object.entries(schema.properties ?? {}).map(([key, member]) => {
    const mark = schema.required?.includes(key) ? '' : '?'
    const absent = mark && ' | undefined'
    return `${comment(member.description, isAnswer)}readonly ${key}${mark}: ${typeOf(member, isAnswer)}${absent}`
  })
  return `{\n  ${indented(members.join('\n'))}\n}`
}

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const documentedOption = <Each extends Kind>(option: OptionOf<Each>) => documented[option.kind](option)

/** An integer that a `number` does not hold to its last digit is a bigint. */
function optionType(option: QueryOption): string {
  const schema: Schema & { readonly maximum?: number } = documentedOption(option)
  const isLong = schema.type === 'integer' && (schema.maximum ?? Number.POSITIVE_INFINITY) > Number.MAX_SAFE_INTEGER
  return isLong ? 'bigint' : typeOf(schema, false)
}

/** The options of each endpoint that has some, as types and as their names in the query. */
const options = (): readonly string[] =>
  Object.values(contracts).flatMap(({ name, request: { query } = {} }) => {
    if (query === undefined) return []
    const names = Object.keys(query.options)
    const members = Object.entries(query.options).map(([each, option]) => {
      const byDefault = documentedOption(option).default
      const words = [query.words[each], ...(byDefault === undefined ? [] : [`Default ${byDefault}.`])]
      return `  ${comment(words.join(' '), false)}  readonly ${camelCase(each)}?: ${optionType(option)} | undefined`
    })
    const thing = name.replace('get', '')
    return [
      `export interface ${thing}Options {\n${members.join('\n')}\n}`,
      `export const ${lowerFirst(thing)}Query = [${names.map((each) => `'${each}'`).join(', ')}] as const`,
    ]
  })

const union = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' | ')

/** Of the codes that have more to say than any other. */
const adviceText = (): string =>
  `{\n${Object.entries(broadcastAdvice)
    .filter(([code, advice]) => code === 'other' || advice.do !== broadcastAdvice.other.do)
    .map(([code, advice]) => `  '${code}': '${advice.do}',`)
    .join('\n')}\n}`

function text(): string {
  const within = (roots: readonly string[]) => [...new Set(roots.map(namedSchema).flatMap(namesWithin))].sort()
  const interfaces = (names: readonly string[], isAnswer: boolean) =>
    names.map((name) => {
      const schema = namedSchema(name)
      const type = typeOf(schema, isAnswer, false)
      return `${comment(schema.description, isAnswer)}export ${schema.properties && !alternativesOf(schema) ? `interface ${name} ${type}` : `type ${name} = ${type}`}`
    })
  return [
    '// Generated from shared/contract by npm run generate.',
    ...interfaces(within(answers), true),
    ...interfaces(within(Object.keys(requests)), false),
    ...options(),
    `/** Why a broadcast was not answered with success. */\nexport type BroadcastCode = ${union(Object.keys(broadcastCodes))}`,
    `/** What to do about a broadcast that was not answered with success; of a code that is missing, that of any other. */\nexport const broadcastAdvice: Readonly<Partial<Record<string, string>> & { other: string }> = ${adviceText()}`,
  ].join('\n\n')
}

/** @returns path from the project's root to text: the types of the client */
export const clientSchemaFiles = (): ReadonlyMap<string, string> =>
  new Map([['packages/client/src/schema.ts', `${text()}\n`]])
