// npm run check:operations -- --schema FILE: validates the service's operations against an upstream's schema.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildSchema, type GraphQLSchema, parse, validate } from 'graphql'
import { endpoints } from '../shared/endpoints/all.ts'
import type { Operation } from '../shared/upstream/operation.ts'

const usage = 'Usage: npm run check:operations -- --schema FILE [--upstream node|indexer]'

/** Ends the program after wrong arguments. */
function refuse(reason: string): never {
  console.error(`${reason}\n${usage}`)
  process.exit(2)
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function readOptions() {
  try {
    return parseArgs({ options: { schema: { type: 'string' }, upstream: { type: 'string' } } }).values
  } catch (error) {
    return refuse(reasonOf(error))
  }
}

function readSchema(file: string): GraphQLSchema {
  let sdl: string
  try {
    sdl = readFileSync(file, 'utf8')
  } catch (error) {
    return refuse(`Cannot read the schema ${file}: ${reasonOf(error)}`)
  }
  try {
    return buildSchema(sdl)
  } catch (error) {
    return refuse(`${file} is not a GraphQL schema: ${reasonOf(error)}`)
  }
}

/** Only an indexer has stakes. */
const upstreamOf = (schema: GraphQLSchema): Operation['upstream'] =>
  schema.getQueryType()?.getFields().stakes === undefined ? 'node' : 'indexer'

const options = readOptions()
if (options.schema === undefined) refuse('No schema given.')
const schema = readSchema(options.schema)
const upstream = options.upstream ?? upstreamOf(schema)
if (upstream !== 'node' && upstream !== 'indexer') refuse(`Unknown upstream ${upstream}.`)

const operations = endpoints.flatMap((endpoint) => endpoint.operations).filter((each) => each.upstream === upstream)
const checked = new Set(operations)

let wrong = 0
for (const { name, document } of checked) {
  const errors = validate(schema, parse(document))
  console.log(`${errors.length === 0 ? 'valid' : 'INVALID'} ${name}`)
  for (const { message } of errors) console.error(`  ${message}`)
  if (errors.length > 0) wrong += 1
}
console.log(`${checked.size} operations of the ${upstream}, ${wrong} invalid`)
process.exitCode = wrong === 0 ? 0 : 1
