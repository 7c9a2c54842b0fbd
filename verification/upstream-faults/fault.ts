// What a fault is: how the true answer of an upstream comes to the service otherwise.
import type { ServerResponse } from 'node:http'

export type Upstream = 'node' | 'indexer'

/** A question that the service has put, and what the upstream truly answers. */
export interface TrueExchange {
  readonly upstream: Upstream
  /** The operation's name in the document. */
  readonly name: string
  readonly document: string
  readonly variables: Readonly<Record<string, unknown>>
  /** The body of the answer, which comes with status 200. */
  readonly text: string
  /** The same as JSON whose numbers keep their text. */
  readonly json: unknown
}

/** What comes to the service, as a client that follows HTTP understands it. */
export type Delivered =
  | { readonly state: 'answer'; readonly status: number; readonly text: string }
  /** No complete answer. */
  | { readonly state: 'cut' }
  | { readonly state: 'time-out' }

export interface Sending {
  readonly delivered: Delivered
  send(response: ServerResponse): void
}

/** Kinds of faults, in the order in which the report has them. */
export const faultKinds = [
  'transport',
  'HTTP',
  'encoding',
  'envelope',
  'identity',
  'list',
  'not-found words',
  'account',
  'staking',
  'condition',
  'mutation',
  'size',
  'field',
] as const

export type FaultKind = (typeof faultKinds)[number]

/** Ways in which an indexer as a whole is not what the node takes it for. */
export const indexerConditions = [
  'has the staking ledger of epoch 0 only',
  'has read another chain',
  'has not connected its latest blocks',
  'has come to the first blocks only',
] as const

export type IndexerCondition = (typeof indexerConditions)[number]

export interface Fault {
  readonly name: string
  readonly kind: FaultKind
  readonly upstream: Upstream
  /** Whether it makes a difference to this answer. */
  hits(exchange: TrueExchange): boolean
  sending(exchange: TrueExchange): Sending
  /** Every answer of the indexer comes from one of which this is true. */
  readonly condition?: IndexerCondition
  /** The upstream never gets the question. */
  readonly isQuestionLost?: true
  /** HTTP or JSON leave it open whether such an answer counts as one: to take it for none is right too. */
  readonly mayCountAsNone?: true
}

/** A complete answer. */
export const answers = (
  body: string | Uint8Array,
  { status = 200, headers = {}, text = String(body) }: { status?: number; headers?: object; text?: string } = {},
): Sending => ({
  delivered: { state: 'answer', status, text },
  send: (response) => void response.writeHead(status, { ...headers }).end(body),
})

/** Bytes past the HTTP server, after which the connection ends. */
export const sendsBytes = (bytes: string | Uint8Array, delivered: Delivered): Sending => ({
  delivered,
  send(response) {
    const { socket } = response
    socket?.write(bytes, () => socket.end())
  },
})

export const cut: Delivered = { state: 'cut' }
