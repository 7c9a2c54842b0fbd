// The kinds of query options: how each normalises a text, what it says of an invalid one, and how the OpenAPI document
// shows it. The values of the texts are in `mapping/query-values.ts`. Plain syntax, since this also runs in a
// CloudFront Function.
import {
  cursorFrom,
  hasForm,
  heightForm,
  maxNanomina,
  memoForm,
  nanominaFrom,
  patternOf,
  publicKeyForm,
  stateHashForm,
  wholeNumberFrom,
} from '../forms.ts'

/** An option that declares nothing but its kind. */
interface Plain {
  readonly default?: undefined
}

/** The members of a declaration by its kind. An absent option has the value of its `default`, if any. */
interface Members {
  /** A whole number from 1; one above `max` is taken for `max`. */
  readonly count: {
    readonly max: number
    readonly default: number
    /** A greater `max`, then also the default, if another option has a certain text. */
    readonly wider?: { readonly beside: string; readonly text: string; readonly max: number }
  }
  /** A whole number from `min` to `max`. */
  readonly number: { readonly min: number; readonly max: number; readonly default?: number }
  /** An amount, from 0 to 2^64 - 1. */
  readonly nanomina: Plain
  readonly key: Plain
  /** The memo of a command as the chain has it, in base58check. */
  readonly memo: Plain
  /** A block by its height and its state hash: the last one of an earlier page. */
  readonly cursor: Plain
  /** One of a few words. */
  readonly choice: { readonly values: readonly string[]; readonly default: string }
}

export type Kind = keyof Members

/** The declaration of an option of a kind. */
export type OptionOf<Kinds extends Kind> = {
  readonly [Each in Kinds]: Members[Each] & {
    readonly kind: Each
    /**
     * Options of one level are given together or not at all, and only with all options of the levels below. Absent for
     * an independent option.
     */
    readonly level?: number
  }
}[Kinds]

export type QueryOption = OptionOf<Kind>

/** The options of an endpoint by name, in their normalised order. */
export type QueryDeclaration = Readonly<Record<string, QueryOption>>

/** The rules of a kind. The checksums of keys, memos and cursors are not checked here. */
export interface KindRules<Each extends Kind> {
  /** The text normalised; undefined for an invalid one. */
  spell(text: string, option: OptionOf<Each>): string | undefined
  /** The valid texts; completes "must be". */
  wanted(option: OptionOf<Each>): string
}

const asItStands = (text: string, isKnown: boolean): string | undefined => (isKnown ? text : undefined)

export const count: KindRules<'count'> = {
  spell: (text, option) => {
    const number = wholeNumberFrom(text)
    return number ? String(Math.min(number, option.max)) : undefined
  },
  wanted: () => 'a whole number, 1 or more',
}

export const number: KindRules<'number'> = {
  spell: (text, option) => {
    const number = wholeNumberFrom(text)
    return number === undefined || number < option.min || number > option.max ? undefined : String(number)
  },
  wanted: (option) => `a whole number from ${option.min} to ${option.max}`,
}

export const nanomina: KindRules<'nanomina'> = {
  spell: nanominaFrom,
  wanted: () => `a whole number of nanomina from 0 to ${maxNanomina}`,
}

export const key: KindRules<'key'> = {
  spell: (text) => asItStands(text, hasForm(text, publicKeyForm)),
  wanted: () => 'a public key',
}

export const memo: KindRules<'memo'> = {
  spell: (text) => asItStands(text, hasForm(text, memoForm)),
  wanted: () => `a memo in base58check, ${memoForm.length} characters, ${memoForm.prefix}…`,
}

export const cursor: KindRules<'cursor'> = {
  spell: (text) => asItStands(text, cursorFrom(text) !== undefined),
  wanted: () => 'the next of an earlier answer, HEIGHT-STATEHASH',
}

export const choice: KindRules<'choice'> = {
  spell: (text, option) => asItStands(text, option.values.indexOf(text) !== -1),
  wanted: (option) => option.values.join(' or '),
}

export type Rules = { readonly [Each in Kind]: KindRules<Each> }

/** All of them, for whoever reads the options of every endpoint. */
export const kinds: Rules = { count, number, nanomina, key, memo, cursor, choice }

const documentedNumber = (minimum: number, maximum: number, byDefault?: number) => ({
  type: 'integer',
  format: maximum > 2_147_483_647 ? 'int64' : 'int32',
  minimum,
  maximum,
  ...(byDefault !== undefined && { default: byDefault }),
})

/** The schema of an option, for people and generated clients. Apart from `kinds`, so that no bundle holds it. */
export const documented: {
  readonly [Each in Kind]: (option: OptionOf<Each>) => { readonly type: string; readonly default?: unknown }
} = {
  count: (option) =>
    option.wider === undefined
      ? documentedNumber(1, option.max, option.default)
      : documentedNumber(1, option.wider.max),
  number: (option) => documentedNumber(option.min, option.max, option.default),
  nanomina: () => ({ type: 'integer', format: 'int64', minimum: 0 }),
  key: () => ({ type: 'string', pattern: patternOf(publicKeyForm) }),
  memo: () => ({ type: 'string', pattern: patternOf(memoForm) }),
  cursor: () => ({
    type: 'string',
    pattern: `^[1-9][0-9]{0,${String(heightForm.max).length - 1}}-${patternOf(stateHashForm).slice(1)}`,
  }),
  choice: (option) => ({ type: 'string', enum: option.values, default: option.default }),
}
