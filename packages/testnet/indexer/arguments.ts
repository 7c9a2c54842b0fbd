// Arguments of the mina-indexer's queries: their form, their order, and its messages about malformed ones.
import { GraphQLError } from 'graphql'

/** A mina-indexer checks prefix and length only; it does not decode. */
const forms = {
  'state hash': /^3N.{50}$/,
  'genesis state hash': /^3N.{50}$/,
  'ledger hash': /^j[wxyz].{49}$/,
  'public key': /^B62q.{51}$/,
  'receiver public key': /^B62q.{51}$/,
  'sender public key': /^B62q.{51}$/,
  'txn hash': /^(Ckp.{50}|5J.{50})$/,
}

/** @throws GraphQLError for text that does not have the form; an absent argument passes */
export function check(what: keyof typeof forms, text: string | null | undefined): void {
  if (text != null && !forms[what].test(text)) throw new GraphQLError(`Invalid ${what}: ${text}`)
}

const ascending = <T extends bigint | number | string>(left: T, right: T): number =>
  left < right ? -1 : left > right ? 1 : 0

/**
 * As an index of the database holds them: by rank, then by name; read backwards for a descending order.
 *
 * @param order an enum value that ends in `_ASC` or `_DESC`
 */
export function sorted<T>(
  items: readonly T[],
  order: string,
  rankOf: (item: T) => bigint | number,
  nameOf: (item: T) => string,
): T[] {
  const index = items.toSorted(
    (left, right) => ascending(rankOf(left), rankOf(right)) || ascending(nameOf(left), nameOf(right)),
  )
  return order.endsWith('_ASC') ? index : index.reverse()
}
