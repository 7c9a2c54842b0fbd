// A GraphQL operation whose document is derived from the fields that are read from its answer.
import type { WireType } from './wire.ts'

/** One GraphQL operation and what its `data` looks like. */
export interface Operation<Data = unknown> {
  readonly name: string
  readonly upstream: 'node' | 'indexer'
  readonly document: string
  readonly data: WireType<Data>
  /**
   * Gets the time-out of a walk over a whole ledger: it makes one, or must be answered while another may be going on.
   */
  readonly isPatient?: boolean
  /** The longest that an answer takes, in milliseconds, in place of the upstream's time-out. */
  readonly timeoutMs?: number
  /**
   * Goes over a connection that only such questions use. An upstream may tie each connection to a thread, and a light
   * question shows how busy the thread is only to a heavy one on the same connection.
   */
  readonly hasOwnConnection?: boolean
  /**
   * The same question with the node's tip in its document. `block` is non-null in the schema, so an error about it
   * leaves no other data, and no tip. A node with its own address is asked for its tip in a separate request. Behind a
   * shared address another daemon may answer that request, so this is asked there.
   */
  readonly withTip?: Operation
  /** True if the data says that the node does not have what was asked for, which a further answer must confirm. */
  lacks?(data: Data): boolean
  /** True if even a node without a frontier, and so without a tip, can answer it. */
  readonly needsNoTip?: boolean
  /** True if a node may be older than what is asked. That it says so is an answer, and no fault of the node. */
  readonly mayBeUnknown?: boolean
  /**
   * Public text for an answer that is too long to be read. Anyone can fill the pool and the blocks, so its length is not the
   * node's fault, and no other node is asked.
   */
  readonly tooLong?: string
  /** Only an upstream whose schema has the field is asked: others speak a dialect without it. */
  readonly dialect?: { readonly type: string; readonly field: string }
}

/**
 * An operation whose document is derived from the fields that are read from its answer.
 *
 * @param kind `query` or `mutation`
 * @param name the operation's name in the document and in logs
 * @param variables declarations as GraphQL text: `$limit: Int!`; empty for none
 * @example
 * const chainId = operation('node', 'query', 'chainId', '', shape({ daemonStatus: shape({ chainId: text }) }))
 * chainId.document // query chainId {daemonStatus{chainId}}
 */
export const operation = <Data>(
  upstream: Operation['upstream'],
  kind: 'query' | 'mutation',
  name: string,
  variables: string,
  data: WireType<Data>,
  traits: Pick<
    Operation<Data>,
    | 'isPatient'
    | 'timeoutMs'
    | 'hasOwnConnection'
    | 'withTip'
    | 'lacks'
    | 'needsNoTip'
    | 'mayBeUnknown'
    | 'tooLong'
    | 'dialect'
  > = {},
): Operation<Data> => ({
  name,
  upstream,
  document: `${kind} ${name}${variables && `(${variables})`} ${data.selection}`,
  data,
  ...traits,
})

/** Each operation in the forms in which it may be sent. */
export const withTipForms = (operations: readonly Operation[]): readonly Operation[] =>
  operations.flatMap((each) => (each.withTip === undefined ? [each] : [each, each.withTip]))
