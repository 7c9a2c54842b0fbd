// A GraphQL server in front of a node, as an operator may put one there: server.mjs KIND NODE_URL SCHEMA_FILE. Prints its address.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { buildSchema, isInterfaceType, isObjectType, isScalarType, isSpecifiedScalarType, print } from 'graphql'

const [kind, nodeUrl, schemaFile] = process.argv.slice(2)
const schemaText = readFileSync(schemaFile, 'utf8')

/** Answers as the node's `data[key]`, or throws in its words. */
async function forwarded(_source, _values, _context, { fieldNodes, operation, path, variableValues }) {
  const fields = fieldNodes.map(print).join(' ')
  const names = new Set(fields.match(/(?<=\$)\w+/g))
  const used = (operation.variableDefinitions ?? []).filter(({ variable }) => names.has(variable.name.value))
  const declared = used.length === 0 ? '' : `(${used.map(print).join(', ')})`
  const query = `${operation.operation} forwarded${declared} { ${fields} }`
  const variables = Object.fromEntries([...names].map((name) => [name, variableValues[name]]))
  const body = JSON.stringify({ query, variables })
  const response = await fetch(nodeUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { data, errors } = await response.json()
  if (errors) throw new Error(errors[0].message)
  return data[path.key]
}

/** The node's schema, each field of its roots forwarded to it by itself. */
function forwardingSchema() {
  const schema = buildSchema(schemaText)
  const roots = [schema.getQueryType(), schema.getMutationType()]
  for (const type of Object.values(schema.getTypeMap())) {
    if (isScalarType(type) && !isSpecifiedScalarType(type)) {
      type.serialize = (value) => value
      type.parseValue = (value) => value
    }
    // Nobody asks which of its types a thing has.
    if (isInterfaceType(type)) type.resolveType = () => schema.getPossibleTypes(type)[0].name
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    const resolve = roots.includes(type) ? forwarded : (source, _values, _context, { path }) => source[path.key]
    for (const field of Object.values(type.getFields())) field.resolve = resolve
  }
  return schema
}

const onAnyPort = (listener) =>
  new Promise((resolve) => {
    const server = createServer(listener).listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${server.address().port}`),
    )
  })

async function yoga(options) {
  const { createYoga } = await import('graphql-yoga')
  return `${await onAnyPort(createYoga({ schema: forwardingSchema(), logging: false, ...options }))}/graphql`
}

async function hive() {
  const { createGatewayRuntime } = await import('@graphql-hive/gateway')
  const gateway = createGatewayRuntime({ proxy: { endpoint: nodeUrl }, schema: schemaText, logging: false })
  return `${await onAnyPort(gateway)}/graphql`
}

async function apollo(options) {
  const { ApolloServer } = await import('@apollo/server')
  const { startStandaloneServer } = await import('@apollo/server/standalone')
  const server = new ApolloServer({ schema: forwardingSchema(), ...options })
  return (await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } })).url
}

async function mercurius(options) {
  const { default: fastify } = await import('fastify')
  const { default: plugin } = await import('mercurius')
  const app = fastify()
  await app.register(plugin, { schema: forwardingSchema(), ...options })
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`
}

const servers = {
  yoga: () => yoga({}),
  'yoga with maskedErrors: false': () => yoga({ maskedErrors: false }),
  'yoga with graphql-armor': async () => {
    const { EnvelopArmorPlugin } = await import('@escape.tech/graphql-armor')
    return yoga({ maskedErrors: false, plugins: [EnvelopArmorPlugin()] })
  },
  apollo: () => apollo({}),
  'apollo with 1,000 tokens': () => apollo({ parseOptions: { maxTokens: 1000 } }),
  mercurius: () => mercurius({}),
  'mercurius with a depth of 5': () => mercurius({ queryDepth: 5 }),
  'hive-gateway': hive,
}
console.log(await servers[kind]())
