// One GraphQL call over HTTP: what is sent, and what counts as its answer.
import { GraphQLClient } from 'graphql-request'
import { memberOf, parseExactJson } from '../../../shared/mapping/json.ts'
import type { Reply } from '../../../shared/upstream/query.ts'
import type { HttpAnswer, HttpRequest, Transport } from './transport.ts'

const messageOf = (error: unknown): string => {
  const message = memberOf(error, 'message') ?? error
  return typeof message === 'string' ? message : 'an error without a message'
}

/** The messages of an answer's errors; the Rust node lists its reasons under `extensions`, and they follow a colon. */
function messagesOf(errors: unknown): readonly string[] {
  if (errors === undefined || errors === null) return []
  return (Array.isArray(errors) ? errors : [errors]).flatMap((error: unknown) => {
    const message = messageOf(error)
    const reasons = memberOf(error, 'extensions')
    return Array.isArray(reasons) && reasons.length > 0
      ? reasons.map((reason) => `${message}: ${messageOf(reason)}`)
      : [message]
  })
}

/** The JSON of a reply. Some servers send `errors: null` beside good data, which graphql-request takes for an error. */
function parseReply(text: string): unknown {
  const reply = parseExactJson(text)
  if (memberOf(reply, 'errors') === null) Reflect.deleteProperty(Object(reply), 'errors')
  return reply
}

/** Where and how a document is sent. */
export interface GraphQlCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** As in `HttpRequest`. */
  readonly onFreshConnection?: boolean
  /** Ends the call and its connection. */
  readonly signal: AbortSignal
  readonly send: Transport
  /** As in `HttpRequest`. */
  readonly onAnswer?: HttpRequest['onAnswer']
}

/** All that graphql-request looks at in a response. */
type ResponseRead = Pick<Response, 'ok' | 'status' | 'text'> & { readonly headers: Pick<Headers, 'get'> }

/**
 * Sends one document. A body that is a GraphQL answer is read whatever its status and content type; any other body gives
 * a reply without data.
 *
 * @throws WireError as `Transport`
 */
export async function callGraphQl(
  query: string,
  variables: object,
  { url, headers, send, ...terms }: GraphQlCall,
): Promise<Reply> {
  let answer: HttpAnswer | undefined

  /** graphql-request takes data only from what is OK and called JSON; a daemon names no content type. */
  const fetchAsJson = async (_url: unknown, { headers: own, body }: RequestInit = {}): Promise<Response> => {
    const all = { ...Object.fromEntries(own as Headers), ...headers }
    answer = await send({ url, method: 'POST', headers: all, body: String(body), ...terms })
    const { status, text } = answer
    const response: ResponseRead = {
      ok: true,
      status,
      headers: { get: () => 'application/json' },
      text: async () => text,
    }
    return response as Response
  }

  const client = new GraphQLClient(url, {
    fetch: fetchAsJson,
    errorPolicy: 'all',
    // Documents are text; naming the operation would parse them.
    excludeOperationName: true,
    jsonSerializer: { parse: parseReply, stringify: JSON.stringify },
  })
  try {
    const { status, data, errors } = await client.rawRequest({ query, variables })
    const isGraphQl = typeof data === 'object' && !Array.isArray(data)
    return { status, data: isGraphQl ? data : undefined, errors: messagesOf(errors) }
  } catch (error) {
    if (answer === undefined) throw error
    return { status: answer.status, data: undefined, errors: [] }
  }
}
