// Questions to an indexer. Two programs serve its schema, and may call a field differently: these are its dialects.
import { isUnknownName } from './node-errors.ts'
import { type Operation, operation } from './operation.ts'
import type { QueryUpstream, Reply } from './query.ts'
import type { WireType } from './wire.ts'

/**
 * A field that the other dialect calls otherwise; it is read under its key in both.
 *
 * @param otherCall GraphQL text, as in `called`
 * @example
 * shape({ blockHeight: otherwiseCalled('height', count) }) // {blockHeight}, in the other dialect {blockHeight:height}
 */
export const otherwiseCalled = <T>(otherCall: string, type: WireType<T>): WireType<T> => ({
  ...type,
  call: `<${type.call ?? ''}|${otherCall}>`,
})

/** Both calls of a field, as `otherwiseCalled` leaves them behind the key. */
const calls = /:<([^<|>]*)\|([^<|>]*)>/g

/** A question to an indexer, with a second document where the dialects differ. See `operation`. */
export function indexerQuery<Data>(
  name: string,
  variables: string,
  data: WireType<Data>,
  traits: Pick<Operation, 'isPatient' | 'hasOwnConnection' | 'dialect'> = {},
): Operation<Data> {
  const asked = operation<Data>('indexer', 'query', name, variables, data, traits)
  const document = asked.document.replace(calls, (_, call: string) => call && `:${call}`)
  if (document === asked.document) return asked
  return { ...asked, document, otherDocument: asked.document.replace(calls, ':$2') }
}

const refusesName = ({ errors }: Reply): boolean => errors.some(isUnknownName)

/** Sends questions in the indexer's dialect: a name that it refuses is asked by the other one, which is remembered. */
export function inItsDialect(query: QueryUpstream): QueryUpstream {
  let speaksOther = false
  return async (operation, variables, limits) => {
    const { document, otherDocument } = operation
    if (otherDocument === undefined) return query(operation, variables, limits)
    const ask = (isOther: boolean) =>
      query({ ...operation, document: isOther ? otherDocument : document }, variables, limits)
    const reply = await ask(speaksOther)
    if (!refusesName(reply)) return reply
    const other = await ask(!speaksOther)
    if (refusesName(other)) return reply
    speaksOther = !speaksOther
    return other
  }
}
