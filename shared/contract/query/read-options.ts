// The query of a GET, read by the declaration of its options. Plain syntax, since this also runs in a CloudFront Function.
import type { Kind, OptionOf, QueryDeclaration, QueryOption, Rules } from './kinds.ts'

/** The valid texts of an option; completes "must be". */
export const wantedOf = <Each extends Kind>(rules: Rules, option: OptionOf<Each>): string =>
  rules[option.kind].wanted(option)

/** The fault of an invalid text; completes a sentence that begins with the option's name. */
export const problemOf = (rules: Rules, option: QueryOption): string => `must be ${wantedOf(rules, option)}, given once`

/** Trackers and cache busters add these, and names that begin with `utm_` or with `_`. */
const meaningless = ['fbclid', 'gclid', 'msclkid', 'ref', 't', 'ts', 'timestamp', 'cb', 'v', 'nocache']

/** True for a key that changes no answer, in upper or lower case. */
export function isMeaningless(name: string): boolean {
  const lower = name.toLowerCase()
  const isEmpty = lower === ''
  return isEmpty || lower.charAt(0) === '_' || lower.slice(0, 4) === 'utm_' || meaningless.indexOf(lower) !== -1
}

const pages = ['page', 'before', 'offset', 'skip', 'cursor']

/** Options of other services, and the request to use in place of each, by the path on or under which it is sent. */
const elsewhere = [
  { under: '/blocks', names: pages, use: '/before/{cursor}' },
  { under: '/blocks', names: ['height', 'minHeight', 'maxHeight'], use: '/height/{height}' },
  { under: '/accounts', names: pages, use: '/{public_key}/transactions?before={next}' },
]

/** An answer cuts longer unknown keys. */
const maxEchoLength = 48

/** An unknown key as an answer echoes it: visible characters only, and cut if long. A plus sign may mean a blank. */
function echoOf(name: string): string {
  const visible = name.slice(0, maxEchoLength).replace(/[^!-*,-~]/g, '?')
  return name.length > maxEchoLength ? `${visible}…` : visible
}

/** The fault of a key that the path does not have. To ignore it would be to answer another question. */
function unknownOptionFault(name: string, own: readonly string[], path: string): OptionFault {
  const right = elsewhere.filter((one) => path.indexOf(one.under) === 0 && one.names.indexOf(name) !== -1)[0]
  const way = right === undefined ? '' : `: use GET ${right.under}${right.use}`
  return { at: echoOf(name), problem: `is not an option here${way} (options here: ${own.join(', ') || 'none'})` }
}

/** Texts by name; those of a repeated option are joined by commas, as API Gateway does. No value has a comma. */
export type OptionTexts = Readonly<Record<string, string | undefined>>

export interface OptionFault {
  /** The option's name, or those of several that are absent. */
  readonly at: string
  readonly problem: string
}

export interface OptionReading {
  /** In the order of the options, normalised. An option that has its default is absent. */
  readonly values: Readonly<Record<string, string>>
  readonly faults: readonly OptionFault[]
}

const spellingOf = <Each extends Kind>(rules: Rules, option: OptionOf<Each>, text: string): string | undefined =>
  rules[option.kind].spell(text, option)

/** The declaration of an option, given the others of a request. */
export const optionBeside = (given: OptionTexts, option: QueryOption): QueryOption =>
  option.kind === 'count' && option.wider !== undefined && given[option.wider.beside] === option.wider.text
    ? { kind: 'count', max: option.wider.max, default: option.wider.max }
    : option

/**
 * The faults of keys that a path does not have, except those that change no answer.
 *
 * @param names of the options that it has
 */
export const unknownOptionFaults = (
  given: OptionTexts,
  names: readonly string[],
  path: string,
): readonly OptionFault[] =>
  Object.keys(given)
    .filter((name) => !isMeaningless(name) && names.indexOf(name) === -1)
    .map((name) => unknownOptionFault(name, names, path))

/**
 * Reads the options of a GET's query one by one, without the checksums of keys. See `levels.ts` for those that are absent.
 *
 * @param rules of the options' kinds at least
 * @param path of the endpoint, for faults that name the request to use in an option's place
 * @example
 * const options = { limit: { kind: 'count', max: 10, default: 1 } }
 * readOptions({ count }, options, { limit: '007' }, '/blocks') // { values: { limit: '7' }, faults: [] }
 */
export function readOptions(rules: Rules, options: QueryDeclaration, given: OptionTexts, path: string): OptionReading {
  const values: Record<string, string> = {}
  const faults: OptionFault[] = []
  const names = Object.keys(options)
  names.forEach((at) => {
    const option = optionBeside(given, options[at] as QueryOption)
    const text = given[at]
    if (text === undefined) return
    const spelling = spellingOf(rules, option, text)
    if (spelling === undefined) faults.push({ at, problem: problemOf(rules, option) })
    else if (option.default === undefined || spelling !== String(option.default)) values[at] = spelling
  })
  return { values, faults: faults.concat(unknownOptionFaults(given, names, path)) }
}

/** The faults in words, for the answer that names them. */
export const faultText = (faults: readonly OptionFault[]): string =>
  faults.map((fault) => `${fault.at} ${fault.problem}`).join('; ')
