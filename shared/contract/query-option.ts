// The options of a query: their kinds, and how their texts are read. Plain syntax, since this also runs in a CloudFront
// Function.
import {
  type Base58Form,
  cursorFrom,
  hasForm,
  maxNanomina,
  memoForm,
  nanominaFrom,
  publicKeyForm,
  wholeNumberFrom,
} from './forms.ts'

/** The names of options that are given together or not at all, and of those that stand only beside all of them. */
interface Group {
  readonly together: readonly string[]
  readonly further: readonly string[]
}

interface Option {
  /** Its key in the query. */
  readonly name: string
  /** The fault of a text without meaning; completes a sentence that begins with the option's name. */
  readonly problem: string
  /** The options beside which this one must stand. */
  readonly needed?: Group
}

interface CountOption extends Option {
  readonly kind: 'count'
  /** The value when the option is absent. */
  readonly defaultValue: number
  /** Larger numbers are taken for this one. */
  readonly max: number
}

interface NumberOption extends Option {
  readonly kind: 'number'
  readonly min: number
  readonly max: number
  /** The value when the option is absent, where it has one. */
  readonly defaultValue?: number
}

/** A number of nanomina, from 0 to 2^64 - 1. */
interface NanominaOption extends Option {
  readonly kind: 'nanomina'
}

/** A text in base58check. */
interface KeyOption extends Option {
  readonly kind: 'key' | 'memo'
  readonly form: Base58Form
}

/** A block by its height and its state hash: `HEIGHT-STATEHASH`. */
interface CursorOption extends Option {
  readonly kind: 'cursor'
}

export type QueryOption = CountOption | NumberOption | NanominaOption | KeyOption | CursorOption

/** A number from 1 to `max`; larger ones are taken for `max`. */
export const countOption = (name: string, defaultValue: number, max: number): QueryOption => {
  const problem = 'must be a whole number, 1 or more, given once'
  return { kind: 'count', name, defaultValue, max, problem }
}

/** A number from `min` (0 unless given) to `max`; others are refused. With a default, that number is spelt by absence. */
export const numberOption = (
  name: string,
  max: number,
  further?: Partial<Pick<NumberOption, 'min' | 'defaultValue'>>,
): QueryOption => {
  const min = further?.min ?? 0
  const problem = `must be a whole number from ${min} to ${max}, given once`
  return { kind: 'number', name, min, max, problem, ...further }
}

/** The last block of the page before. */
export const cursorOption = (name: string): QueryOption => {
  const problem = 'must be the next of an earlier answer, HEIGHT-STATEHASH, given once'
  return { kind: 'cursor', name, problem }
}

export const publicKeyOption = (name: string): QueryOption => {
  const problem = 'must be a public key, given once'
  return { kind: 'key', name, form: publicKeyForm, problem }
}

/** The memo of a command as the chain has it, in base58check. */
export const memoOption = (name: string): QueryOption => {
  const problem = 'must be a memo in base58check, 53 characters, E4…, given once'
  return { kind: 'memo', name, form: memoForm, problem }
}

/** An amount in nanomina. */
export const nanominaOption = (name: string): QueryOption => {
  const problem = `must be a whole number of nanomina from 0 to ${maxNanomina}, given once`
  return { kind: 'nanomina', name, problem }
}

const byAccount = 'GET /accounts/{public_key}/transactions has all that an account sends and receives'
const byHeight = 'use GET /blocks/height/{height}'
const byCursor = 'use GET /accounts/{public_key}/transactions with limit and before'

/**
 * Options of other services, each with what to use in its place. An answer that ignored one would answer another question,
 * so a GET that does not have the option refuses it. All other unknown keys are dropped.
 */
export const foreignOptions: Readonly<Record<string, string>> = {
  key: byAccount,
  from: byAccount,
  to: byAccount,
  page: byCursor,
  offset: byCursor,
  before: byCursor,
  after: byCursor,
  cursor: byCursor,
  height: byHeight,
  minHeight: byHeight,
  maxHeight: byHeight,
  canonical: 'lists have canonical blocks only, and each block says if it is canonical',
}

export const foreignNames: readonly string[] = Object.keys(foreignOptions)

const namesOf = (options: readonly QueryOption[]): readonly string[] => options.map((option) => option.name)

/**
 * All of these options or none: one alone is refused, with the names of those that are missing.
 *
 * @param further options that stand only beside all of these
 */
export function togetherOrNone(
  options: readonly QueryOption[],
  further?: readonly QueryOption[],
): readonly QueryOption[] {
  const others = further ?? []
  const needed = { together: namesOf(options), further: namesOf(others) }
  return options.map((option): QueryOption => ({ ...option, needed })).concat(others)
}

/** Texts by name; those of a repeated option are joined by commas, as API Gateway does it. No value has a comma. */
export type Given = Readonly<Record<string, string | undefined>>

export interface OptionFault {
  /** The option's name. */
  readonly at: string
  readonly problem: string
}

export interface OptionReading {
  /** In the order of the options, each in its one spelling. An option that has its default is absent. */
  readonly values: Readonly<Record<string, string>>
  readonly faults: readonly OptionFault[]
}

function countSpelling(option: CountOption, text: string): string | undefined {
  const number = wholeNumberFrom(text)
  if (number === undefined) return undefined
  const count = Math.min(number, option.max)
  if (count === option.defaultValue) return ''
  return count === 0 ? undefined : String(count)
}

function numberSpelling(option: NumberOption, text: string): string | undefined {
  const number = wholeNumberFrom(text)
  if (number === undefined || number < option.min || number > option.max) return undefined
  return number === option.defaultValue ? '' : String(number)
}

/** The fault of an option that is absent beside others of its group; undefined if none of them is given. */
function absenceFault(group: Group, given: Given): string | undefined {
  const together = group.together
  const further = group.further
  if (!together.concat(further).some((name) => given[name] !== undefined)) return undefined
  const problem = `is missing: ${together.join(', ')} are given together or not at all`
  return further.length === 0 ? problem : `${problem}, and ${further.join(', ')} only beside them`
}

/** The one spelling of a text; `''` for the default, undefined for a text without meaning. */
function spellingOf(option: QueryOption, text: string): string | undefined {
  switch (option.kind) {
    case 'nanomina':
      return nanominaFrom(text)
    case 'number':
      return numberSpelling(option, text)
    case 'count':
      return countSpelling(option, text)
    case 'cursor':
      return cursorFrom(text) === undefined ? undefined : text
    default:
      return hasForm(text, option.form) ? text : undefined
  }
}

/**
 * Reads the options of a GET's query, without the checksums of keys. Those of other services are faults.
 *
 * @example
 * readOptions([countOption('limit', 1, 10)], { limit: '007' }) // { values: { limit: '7' }, faults: [] }
 */
export function readOptions(options: readonly QueryOption[], given: Given): OptionReading {
  const values: Record<string, string> = {}
  const faults: OptionFault[] = []
  options.forEach((option) => {
    const at = option.name
    const text = given[at]
    if (text === undefined) {
      const problem = option.needed && absenceFault(option.needed, given)
      if (problem !== undefined) faults.push({ at, problem })
      return
    }
    const spelling = spellingOf(option, text)
    if (spelling === undefined) faults.push({ at, problem: option.problem })
    else if (spelling !== '') values[at] = spelling
  })
  foreignNames.forEach((at) => {
    if (given[at] === undefined || options.some((option) => option.name === at)) return
    faults.push({ at, problem: `is not an option here: ${foreignOptions[at]}` })
  })
  return { values, faults }
}

/** The faults in words, for the answer that names them. */
export const faultText = (faults: readonly OptionFault[]): string =>
  faults.map((fault) => `${fault.at} ${fault.problem}`).join('; ')
