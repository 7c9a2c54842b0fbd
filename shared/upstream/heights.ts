// Blocks by their heights, as many as are wanted, in one document: each in a field named `block` and its index.
import { called, type Fits, includedIf, type Variables, type WireType } from './wire.ts'

const indexes = (size: number): readonly number[] => Array.from({ length: size }, (_, index) => index)

const keyOf = (index: number): `block${number}` => `block${index}`

/** From a height down to another one, both included. */
export const heightsDown = (highest: number, lowest: number): readonly number[] =>
  indexes(highest - lowest + 1).map((index) => highest - index)

/** The value of an answer for each height; undefined for those that were not wanted. */
export type AtHeights<T> = { readonly [Key in `block${number}`]: T }

/** The declarations of a document's variables, for so many heights. */
export const heightVariables = (size: number): string =>
  indexes(size)
    .map((index) => `$height${index}: Int!, $wants${index}: Boolean!`)
    .join(', ')

/** The values of these variables. */
export const heightValues = (size: number, heights: readonly number[]): Variables =>
  Object.fromEntries(
    indexes(size).flatMap((index) => [
      [`height${index}`, heights[index] ?? 0],
      [`wants${index}`, heights[index] !== undefined],
    ]),
  )

/**
 * The fields of such a document.
 *
 * @param call the field with its arguments, for the variable of its height
 * @param fits true if a value may be the answer for a height
 */
export const fieldsAtHeights = <T>(
  size: number,
  call: (variable: string) => string,
  type: WireType<T>,
  fits: (value: T, height: number, asked: Variables) => boolean,
): AtHeights<WireType<T | undefined>> =>
  Object.fromEntries(
    indexes(size).map((index) => {
      const fitsHeight: Fits<T> = (value, asked) => fits(value, Number(asked[`height${index}`]), asked)
      const one = called(`${call(`$height${index}`)} @include(if: $wants${index})`, type, fitsHeight)
      return [keyOf(index), includedIf(`wants${index}`, one)]
    }),
  )

/** The values in an answer, in the order of the heights. */
export const valuesAtHeights = <T>(size: number, data: AtHeights<T | undefined>): readonly T[] =>
  indexes(size)
    .map((index) => data[keyOf(index)])
    .filter((value) => value !== undefined)
