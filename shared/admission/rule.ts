// The requests that a route admits, as data: CloudFront's viewer function gets it as JSON.
import type { Base58Form, CursorForm, WholeNumberForm } from '../contract/forms.ts'
import type { QueryDeclaration } from '../contract/query/kinds.ts'

/** An answer given without calling a function, equal to the function's. */
export interface Refusal {
  readonly status: 400 | 404
  readonly message: string
  readonly cacheControl: string
}

/** The refusal of a gateway if no route matches. */
export const noRoute: Refusal = { status: 404, message: 'Not Found', cacheControl: 'no-store' }

/**
 * The form of files whose names change with their contents: a name, a hyphen, 16 hexadecimal digits, an ending. With the
 * ending `''`, one of the names itself.
 */
interface FileForm {
  readonly names: readonly string[]
  readonly ending: string
}

/** The forms of a path parameter, and the refusal of a text that has none of them; by default that of an unknown path. */
export interface ParameterRule {
  readonly forms: readonly (Base58Form | WholeNumberForm | CursorForm | FileForm)[]
  readonly refusal?: Refusal
}

export interface RouteRule {
  readonly methods: readonly string[]
  /** As API Gateway writes it: `/blocks/{state_hash}`. A parameter is one segment. */
  readonly path: string
  /** An alias, which is rewritten to `path`. */
  readonly alias?: string | undefined
  /** By name; a parameter without a rule may be any segment without percent-encoding. */
  readonly parameters?: Readonly<Record<string, ParameterRule>> | undefined
  /**
   * The query options of a GET. Every other key that has a meaning somewhere is refused. Absent if the query is not
   * read.
   */
  readonly options?: QueryDeclaration
}
