// An endpoint and its requests.
import type { BodyReading } from '../broadcast/body-reading.ts'
import type { ChainView } from '../chain/port.ts'
import type { EndpointContract, OptionsOf, SuccessBody } from '../contract/endpoint-contract.ts'
import type { Base58Form, CursorForm, WholeNumberForm } from '../contract/forms.ts'
import type { SettingsOf } from '../deployment/stage-settings.ts'
import type { Answer, CurrentVersion, Failure } from '../http/answer.ts'
import type { CachePolicy } from '../http/answer-headers.ts'
import type { QueryOf, QueryReader } from '../mapping/query-values.ts'
import type { Operation } from '../upstream/operation.ts'

/** A request as the gateway hands it over, its options and its body already read. */
export interface EndpointRequest<Contract extends EndpointContract = EndpointContract> {
  readonly path: Readonly<Record<string, string | undefined>>
  readonly query: QueryOf<OptionsOf<Contract>>
  readonly body: unknown
}

/** A path parameter that names one thing of the chain. */
interface Identifier {
  readonly parameter: string
  /** A text that has none of these forms names nothing. */
  readonly forms: readonly (Base58Form | WholeNumberForm | CursorForm)[]
  /** The answer for a text that names nothing, such as one of the right form with a wrong checksum. */
  readonly unknown: Failure & { readonly status: 400 | 404 }
}

/** An endpoint as a value. Its contract is in the file of its name in `contract/endpoints/`. */
export interface Endpoint<Contract extends EndpointContract = EndpointContract, Input = unknown> {
  /** The operationId: also the name of the function, its construct, its file and its log lines. */
  readonly name: Contract['name']
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  /** Another path of the same question, which admission rewrites to `path`. */
  readonly alias?: `/${string}`
  readonly tag: 'broadcast' | 'blocks' | 'accounts' | 'transactions' | 'blockchain'
  readonly summary: string
  /** True if an answer may cost more than any other read, with endless keys that no cache has: it has its own throttle. */
  readonly isCostly?: boolean
  /** The time that caches may keep its answers, by status and kind; an answer that names no policy is never kept. */
  readonly caching: Readonly<Partial<Record<200 | 404 | '5xx', Readonly<Record<string, CachePolicy>>>>>
  /** Every operation that it may send to an upstream. */
  readonly operations: readonly Operation[]
  /** The fixed text of a failed broadcast: such an endpoint answers every failure with 400 `{message, error}`. */
  readonly failureMessage?: string
  /** The `link` header of its answers, but not of a refused request. */
  readonly links?: string
  readonly identifier?: Identifier
  /** The options of a GET, which refuses every other key but those of trackers and cache busters. */
  readonly query?: QueryReader<OptionsOf<Contract>>
  /** False if a cached copy is never as good as a new answer. */
  readonly isTagged?: false
  /** True if a body of the content type `application/xml` or `text/xml` is XML, with elements named as the JSON keys. */
  readonly acceptsXml?: boolean
  /** True for the parsed body of the heartbeat, which is not counted among broadcasts. */
  isHeartbeat?(body: unknown): boolean
  /** Reads a parsed body, which may have any shape, before the schema sees it. */
  readBody?(given: unknown, settings: SettingsOf<Contract['name']>): BodyReading
  /** The typed input of `run`, from a request without any fault; undefined if its identifier names nothing. */
  input(request: EndpointRequest<Contract>): Input | undefined
  /**
   * Asks only for what determines a complete answer. Absent if that costs as much as the answer.
   *
   * @returns undefined if only `run` can say
   * @throws WireError when an upstream broke its promise
   */
  currentVersion?(input: Input, chain: ChainView): Promise<CurrentVersion | undefined>
  /**
   * @param settings those whose rows in `deployment/stage-settings.ts` name the endpoint; the defaults if left out
   * @throws ApiError for an answer other than the asked-for one
   * @throws WireError when an upstream broke its promise
   */
  run(input: Input, chain: ChainView, settings?: SettingsOf<Contract['name']>): Promise<Answer<SuccessBody<Contract>>>
}

/** True if answers of 200 have an entity tag, and a request may have a condition. */
export const isTagged = ({ method, isTagged }: Pick<Endpoint, 'method' | 'isTagged'>): boolean =>
  method === 'GET' && isTagged !== false
