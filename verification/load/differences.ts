/** One place where two JSON values differ. */
export interface Difference {
  readonly path: string
  /** The last step of the path. */
  readonly key: string
  readonly expected: unknown
  /** `undefined` where the key is missing. */
  readonly actual: unknown
}

const isNumeric = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

const isSame = (expected: unknown, actual: unknown): boolean =>
  // A bigint equals the number of the same digits.
  isNumeric(expected) && isNumeric(actual) ? String(expected) === String(actual) : Object.is(expected, actual)

/** Every place where two JSON values differ: in a value, a type, a length, a missing key or one too many. */
export function differences(expected: unknown, actual: unknown, path = '', key = ''): readonly Difference[] {
  const areLists = Array.isArray(expected) && Array.isArray(actual)
  const areNested = typeof expected === 'object' && typeof actual === 'object' && expected !== null && actual !== null
  if (!areNested || areLists !== (Array.isArray(expected) || Array.isArray(actual))) {
    return isSame(expected, actual) ? [] : [{ path, key, expected, actual }]
  }
  const expectedMembers = new Map<string, unknown>(Object.entries(expected))
  const actualMembers = new Map<string, unknown>(Object.entries(actual))
  return [...new Set([...expectedMembers.keys(), ...actualMembers.keys()])].flatMap((step) =>
    differences(expectedMembers.get(step), actualMembers.get(step), `${path}/${step}`, step),
  )
}
