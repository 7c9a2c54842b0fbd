// The embedded node: the chain behind a daemon's GraphQL port.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DocumentNode, GraphQLFormattedError } from 'graphql'
import { parse } from 'graphql'
import { createSchema, createYoga } from 'graphql-yoga'
import type { Chain } from '../chain.ts'
import { daemonError, missingVariable } from './dialect.ts'
import { nodeResolvers } from './resolvers.ts'
import { nodeSchemaText } from './schema.ts'

interface Result {
  readonly data?: unknown
  readonly errors?: readonly GraphQLFormattedError[]
}

/** A daemon's answer: a status and a body without content type. */
interface Answer {
  readonly status: number
  readonly body: string
}

const json = (body: unknown): Answer => ({ status: 200, body: JSON.stringify(body) })
const noQuery: Answer = { status: 400, body: 'Must provide query string' }

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function readParameters(text: string): { query: string; variables: Record<string, unknown> } | undefined {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || !('query' in body) || typeof body.query !== 'string')
      return undefined
    const variables = 'variables' in body && typeof body.variables === 'object' ? { ...body.variables } : {}
    return { query: body.query, variables }
  } catch {
    return undefined
  }
}

/** @returns the document, or the text of the syntax error */
function readDocument(query: string): DocumentNode | string {
  try {
    return parse(query)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Serves the chain as a Mina daemon does: `POST /graphql` with exactly `application/json`, errors with status 200,
 * answers without a content type, a bare JSON string for a syntax error. Everything else is a 404.
 */
export function nodeServer(chain: Chain): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const schema = createSchema({ typeDefs: nodeSchemaText, resolvers: nodeResolvers(chain) })
  const yoga = createYoga({ schema, graphiql: false, landingPage: false, logging: false, maskedErrors: false })

  async function answer(request: IncomingMessage): Promise<Answer> {
    const text = await readText(request)
    if (request.url?.split('?')[0] !== '/graphql' || request.method !== 'POST') return { status: 404, body: '' }
    const parameters = request.headers['content-type'] === 'application/json' ? readParameters(text) : undefined
    if (parameters === undefined) return noQuery
    const { query, variables } = parameters
    const document = readDocument(query)
    if (typeof document === 'string') return json(document)
    const missing = missingVariable(document, variables)
    if (missing !== undefined) return json({ errors: [{ message: `Missing variable \`${missing}\`` }], data: null })

    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const result = await yoga.fetch('http://localhost/graphql', { method: 'POST', headers, body: text })
    const { data = null, errors }: Result = await result.json()
    if (errors === undefined) return json({ data })
    return json({ errors: errors.map((error) => daemonError(schema, query, document, variables, error)), data })
  }

  return async (request, response) => {
    try {
      const { status, body } = await answer(request)
      response.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body)
    } catch (error) {
      // A client that hangs up in the middle of its request must not stop the node.
      if (!request.destroyed) response.writeHead(500)
      response.end(String(error))
    }
  }
}
