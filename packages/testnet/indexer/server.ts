// The embedded indexer: the chain behind a mina-indexer's GraphQL port.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { GraphQLError } from 'graphql'
import { isObject } from '../../../shared/mapping/exact-json.ts'
import type { Chain } from '../chain.ts'
import { answering, type GraphQlQuestion } from '../graphql-answers.ts'
import type { IndexerState } from './ingested.ts'
import { createIngestion } from './ingested.ts'
import type { AnswerNotes } from './resolvers.ts'
import { exactInteger, indexerResolvers } from './resolvers.ts'
import { indexerSchemaText } from './schema.ts'

const paths: ReadonlySet<string | undefined> = new Set(['/graphql', '/indexer/graphql'])
const graphQl = answering(indexerSchemaText, [exactInteger])

/** @returns the question, or the message of the error where the body holds none */
function readQuestion(sent: string): GraphQlQuestion | string {
  let body: unknown
  try {
    body = JSON.parse(sent)
  } catch {
    return 'POST body sent invalid JSON.'
  }
  if (!isObject(body)) return 'POST body is expected to be an object.'
  const { query, variables, operationName } = body
  if (typeof query !== 'string') return 'Must provide query string.'
  if (variables != null && !isObject(variables)) return 'Expected "variables" to be an object.'
  return {
    query,
    variables: variables ?? {},
    operationName: typeof operationName === 'string' ? operationName : undefined,
  }
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly maxAgeSeconds?: number | undefined
}

/** A single error nulls all data. The real server prints no extensions. */
function failed(errors: readonly GraphQLError[], status = 200): Answer {
  const told = errors.map(({ message, locations, path }) => ({ message, locations, path }))
  return { status, body: JSON.stringify({ data: null, errors: told }) }
}

/**
 * Serves the chain as a mina-indexer does: POST `/graphql` or `/indexer/graphql`, errors with status 200 and
 * no data, 64-bit integers as JSON numbers with all their digits, 400 for a body that is not JSON, a cut connection for
 * most questions to an empty database. Everything else is a 404. It answers at once: the real program scans a staking
 * ledger for seconds, and turns away questions that wait behind the scan with a 408.
 *
 * @param state switches for tests, read at each request
 */
export function indexerServer(
  chain: Chain,
  state: IndexerState = {},
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const root = indexerResolvers(createIngestion(chain, state))

  async function answer(sent: string, notes: AnswerNotes): Promise<Answer> {
    const question = readQuestion(sent)
    if (typeof question === 'string') return failed([new GraphQLError(question)], 400)
    try {
      const document = graphQl.read(question.query)
      const { data, errors } = await graphQl.answer(document, root, question, { notes })
      if (errors !== undefined) return failed(errors)
      return { status: 200, body: JSON.stringify({ data }), maxAgeSeconds: notes.maxAgeSeconds }
    } catch (error) {
      return failed([error instanceof GraphQLError ? error : new GraphQLError(String(error))])
    }
  }

  async function send(sent: string, { socket }: IncomingMessage, response: ServerResponse): Promise<void> {
    const notes: AnswerNotes = {}
    const { status, body, maxAgeSeconds } = await answer(sent, notes)
    if (notes.panicked) {
      socket.destroy()
      return
    }
    response
      .writeHead(status, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        // Only an answer without errors may be kept.
        ...(maxAgeSeconds !== undefined && { 'cache-control': `max-age=${maxAgeSeconds}` }),
      })
      .end(body)
  }

  return async (request, response) => {
    const sent = await text(request).catch(() => undefined)
    // The client hung up in the middle of its request.
    if (sent === undefined) return
    if (request.method !== 'POST' || !paths.has(request.url?.split('?')[0])) {
      response.writeHead(404).end()
      return
    }
    await send(sent, request, response)
  }
}
