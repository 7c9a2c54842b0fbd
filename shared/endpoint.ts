// What an endpoint is, and the one port through which it sees the world.
import type { Fault } from './errors.ts'
import type { Exact } from './json.ts'
import type { Operation } from './mapping/wire.ts'

/** An upstream's GraphQL answer, as it came. `data` is unread; `errors` are the messages in their order. */
export interface Reply {
  /** HTTP status of the upstream. */
  readonly status: number
  /** `undefined` where the body was no GraphQL answer. */
  readonly data: unknown
  readonly errors: readonly string[]
}

/** How far the port goes for one question. */
export interface Limits {
  /** The longest that the answer may take, where that is less than the upstream's time-out. */
  readonly limitMs?: number
  /** The question is itself the repeat of an earlier one: it is not put once more when its connection breaks. */
  readonly isRepeat?: boolean
}

/**
 * Puts one operation to its upstream. The only port to the outside.
 *
 * @throws WireError `timeout` or `unreachable` when no complete answer came, `unreadable` for one that cannot be read
 */
export interface Ask {
  (operation: Operation, variables: Readonly<Record<string, unknown>>, limits?: Limits): Promise<Reply>
  /** Whether operations of the indexer may be put; absent on a deployment without one. */
  readonly hasIndexer?: boolean
  /** Milliseconds until the caller must have its answer; absent where nobody waits. */
  timeLeftMs?(): number
  /** Lets time pass between two questions. */
  pause?(milliseconds: number): Promise<void>
}

/** A request as the gateway hands it over, its body already parsed. */
export interface EndpointRequest {
  readonly path: Readonly<Record<string, string | undefined>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

/** The chain as one answer shows it, for metrics. */
export interface ChainObservation {
  /** Blockchain length of the best tip. */
  readonly tipHeight: number
  /** Milliseconds since 1970. */
  readonly tipAtMs: number
  /** As the node has it: a hard fork changes it. */
  readonly slotDurationMs: number
}

/** What an endpoint answers. */
export interface Answer {
  readonly status: number
  readonly body: Exact<object>
  /** Seconds for which a cache may keep the answer; 0 for never. */
  readonly maxAgeSeconds: number
  /** Seconds past these for which a cache may give the answer in place of an error; never where absent. */
  readonly staleIfErrorSeconds?: number
  readonly headers?: Readonly<Record<string, string>>
  /** For the log only: may hold an upstream's words. */
  readonly note?: string
  /** For metrics only. */
  readonly observed?: ChainObservation
}

/** While a node restarts, an answer about the chain is better than none: less than a slot, it lacks one block at most. */
export const briefOutageSeconds = 60

/** The contract's answer for a thing that does not exist; it may come to exist, so caches forget it soon. */
export const notFound = (message: string): Answer => ({ status: 404, body: { message }, maxAgeSeconds: 5 })

/** An endpoint as a value. Its schemas stand under its name in `contract/requests.ts` and `contract/responses.ts`. */
export interface Endpoint<Input = unknown> {
  /** The operationId: also the name of the function, its construct, its file and its log lines. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  readonly tag: 'broadcast' | 'blocks' | 'accounts' | 'blockchain'
  readonly summary: string
  /** Every operation that it may put to an upstream. */
  readonly operations: readonly Operation[]
  /** The fixed text of a failed broadcast: such an endpoint answers every failure with 400 `{message, error}`. */
  readonly failureMessage?: string
  /** Whether a body of the content type `application/xml` or `text/xml` is XML, with elements named as the JSON keys. */
  readonly acceptsXml?: boolean
  /** What a schema cannot say about a request; called with bodies of any shape, so it looks only at what fits. */
  faults?(request: EndpointRequest): readonly Fault[]
  /** The typed input of `run`, from a request that its schema and `faults` have accepted. */
  input(request: EndpointRequest): Input
  /**
   * @throws ApiError for an answer other than the asked-for one
   * @throws WireError when an upstream broke its promise
   */
  run(input: Input, ask: Ask): Promise<Answer>
}
