// The options of a query: their kinds, and how their texts are read. Plain syntax, since this also runs in a CloudFront
// Function.
import { cursorFrom, hasForm, maxNanomina, memoForm, nanominaFrom, publicKeyForm, wholeNumberFrom } from './forms.ts'

interface Option {
  /** Its key in the query. */
  readonly name: string
  /**
   * Options of one level are given together or not at all, and only beside all of those of the levels below. Absent for an
   * option that stands alone.
   */
  readonly level?: number
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

/**
 * `nanomina`: a number from 0 to 2^64 - 1. `key`: a public key. `memo`: as the chain has it, in base58check. `cursor`: a
 * block by its height and its state hash, `HEIGHT-STATEHASH`.
 */
interface PlainOption extends Option {
  readonly kind: 'nanomina' | 'key' | 'memo' | 'cursor'
}

export type QueryOption = CountOption | NumberOption | PlainOption

/** A number from 1 to `max`; larger ones are taken for `max`. */
export const countOption = (name: string, defaultValue: number, max: number): QueryOption => ({
  kind: 'count',
  name,
  defaultValue,
  max,
})

/** A number from `min` (0 unless given) to `max`; others are refused. With a default, that number is spelt by absence. */
export const numberOption = (
  name: string,
  max: number,
  further?: Partial<Pick<NumberOption, 'min' | 'defaultValue'>>,
): QueryOption => ({ kind: 'number', name, min: 0, max, ...further })

/** The last block of the page before. */
export const cursorOption = (name: string): QueryOption => ({ kind: 'cursor', name })

export const publicKeyOption = (name: string): QueryOption => ({ kind: 'key', name })

/** The memo of a command as the chain has it, in base58check. */
export const memoOption = (name: string): QueryOption => ({ kind: 'memo', name })

/** An amount in nanomina. */
export const nanominaOption = (name: string): QueryOption => ({ kind: 'nanomina', name })

/** The fault of a text without meaning; completes a sentence that begins with the option's name. */
export function problemOf(option: QueryOption): string {
  const wanted = {
    count: 'a whole number, 1 or more',
    number: option.kind === 'number' ? `a whole number from ${option.min} to ${option.max}` : '',
    nanomina: `a whole number of nanomina from 0 to ${maxNanomina}`,
    key: 'a public key',
    memo: `a memo in base58check, ${memoForm.length} characters, ${memoForm.prefix}…`,
    cursor: 'the next of an earlier answer, HEIGHT-STATEHASH',
  }
  return `must be ${wanted[option.kind]}, given once`
}

/** Trackers and cache busters add these, and names that begin with `utm_` or with `_`. */
const meaningless = ['fbclid', 'gclid', 'msclkid', 'ref', 't', 'ts', 'timestamp', 'cb', 'v', 'nocache']

/** True for a key that changes no answer, in any case of its letters. */
export function isMeaningless(name: string): boolean {
  const lower = name.toLowerCase()
  const isEmpty = lower === ''
  return isEmpty || lower.charAt(0) === '_' || lower.slice(0, 4) === 'utm_' || meaningless.indexOf(lower) !== -1
}

const byCursor = 'GET /accounts/{public_key}/transactions has limit and before'

/** Options that callers expect on every path, each with the request to use in its place. */
const elsewhere: Readonly<Record<string, string>> = {
  page: byCursor,
  before: byCursor,
  height: 'use GET /blocks/height/{height}',
}

/** An answer cuts longer unknown keys. */
const maxEchoLength = 48

/** An unknown key as an answer repeats it: visible characters only, and cut if long. A plus sign may mean a blank. */
function echoOf(name: string): string {
  const visible = name.slice(0, maxEchoLength).replace(/[^!-*,-~]/g, '?')
  return name.length > maxEchoLength ? `${visible}…` : visible
}

const namesOf = (options: readonly QueryOption[]): string => options.map((option) => option.name).join(', ')

/** The fault of a key that the path does not have. An answer that ignored it would answer another question. */
function strangerFault(name: string, options: readonly QueryOption[]): OptionFault {
  const way = Object.keys(elsewhere).indexOf(name) === -1 ? '' : `: ${elsewhere[name]}`
  const own = options.length === 0 ? 'none' : namesOf(options)
  return { at: echoOf(name), problem: `is not an option here${way} (options here: ${own})` }
}

/**
 * All of these options or none: one alone is refused, with the names of those that are missing.
 *
 * @param further options that stand only beside all of these
 */
export function togetherOrNone(
  options: readonly QueryOption[],
  further?: readonly QueryOption[],
): readonly QueryOption[] {
  const above = (further ?? []).map((option): QueryOption => ({ ...option, level: (option.level ?? 1) + 1 }))
  return options.map((option): QueryOption => ({ ...option, level: 1 })).concat(above)
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

/** The fault of an option that is absent beside others of its level or above it; undefined if none of them is given. */
function absenceFault(level: number, options: readonly QueryOption[], given: Given): string | undefined {
  const together = options.filter((option) => option.level === level)
  const further = options.filter((option) => option.level !== undefined && option.level > level)
  if (!together.concat(further).some((option) => given[option.name] !== undefined)) return undefined
  const problem = `is missing: ${namesOf(together)} are given together or not at all`
  return further.length === 0 ? problem : `${problem}, and ${namesOf(further)} only beside them`
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
      return hasForm(text, option.kind === 'key' ? publicKeyForm : memoForm) ? text : undefined
  }
}

/**
 * Reads a GET's query, without the checksums of keys. A key that the path does not have is a fault, unless it has no meaning
 * anywhere.
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
      const problem = option.level && absenceFault(option.level, options, given)
      if (problem) faults.push({ at, problem })
      return
    }
    const spelling = spellingOf(option, text)
    if (spelling === undefined) faults.push({ at, problem: problemOf(option) })
    else if (spelling !== '') values[at] = spelling
  })
  Object.keys(given).forEach((name) => {
    if (isMeaningless(name) || options.some((option) => option.name === name)) return
    faults.push(strangerFault(name, options))
  })
  return { values, faults }
}

/** The faults in words, for the answer that names them. */
export const faultText = (faults: readonly OptionFault[]): string =>
  faults.map((fault) => `${fault.at} ${fault.problem}`).join('; ')
