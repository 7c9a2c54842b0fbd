// How each setting of a stage is written, and how one is shown without its secrets.
import { headersFrom } from '../../shared/header-setting.ts'

/** A value as a stage file holds it. */
export type Example = null | string | number | boolean | readonly string[] | Readonly<Record<string, string>>

/** How one setting is written. */
export interface Rule<T> {
  readonly wants: string
  readonly example: Example
  /** Taken where nothing is given; without it something must be. */
  readonly fallback?: T
  /**
   * `undefined` for what is not wanted.
   *
   * @param given the value in a stage file, or text: of a variable, or after `-c`
   * @throws Error saying what is wrong, where what was given does not show it
   */
  parse(given: unknown): T | undefined
  /** What was given, right or wrong, without its secrets. */
  show(given: unknown): string
}

/** A setting that a stage can do without: null where nothing is given. */
export const optional = <T>(rule: Rule<T>): Rule<T | null> => ({ ...rule, fallback: null })

/** What stands where the name of a secret should, as a message shows it. */
export const hidden = 'something not shown, since it may be the secret itself'

/** What holds no secret, as a message shows it. */
export function quoted(given: unknown): string {
  const text = JSON.stringify(given) ?? String(given)
  return text.length > 82 ? `${text.slice(0, 81)}…${text.startsWith('"') ? '"' : ''}` : text
}

/** Text of one form. */
export const textOf = (pattern: RegExp, wants: string, example: string): Rule<string> => ({
  wants,
  example,
  parse: (given) => (typeof given === 'string' && pattern.test(given) ? given : undefined),
  show: quoted,
})

/** One of a few words. */
export const oneOf = <const Word extends string>(...words: readonly [Word, ...Word[]]): Rule<Word> => ({
  wants: `one of ${words.join(', ')}`,
  example: words[0],
  parse: (given) => words.find((word) => word === given),
  show: quoted,
})

/**
 * A whole number.
 *
 * @param wants what it counts and how far it goes
 */
export const wholeNumber = (from: number, to: number, fallback: number, wants: string): Rule<number> => ({
  wants,
  example: fallback,
  fallback,
  parse(given) {
    const number = typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : given
    return typeof number === 'number' && Number.isInteger(number) && number >= from && number <= to ? number : undefined
  },
  show: quoted,
})

/** Of one call to an upstream. The functions accept the same range. */
export const timeoutMs = (fallback: number): Rule<number> =>
  wholeNumber(1, 20_000, fallback, 'whole milliseconds from 1 to 20000')

export const trueOrFalse = (fallback: boolean): Rule<boolean> => ({
  wants: 'true or false',
  example: fallback,
  fallback,
  parse: (given) =>
    given === true || given === 'true' ? true : given === false || given === 'false' ? false : undefined,
  show: quoted,
})

/** A list of texts of one form. */
export const listOf = (pattern: RegExp, wants: string, example: readonly string[]): Rule<readonly string[]> => ({
  wants: `a list of ${wants}, in a variable separated by commas`,
  example,
  parse(given) {
    const list: unknown = typeof given === 'string' ? given.split(',').map((item) => item.trim()) : given
    if (!Array.isArray(list) || list.length === 0) return undefined
    const texts = list.flatMap((item: unknown) => (typeof item === 'string' && pattern.test(item) ? [item] : []))
    return texts.length === list.length && new Set(texts).size === texts.length ? texts : undefined
  },
  show: quoted,
})

/** HTTP headers, their names in lower case. */
export const headers: Rule<Readonly<Record<string, string>>> = {
  wants: 'header names and their texts, as JSON where it is a variable; a key belongs into a secret',
  example: { 'x-client': 'explorer' },
  fallback: {},
  parse: headersFrom,
  show(given) {
    const names = Object.keys(headersFrom(given) ?? {})
    return names.length > 0
      ? `${names.join(', ')} with values not shown`
      : 'something not shown, since it may hold a key'
  },
}
