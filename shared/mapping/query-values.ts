// The values of query options, by their kinds.
import { type CursorBlock, cursorFrom } from '../contract/forms.ts'
import type { Kind, QueryDeclaration } from '../contract/query/kinds.ts'
import { type Given, type OptionFault, problemOf, readOptions } from '../contract/query/read-options.ts'
import { isMemo, isPublicKey, isStateHash } from './base58check.ts'

const cursorBlock = (text: string): CursorBlock | undefined => {
  const block = cursorFrom(text)
  return block !== undefined && isStateHash(block.stateHash) ? block : undefined
}

/** The value of a text in its one spelling; undefined where its checksum is wrong, which admission does not compute. */
const valueFrom = {
  count: Number,
  number: Number,
  nanomina: BigInt,
  key: (text: string) => (isPublicKey(text) ? text : undefined),
  memo: (text: string) => (isMemo(text) ? text : undefined),
  cursor: cursorBlock,
} satisfies { readonly [Each in Kind]: (text: string) => unknown }

/** The values of an endpoint's options. One that is absent is undefined, unless it has a default. */
export type QueryOf<Options extends QueryDeclaration> = {
  readonly [Name in keyof Options]:
    | Exclude<ReturnType<(typeof valueFrom)[Options[Name]['kind']]>, undefined>
    | (Options[Name] extends { readonly default: number } ? never : undefined)
}

/** The options of an endpoint, and how the texts of a request become their values. */
export interface QueryReader<Options extends QueryDeclaration = QueryDeclaration> {
  readonly options: Options
  /**
   * The values count only without a fault.
   *
   * @param path of the endpoint
   */
  read(given: Given, path: string): { readonly values: QueryOf<Options>; readonly faults: readonly OptionFault[] }
}

export const queryReader = <Options extends QueryDeclaration>(options: Options): QueryReader<Options> => ({
  options,
  read(given, path) {
    const { values: texts, faults } = readOptions(options, given, path)
    const values: Record<string, unknown> = {}
    const wrongChecksums: OptionFault[] = []
    for (const [at, option] of Object.entries(options)) {
      const text = texts[at] ?? option.default?.toString()
      if (text === undefined) continue
      values[at] = valueFrom[option.kind](text)
      if (values[at] === undefined) wrongChecksums.push({ at, problem: problemOf(option) })
    }
    return { values: values as QueryOf<Options>, faults: faults.length > 0 ? faults : wrongChecksums }
  },
})
