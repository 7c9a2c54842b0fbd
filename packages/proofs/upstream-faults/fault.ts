// A fault is a different delivery of an upstream's true answer.
import type { ServerResponse } from 'node:http'
import { at, changed } from './exact-json.ts'

export type Upstream = 'node' | 'indexer'

/** A question of the service and the true answer of the upstream. */
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

/** The delivery as a client that follows HTTP understands it. */
export type Delivered =
  | { readonly state: 'answer'; readonly status: number; readonly text: string; readonly isTooLong?: true }
  /** No complete answer. */
  | { readonly state: 'cut' }
  | { readonly state: 'time-out' }

export interface Sending {
  readonly delivered: Delivered
  send(response: ServerResponse): void
}

/** Defects of an indexer as a whole. */
export const indexerConditions = [
  'has the staking ledger of epoch 0 only',
  'has read another chain',
  'has not connected its latest blocks',
  'has come to the first blocks only',
] as const

export type IndexerCondition = (typeof indexerConditions)[number]

interface Exceptions {
  /** Every answer of the indexer comes from one with this defect. */
  readonly condition?: IndexerCondition
  /** The upstream never gets the question. */
  readonly isQuestionLost?: true
  /** HTTP and JSON do not say whether such an answer is valid: the service may also treat it as absent. */
  readonly mayCountAsNone?: true
  /** The longest time for which caches may keep the answer. */
  readonly maxSeconds?: number
  /** The indexer's block may stand for the node's. */
  readonly mayBeIndexed?: true
  /** Some upstream may have nothing there: the answer then lacks the field without a word. */
  readonly mayLeaveOut?: true
}

export interface Fault extends Exceptions {
  readonly name: string
  /** The row of the report that counts it. */
  readonly kind: string
  readonly upstream: Upstream
  /** True if the fault makes a difference to this answer. */
  hits(exchange: TrueExchange): boolean
  sending(exchange: TrueExchange): Sending
}

/** A fault that hits every answer. */
export type Row = readonly [name: string, sending: (exchange: TrueExchange) => Sending, exceptions?: Exceptions]

export const faultsOf = (kind: string, upstream: Upstream, rows: readonly Row[]): readonly Fault[] =>
  rows.map(([name, sending, exceptions]) => ({
    name: `${upstream} ${name}`,
    kind,
    upstream,
    hits: () => true,
    sending,
    ...exceptions,
  }))

/** A fault that changes the data of an answer. It hits the answers for which `make` returns anything. */
export const change = (
  kind: string,
  upstream: Upstream,
  name: string,
  make: (data: unknown, exchange: TrueExchange) => unknown,
): Fault => {
  const made = (exchange: TrueExchange) => make(at(exchange.json, 'data'), exchange)
  return {
    name: `${upstream} ${name}`,
    kind,
    upstream,
    hits: (exchange) => made(exchange) !== undefined,
    sending: (exchange) => answers(JSON.stringify({ ...(exchange.json as object), data: made(exchange) })),
  }
}

/** A fault in one place of the data: the path with dots between its steps, and the wrong value or a function to make it. */
export type Replacement = readonly [upstream: Upstream, name: string, path: string, wrong: unknown]

/** Each of them hits the answers that have a value at its path. */
export const replacements = (kind: string, rows: readonly Replacement[]): readonly Fault[] =>
  rows.map(([upstream, name, path, wrong]) => {
    const steps = path.split('.')
    const fault = change(kind, upstream, name, (data) =>
      at(data, ...steps) === undefined
        ? undefined
        : changed(data, steps, (found) => (typeof wrong === 'function' ? wrong(found) : wrong)),
    )
    return wrong === null ? { ...fault, mayLeaveOut: true } : fault
  })

/** A complete answer. */
export const answers = (
  body: string | Uint8Array,
  { status = 200, headers = {}, text = String(body) }: { status?: number; headers?: object; text?: string } = {},
): Sending => ({
  delivered: { state: 'answer', status, text },
  send: (response) => void response.writeHead(status, { ...headers }).end(body),
})

/** A complete answer of more bytes than the service reads. */
export const tooLong = (body: string | Uint8Array, headers: object = {}): Sending => {
  const { send } = answers(body, { headers })
  return { delivered: { state: 'answer', status: 200, text: '', isTooLong: true }, send }
}

export const cut: Delivered = { state: 'cut' }
