// npm run check:operations -- --schema FILE: whether an upstream with that SDL would take every operation of ours.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildSchema, type GraphQLSchema, parse, validate } from 'graphql'
import { endpoints } from '../shared/endpoints/all.ts'

const usage = 'npm run check:operations -- --schema FILE   (the SDL of a node or of an indexer)'

function readSchema(file: string): GraphQLSchema {
  try {
    return buildSchema(readFileSync(file, 'utf8'))
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : error}`)
    return process.exit(2)
  }
}

const { values } = parseArgs({ options: { schema: { type: 'string' } } })
if (values.schema === undefined) {
  console.error(usage)
  process.exit(2)
}

const schema = readSchema(values.schema)
// Only an indexer serves staking ledgers.
const upstream = schema.getQueryType()?.getFields().stakes === undefined ? 'node' : 'indexer'
const operations = new Set(
  endpoints.flatMap((endpoint) => endpoint.operations).filter((one) => one.upstream === upstream),
)

let wrong = 0
for (const { name, document } of operations) {
  const errors = validate(schema, parse(document))
  wrong += errors.length
  console.log(`${errors.length === 0 ? 'ok   ' : 'wrong'} ${name}`)
  for (const { message } of errors) console.log(`      ${message}`)
}
console.log(`${operations.size} operations of the ${upstream}, ${wrong} errors`)
process.exitCode = wrong === 0 ? 0 : 1
