import type { Given, OptionFault, QueryOption } from '../contract/query-option.ts'
import { isPublicKey } from './base58check.ts'

/** The faults of an endpoint whose options may be public keys: their checksums, which admission does not compute. */
export const checksumFaults =
  (options: readonly QueryOption[]) =>
  ({ query }: { readonly query: Given }): readonly OptionFault[] =>
    options
      .filter(({ kind, name }) => kind === 'key' && query[name] !== undefined && !isPublicKey(query[name]))
      .map(({ name, problem }) => ({ at: name, problem }))
