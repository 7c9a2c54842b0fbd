// The embedded indexer: the chain behind a mina-indexer's GraphQL port.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ExecutionResult } from 'graphql'
import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { createSchema, createYoga } from 'graphql-yoga'
import type { Chain } from '../chain.ts'
import type { IndexerState } from './ingested.ts'
import { createIngestion } from './ingested.ts'
import type { AnswerContext, AnswerNotes } from './resolvers.ts'
import { indexerResolvers } from './resolvers.ts'
import { indexerSchemaText } from './schema.ts'

const paths: ReadonlySet<string | undefined> = new Set(['/graphql', '/indexer/graphql'])
const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json' }

/** A single error nulls all data; an answer without errors has a cache-control header. */
const dialect: Plugin<object, AnswerContext> = {
  onResultProcess({ result, setResult, serverContext }) {
    const { errors }: ExecutionResult = 'errors' in result ? result : {}
    if (errors === undefined) return
    serverContext.notes.maxAgeSeconds = undefined
    // The real server prints no extensions, so the errors are rebuilt without them. Yoga does not print `http`.
    const plain = errors.map(({ message, nodes, source, positions, path, extensions }) => {
      return new GraphQLError(message, {
        nodes: nodes ?? null,
        source: source ?? null,
        positions: positions ?? null,
        path: path ?? null,
        extensions: extensions.code === 'BAD_REQUEST' ? { http: { status: 400 } } : {},
      })
    })
    setResult({ data: null, errors: plain })
  },
  onResponse({ response, serverContext }) {
    const { maxAgeSeconds } = serverContext.notes
    if (maxAgeSeconds !== undefined) response.headers.set('cache-control', `max-age=${maxAgeSeconds}`)
  },
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
  const yoga = createYoga<AnswerContext>({
    schema: createSchema({ typeDefs: indexerSchemaText, resolvers: indexerResolvers(createIngestion(chain, state)) }),
    plugins: [dialect],
    graphiql: false,
    landingPage: false,
    logging: false,
    maskedErrors: false,
  })

  const answer = async (sent: string, { socket }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const notes: AnswerNotes = {}
    const question = { method: 'POST', headers: jsonHeaders, body: sent }
    const answered = await yoga.fetch('http://localhost/graphql', question, { notes })
    const body = await answered.text()
    if (notes.panicked) {
      socket.destroy()
      return
    }
    const cacheControl = answered.headers.get('cache-control')
    response
      .writeHead(answered.status, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...(cacheControl !== null && { 'cache-control': cacheControl }),
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
    await answer(sent, request, response)
  }
}
