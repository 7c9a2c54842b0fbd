// A GraphQL operation whose document is derived from what is read of its answer.
import type { WireType } from './wire.ts'

/** One GraphQL operation and what its `data` looks like. */
export interface Operation<Data = unknown> {
  readonly name: string
  readonly upstream: 'node' | 'indexer'
  readonly document: string
  readonly data: WireType<Data>
  /** Walks a whole ledger upstream, and gets the longer time-out that is set for that. */
  readonly isSlow?: boolean
  /**
   * The label of the node is asked in a second request beside this one, to the same node: `block` is non-null in the
   * schema, so an error about it leaves no other data in the answer.
   */
  readonly labelBeside?: boolean
  /**
   * For answers that never change: how many rows one holds, since a warm instance keeps only so many. 0 keeps it from
   * being kept, as one that does not answer the question.
   */
  rowsToKeep?(data: Data): number
}

/**
 * An operation whose document is derived from what is read of its answer.
 *
 * @param kind `query` or `mutation`
 * @param name the operation's name in the document and in logs
 * @param variables declarations as GraphQL text: `$limit: Int!`; empty for none
 */
export const operation = <Data>(
  upstream: Operation['upstream'],
  kind: 'query' | 'mutation',
  name: string,
  variables: string,
  data: WireType<Data>,
  traits: Pick<Operation<Data>, 'isSlow' | 'labelBeside' | 'rowsToKeep'> = {},
): Operation<Data> => ({
  name,
  upstream,
  document: `${kind} ${name}${variables && `(${variables})`} ${data.selection}`,
  data,
  ...traits,
})
