// The options of a query: their kinds, and how their texts are read. Plain syntax, since this also runs in a CloudFront
// Function.
import { type Base58Form, hasForm, publicKeyForm, wholeNumberFrom } from './forms.ts'

interface Option {
  /** Its key in the query. */
  readonly name: string
  /** The fault of a text without meaning; completes a sentence that begins with the option's name. */
  readonly problem: string
  /** The fault of its absence beside other options that have this text too. */
  readonly missing?: string
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
  readonly max: number
}

interface KeyOption extends Option {
  readonly kind: 'key'
  readonly form: Base58Form
}

/** An option of another path: it is refused, since an answer that ignores it would be that to another question. */
interface MisplacedOption extends Option {
  readonly kind: 'misplaced'
}

export type QueryOption = CountOption | NumberOption | KeyOption | MisplacedOption

/** A number from 1 to `max`; larger ones are taken for `max`. */
export const countOption = (name: string, defaultValue: number, max: number): QueryOption => {
  const problem = 'must be a whole number, 1 or more, given once'
  return { kind: 'count', name, defaultValue, max, problem }
}

/** A number from 0 to `max`; larger ones are refused. */
export const numberOption = (name: string, max: number): QueryOption => {
  const problem = `must be a whole number from 0 to ${max}, given once`
  return { kind: 'number', name, max, problem }
}

export const publicKeyOption = (name: string): QueryOption => {
  const problem = 'must be a public key, given once'
  return { kind: 'key', name, form: publicKeyForm, problem }
}

/** @param instead where the option belongs: `ask GET /blocks/height/{height}` */
export const misplacedOption = (name: string, path: string, instead: string): QueryOption => {
  const problem = `is not an option of ${path}: ${instead}`
  return { kind: 'misplaced', name, problem }
}

/** All of these options or none: one alone is refused, with the names of those that are missing. */
export function togetherOrNone(options: readonly QueryOption[]): readonly QueryOption[] {
  const names = options.map((option) => option.name).join(', ')
  return options.map((option) => ({ ...option, missing: `is missing: ${names} are given together or not at all` }))
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

/** The one spelling of a text; `''` for the default, undefined for a text without meaning. */
function spellingOf(option: QueryOption, text: string): string | undefined {
  if (option.kind === 'misplaced') return undefined
  if (option.kind === 'key') return hasForm(text, option.form) ? text : undefined
  const number = wholeNumberFrom(text)
  if (number === undefined) return undefined
  if (option.kind === 'number') return number > option.max ? undefined : String(number)
  const count = Math.min(number, option.max)
  if (count === option.defaultValue) return ''
  return count === 0 ? undefined : String(count)
}

/**
 * Reads the options of a query, without the checksums of keys.
 *
 * @example
 * readOptions([countOption('limit', 1, 10)], { limit: '007' }) // { values: { limit: '7' }, faults: [] }
 */
export function readOptions(options: readonly QueryOption[], given: Given): OptionReading {
  const values: Record<string, string> = {}
  const faults: OptionFault[] = []
  const isPartGiven = options.some((option) => option.missing !== undefined && given[option.name] !== undefined)
  options.forEach((option) => {
    const at = option.name
    const text = given[at]
    if (text === undefined) {
      if (option.missing !== undefined && isPartGiven) faults.push({ at, problem: option.missing })
      return
    }
    const spelling = spellingOf(option, text)
    if (spelling === undefined) faults.push({ at, problem: option.problem })
    else if (spelling !== '') values[at] = spelling
  })
  return { values, faults }
}

/** The faults in words, for the answer that names them. */
export const faultText = (faults: readonly OptionFault[]): string =>
  faults.map((fault) => `${fault.at} ${fault.problem}`).join('; ')
