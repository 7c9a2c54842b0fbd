// Kinds of settings. Each takes a value as a stage file holds it, or as text: of a variable or after `-c`.
import { z } from 'zod'
import { addressForm, headersFrom, type Range, shownAddress, wordsOf } from '../../shared/deployment/settings.ts'

/** A value as a stage file holds it. */
export type Example =
  | null
  | string
  | number
  | boolean
  | readonly (string | Readonly<Record<string, string>>)[]
  | Readonly<Record<string, string>>

/** The part of zod's issues that messages show. */
export interface Issue {
  readonly code: string
  readonly path: readonly PropertyKey[]
  readonly keys?: readonly string[]
  readonly params?: Readonly<Record<string, unknown>> | undefined
}

export interface Description {
  /** The meaning of the setting and the values that it accepts. */
  readonly wants: string
  /** Absent where the default serves as the example. */
  readonly example?: Example
  /** Shows a given value, right or wrong, without its secrets. Absent where no value can be a secret. */
  readonly show?: (given: unknown) => string
  /** The reason for an issue of zod, where the setting has several parts. */
  readonly faultOf?: (issue: Issue) => string | undefined
  /** The right parts of a wrong value, whose conflicts with other settings are reported with its own mistakes. */
  readonly rightPartOf?: (given: unknown) => unknown
}

export const descriptions = z.registry<Description>()

/** The schema of a value that is given. */
export const unwrapped = (schema: unknown): unknown =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap())
    : schema

/** A given value as messages show it, if it holds no secret. */
export function quoted(given: unknown): string {
  const text = JSON.stringify(given) ?? String(given)
  return text.length > 82 ? `${text.slice(0, 81)}…${text.startsWith('"') ? '"' : ''}` : text
}

/** Shown in place of a possible secret. */
export const hidden = 'something not shown, since it may be the secret itself'

export const optional = <T extends z.ZodType>(schema: T) => z.nullable(schema).prefault(null)

export const text = (form: RegExp, wants: string, example: string) =>
  z.string().regex(form).register(descriptions, { wants, example })

export const oneOf = <const Word extends string>(what: string, first: Word, ...others: readonly Word[]) =>
  z
    .enum([first, ...others])
    .register(descriptions, { wants: `${what}: one of ${[first, ...others].join(', ')}`, example: first })

const numberFrom = (given: unknown): unknown =>
  typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : given

export const wholeNumber = (range: Range, what: string, example?: number) =>
  z.preprocess(numberFrom, z.int().min(range.min).max(range.max)).register(descriptions, {
    wants: `${what}: ${wordsOf(range)}`,
    ...(example !== undefined && { example }),
  })

/** For a limit that has a default, and that null lifts. */
export const wholeNumberOrNone = (range: Range, what: string) =>
  z
    .preprocess(
      (given) => (given === 'null' ? null : numberFrom(given)),
      z.nullable(z.int().min(range.min).max(range.max)),
    )
    .register(descriptions, { wants: `${what}: ${wordsOf(range)}, or null for no such limit` })

export const oneNumberOf = (numbers: readonly number[], what: string) =>
  z
    .preprocess(numberFrom, z.literal(numbers))
    .register(descriptions, { wants: `${what}: one of ${numbers.join(', ')}` })

function booleanFrom(given: unknown): unknown {
  if (given === 'true') return true
  return given === 'false' ? false : given
}

export const trueOrFalse = (what: string, example?: boolean) =>
  z.preprocess(booleanFrom, z.boolean()).register(descriptions, {
    wants: `${what}: true or false`,
    ...(example !== undefined && { example }),
  })

/** A list, also from one text in a variable. */
export const listFrom = (given: unknown): unknown =>
  typeof given === 'string' ? given.split(',').map((item) => item.trim()) : given

/** The items of a list that are right by themselves; none of what is no list. */
export const rightItems = <Item extends z.ZodType>(item: Item, given: unknown): readonly z.infer<Item>[] =>
  (Array.isArray(given) ? given : []).flatMap((each) => {
    const { success, data } = item.safeParse(each)
    return success ? [data] : []
  })

/** A list is checked as a whole even where one of its items is wrong. */
export const wholeList = { when: ({ value }: { readonly value: unknown }) => Array.isArray(value) }

/** A list of texts, each of them once. */
export const listOf = (form: RegExp, what: string, example: readonly string[]) =>
  z
    .preprocess(listFrom, z.array(z.string().regex(form)).min(1))
    .refine((items) => new Set(items).size === items.length)
    .register(descriptions, { wants: `a list of ${what}, in a variable separated by commas`, example })

/** HTTP headers by their names in lower case. */
export const headers = (what: string) =>
  z.preprocess(headersFrom, z.record(z.string(), z.string())).register(descriptions, {
    wants: `${what}, as JSON in a variable; a key belongs in a secret`,
    example: { 'x-client': 'explorer' },
    show(given) {
      const names = Object.keys(headersFrom(given) ?? {}).join(', ')
      return names === '' ? 'something not shown, since it may hold a key' : `${names} with values not shown`
    },
  })

/** @param owner as in `a node's` */
export const graphqlUrl = (owner: string, example: string) =>
  z
    .url({ normalize: true })
    .regex(addressForm)
    .register(descriptions, {
      wants: `the address of ${owner} GraphQL: https, or http in a vpc, without user name and password`,
      example,
      show: (given) =>
        typeof given === 'string' ? quoted(shownAddress(given)) : 'something not shown, since it may hold a password',
    })

/** @param shown matches names that can be shown, such as a malformed ARN; anything else may be the secret itself */
export const nameOfSecret = (form: RegExp, shown: RegExp, wants: string, example: string) =>
  z
    .string()
    .regex(form)
    .register(descriptions, {
      wants,
      example,
      show: (given) => (typeof given === 'string' && shown.test(given) ? quoted(given) : hidden),
    })
