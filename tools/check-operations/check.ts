// The findings of `npm run check:operations`, and their text.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildSchema, type GraphQLSchema, isObjectType, parse, validate } from 'graphql'
import { endpoints } from '../../shared/endpoints/all.ts'
import { memberOf } from '../../shared/mapping/exact-json.ts'
import type { Operation } from '../../shared/upstream/operation.ts'
import { unreadableField } from './field-types.ts'

const usage = 'Usage: npm run check:operations -- --schema FILE [--upstream node|indexer]'

/** A command's output and exit code. */
export interface CommandResult {
  readonly exitCode: number
  readonly out: readonly string[]
  readonly err: readonly string[]
}

/** Wrong arguments. */
class UsageError extends Error {}

const reasonOf = (error: unknown): string => String(memberOf(error, 'message') ?? error)

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { schema: { type: 'string' }, upstream: { type: 'string' } } }).values
  } catch (error) {
    throw new UsageError(reasonOf(error))
  }
}

function readSchema(file: string): GraphQLSchema {
  let sdl: string
  try {
    sdl = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`Cannot read the schema ${file}: ${reasonOf(error)}`)
  }
  try {
    return buildSchema(sdl)
  } catch (error) {
    throw new UsageError(`${file} is not a GraphQL schema: ${reasonOf(error)}`)
  }
}

/** Only an indexer has stakes. */
const upstreamOf = (schema: GraphQLSchema): Operation['upstream'] =>
  schema.getQueryType()?.getFields().stakes === undefined ? 'node' : 'indexer'

const hasField = (schema: GraphQLSchema, { type, field }: NonNullable<Operation['dialect']>): boolean => {
  const named = schema.getType(type)
  return isObjectType(named) && named.getFields()[field] !== undefined
}

/** The faults of an operation in a schema. */
function errorsOf(schema: GraphQLSchema, operation: Operation): readonly string[] {
  const errors = validate(schema, parse(operation.document)).map(({ message }) => message)
  return errors.length > 0 ? errors : unreadableField(schema, operation)
}

function check(args: readonly string[]): CommandResult {
  const options = readOptions(args)
  if (options.schema === undefined) throw new UsageError('No schema given.')
  const schema = readSchema(options.schema)
  const upstream = options.upstream ?? upstreamOf(schema)
  if (upstream !== 'node' && upstream !== 'indexer') throw new UsageError(`Unknown upstream ${upstream}.`)

  const isSpoken = ({ dialect }: Operation) => dialect === undefined || hasField(schema, dialect)
  const operations = endpoints
    .flatMap((endpoint) => endpoint.operations)
    .filter((each) => each.upstream === upstream && isSpoken(each))
  const checked = [...new Set(operations)].map((operation) => {
    return { name: operation.name, errors: errorsOf(schema, operation) }
  })
  const invalid = checked.filter(({ errors }) => errors.length > 0)
  return {
    exitCode: invalid.length === 0 ? 0 : 1,
    out: [
      ...checked.map(({ name, errors }) => `${errors.length === 0 ? 'valid' : 'INVALID'} ${name}`),
      `${checked.length} operations of the ${upstream}, ${invalid.length} invalid`,
    ],
    err: invalid.flatMap(({ errors }) => errors.map((message) => `  ${message}`)),
  }
}

/** Validates the service's operations against an upstream's schema, and the types of the fields that it reads. */
export function checkOperations(args: readonly string[]): CommandResult {
  try {
    return check(args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { exitCode: 2, out: [], err: [error.message, usage] }
  }
}
