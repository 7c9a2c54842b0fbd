// Compares two bodies whose numbers keep their text.
import { at, isObject, numberText, type Path } from '../exact-json.ts'

export interface Comparison {
  /** The places that only the usual body has. */
  readonly absent: readonly Path[]
  /** Every other difference. */
  readonly others: readonly Path[]
}

const isTree = (value: unknown): value is object => isObject(value) && numberText(value) === undefined

function keysOf(usual: unknown, given: unknown): readonly (string | number)[] | undefined {
  if (Array.isArray(usual) && Array.isArray(given)) return [...Array(Math.max(usual.length, given.length)).keys()]
  return isTree(usual) && isTree(given) ? [...new Set([...Object.keys(usual), ...Object.keys(given)])] : undefined
}

/** @param path of both values in their bodies */
export function compared(usual: unknown, given: unknown, path: Path = []): Comparison {
  const keys = keysOf(usual, given)
  if (keys !== undefined) {
    const parts = keys.map((key) => compared(at(usual, key), at(given, key), [...path, key]))
    return { absent: parts.flatMap(({ absent }) => absent), others: parts.flatMap(({ others }) => others) }
  }
  if (JSON.stringify(usual) === JSON.stringify(given)) return { absent: [], others: [] }
  const isLeftOut = given === undefined && typeof path.at(-1) === 'string'
  return isLeftOut ? { absent: [path], others: [] } : { absent: [], others: [path] }
}

const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 100)

/** The differences in words. */
export const told = (usual: unknown, given: unknown, paths: readonly Path[]): readonly string[] =>
  paths.map((path) => `/${path.join('/')}: wanted ${show(at(usual, ...path))}, got ${show(at(given, ...path))}`)
