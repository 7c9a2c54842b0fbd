// The embedded node: the chain behind a daemon's GraphQL port.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Chain } from '../chain.ts'
import { answering, type GraphQlQuestion, type ReadDocument } from '../graphql-answers.ts'
import { daemonError, missingVariable } from './dialect.ts'
import { nodeResolvers } from './resolvers.ts'
import { inputScalars } from './scalars.ts'
import { nodeSchemaText } from './schema.ts'

/** The GraphQL of a daemon, by its schema: another version may have other fields. */
export const daemonGraphQl = (schemaText: string) => answering(schemaText, inputScalars)

const present = daemonGraphQl(nodeSchemaText)

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

function readQuestion(text: string): GraphQlQuestion | undefined {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || !('query' in body) || typeof body.query !== 'string')
      return undefined
    const variables = 'variables' in body && typeof body.variables === 'object' ? { ...body.variables } : {}
    const operationName = 'operationName' in body ? body.operationName : undefined
    return {
      query: body.query,
      variables,
      operationName: typeof operationName === 'string' ? operationName : undefined,
    }
  } catch {
    return undefined
  }
}

/** @returns the document, or the text of the syntax error */
function readDocument(graphQl: typeof present, query: string): ReadDocument | string {
  try {
    return graphQl.read(query)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Serves the chain as a Mina daemon does: `POST /graphql` with exactly `application/json`, errors with status 200,
 * answers without a content type, a bare JSON string for a syntax error. Everything else is a 404.
 */
export function nodeServer(
  chain: Chain,
  graphQl = present,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const resolvers = nodeResolvers(chain)
  const root = { ...resolvers.query, ...resolvers.mutation }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const text = await readText(request)
    if (request.url?.split('?')[0] !== '/graphql' || request.method !== 'POST') return { status: 404, body: '' }
    const question = request.headers['content-type'] === 'application/json' ? readQuestion(text) : undefined
    if (question === undefined) return noQuery
    const { query, variables } = question
    const read = readDocument(graphQl, query)
    if (typeof read === 'string') return json(read)
    const missing = missingVariable(read.document, variables)
    if (missing !== undefined) return json({ errors: [{ message: `Missing variable \`${missing}\`` }], data: null })

    const { data = null, errors } = await graphQl.answer(read, root, question)
    if (errors === undefined) return json({ data })
    const told = errors.map((error) => daemonError(graphQl.schema(), query, read.document, variables, error.toJSON()))
    return json({ errors: told, data })
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
