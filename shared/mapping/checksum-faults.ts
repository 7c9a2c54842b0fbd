import { cursorFrom } from '../contract/forms.ts'
import { type Given, type OptionFault, problemOf, type QueryOption } from '../contract/query-option.ts'
import { isMemo, isPublicKey, isStateHash } from './base58check.ts'

function hasChecksum({ kind }: QueryOption, text: string): boolean {
  if (kind === 'key') return isPublicKey(text)
  if (kind === 'cursor') return isStateHash(cursorFrom(text)?.stateHash ?? '')
  return kind !== 'memo' || isMemo(text)
}

/** The faults of an endpoint whose options may be in base58check: their checksums, which admission does not compute. */
export const checksumFaults =
  (options: readonly QueryOption[]) =>
  ({ query }: { readonly query: Given }): readonly OptionFault[] =>
    options.flatMap((option) => {
      const { name: at } = option
      const text = query[at]
      return text === undefined || hasChecksum(option, text) ? [] : [{ at, problem: problemOf(option) }]
    })
