// The contract of an endpoint: words, requests, answers and samples. Each is in `endpoints/`, in the
// file with the endpoint's name, apart from the endpoint so that no bundle has a schema.
import type { Static } from 'typebox'
import type { DescribedQuery } from './query/described.ts'
import type { QueryDeclaration } from './query/kinds.ts'
import type { ResponseHeader } from './response-header.ts'

/** One endpoint's request: its options, or the schemas of its body. Those of the path's parameters are in `parameters.ts`. */
export interface RequestSchema {
  readonly query?: DescribedQuery
  readonly body?: object
  /** The bodies that `body` accepts, for people and generated clients. */
  readonly documentedBody?: object
  /** The body as `application/xml`, where the contract declares one: text, as it is sent. */
  readonly xmlBody?: object
}

/** One answer of an endpoint. Its `cache-control` is declared by the endpoint. */
export interface ResponseSchema<Schema extends object = object> {
  /** Its name among the parts that the document writes once. Needed if another endpoint has the same answer. */
  readonly title?: string
  readonly description: string
  readonly schema: Schema
  readonly headers: Readonly<Record<string, ResponseHeader>>
  /** The whole body, if its text is fixed. */
  readonly example?: object
}

export type ByStatus = Readonly<Record<number, ResponseSchema>>

/**
 * A request that gets this status on every chain. Path parameters come from `parameters.ts`: for a 404, values that no
 * chain holds, or malformed ones; otherwise values that the chain holds.
 */
export interface Sample {
  /** With 404: only a malformed parameter has that answer. */
  readonly isMalformed?: boolean
  /** Key of the answer among the examples of the OpenAPI document: `noSuchBlock`. */
  readonly shows: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: object
}

/** A sample for each status that depends on the request alone. A 201 takes a signature. */
export type SamplesOf<Responses extends ByStatus> = Readonly<Record<keyof Responses & (200 | 400 | 404), Sample>>

export interface EndpointContract {
  /** The operationId of the endpoint: also the name of its file, its function and its log lines. */
  readonly name: string
  /** The reason for an endpoint that the contract does not have. */
  readonly addition?: string
  /** For readers of the OpenAPI document. */
  readonly description: string
  readonly request?: RequestSchema
  readonly responses: ByStatus
  readonly samples: Readonly<Partial<Record<200 | 400 | 404, Sample>>>
}

export type OptionsOf<Contract extends EndpointContract> = Contract extends {
  readonly request: { readonly query: DescribedQuery<infer Options> }
}
  ? Options
  : EndpointContract extends Contract
    ? QueryDeclaration
    : Record<never, never>

/** The body of an endpoint's success. */
export type SuccessBody<Contract extends EndpointContract> = Contract['responses'] extends
  | { readonly 200: ResponseSchema<infer Schema> }
  | { readonly 201: ResponseSchema<infer Schema> }
  ? Static<Schema>
  : unknown
