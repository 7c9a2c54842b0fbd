// The values of query options, by their kinds.
import { type CursorBlock, cursorFrom } from '../contract/forms.ts'
import type { Kind, KindRules, QueryDeclaration } from '../contract/query/kinds.ts'
import * as rules from '../contract/query/kinds.ts'
import type { absenceFaults } from '../contract/query/levels.ts'
import {
  type OptionFault,
  type OptionTexts,
  optionBeside,
  problemOf,
  readOptions,
} from '../contract/query/read-options.ts'
import { isMemo, isPublicKey, isStateHash } from './base58check.ts'

/** The value of an option by its kind. */
interface Values {
  readonly count: number
  readonly number: number
  readonly nanomina: bigint
  readonly key: string
  readonly memo: string
  readonly cursor: CursorBlock
  readonly choice: string
}

/** The value of a normalised text; undefined if its checksum is wrong, which admission does not check. */
type ValueFrom<Each extends Kind> = (text: string) => Values[Each] | undefined

/** The rules of a kind, and its values. */
interface KindReader<Each extends Kind> extends KindRules<Each> {
  readonly valueFrom: ValueFrom<Each>
}

const reader = <Each extends Kind>(kind: KindRules<Each>, valueFrom: ValueFrom<Each>): KindReader<Each> => ({
  ...kind,
  valueFrom,
})

// The marks let a bundle leave out the kinds that no option of its endpoint has.
export const countOption = /* @__PURE__ */ reader(rules.count, Number)
export const numberOption = /* @__PURE__ */ reader(rules.number, Number)
export const nanominaOption = /* @__PURE__ */ reader(rules.nanomina, BigInt)
export const keyOption = /* @__PURE__ */ reader(rules.key, (text) => (isPublicKey(text) ? text : undefined))
export const memoOption = /* @__PURE__ */ reader(rules.memo, (text) => (isMemo(text) ? text : undefined))
export const cursorOption = /* @__PURE__ */ reader(rules.cursor, (text) => {
  const block = cursorFrom(text)
  return block !== undefined && isStateHash(block.stateHash) ? block : undefined
})
export const choiceOption = /* @__PURE__ */ reader(rules.choice, (text) => text)

/** The values of an endpoint's options. One that is absent is undefined, unless it has a default. */
export type QueryOf<Options extends QueryDeclaration> = {
  readonly [Name in keyof Options]:
    | (Options[Name] extends { readonly values: readonly (infer Word)[] } ? Word : Values[Options[Name]['kind']])
    | (Options[Name] extends { readonly default: number | string } ? never : undefined)
}

/** The options of an endpoint, and how the texts of a request become their values. */
export interface QueryReader<Options extends QueryDeclaration = QueryDeclaration> {
  readonly options: Options
  /**
   * The values count only without a fault.
   *
   * @param path of the endpoint
   */
  read(given: OptionTexts, path: string): { readonly values: QueryOf<Options>; readonly faults: readonly OptionFault[] }
}

type ReadersOf<Kinds extends Kind> = { readonly [Each in Kinds]: KindReader<Each> }

/** The rule of options that have a level; nothing if none has one. */
type LevelsOf<Options extends QueryDeclaration> =
  Extract<Options[keyof Options], { readonly level: number }> extends never ? [] : [typeof absenceFaults]

/**
 * The reader of an endpoint's options. Its bundle has the rules that are given here, and no others.
 *
 * @param readers of the options' kinds
 * @param levels `absenceFaults`, for options that have a level
 */
export const queryReader = <Options extends QueryDeclaration>(
  options: Options,
  readers: ReadersOf<Options[keyof Options]['kind']>,
  ...[absent]: LevelsOf<Options>
): QueryReader<Options> => ({
  options,
  read(given, path) {
    // No option is of another kind.
    const kinds = readers as ReadersOf<Kind>
    const { values: texts, faults: ofEach } = readOptions(kinds, options, given, path)
    const faults = [...(absent?.(options, given) ?? []), ...ofEach]
    const values: Record<string, unknown> = {}
    const wrongChecksums: OptionFault[] = []
    for (const [at, declared] of Object.entries(options)) {
      const option = optionBeside(given, declared)
      const text = texts[at] ?? option.default?.toString()
      if (text === undefined) continue
      values[at] = kinds[option.kind].valueFrom(text)
      if (values[at] === undefined) wrongChecksums.push({ at, problem: problemOf(kinds, option) })
    }
    return { values: values as QueryOf<Options>, faults: faults.length > 0 ? faults : wrongChecksums }
  },
})
