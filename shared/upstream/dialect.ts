// An indexer's dialect: some fields have another name in the other one (`otherwiseCalled` in wire.ts).
import { isUnknownName } from './node-errors.ts'
import type { QueryUpstream, Reply } from './query.ts'

const refusesName = ({ errors }: Reply): boolean => errors.some(isUnknownName)

/** Sends questions in the indexer's dialect: a name that it refuses is asked by the other one, which is remembered. */
export function inItsDialect(query: QueryUpstream): QueryUpstream {
  let speaksOther = false
  return async (operation, variables, limits) => {
    const { document, otherDocument } = operation
    const ask = (isOther: boolean) =>
      query({ ...operation, document: (isOther && otherDocument) || document }, variables, limits)
    const reply = await ask(speaksOther)
    if (otherDocument === undefined || !refusesName(reply)) return reply
    const other = await ask(!speaksOther)
    if (refusesName(other)) return reply
    speaksOther = !speaksOther
    return other
  }
}
