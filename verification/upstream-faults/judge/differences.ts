import { printExactJson } from '../../../shared/mapping/exact-json.ts'
import { isObject, numberText } from '../exact-json.ts'

const show = (value: unknown): string => {
  const text = printExactJson(value) ?? 'nothing'
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/** A number by its digits, whatever carries it. */
const scalar = (value: unknown): unknown => {
  const digits = typeof value === 'bigint' || typeof value === 'number' ? String(value) : numberText(value)
  return digits === undefined ? value : `number ${digits}`
}

/**
 * Every place where a body is not what it should be.
 *
 * @param expected numbers as number or bigint
 * @param actual JSON whose numbers keep their text
 */
export function differences(expected: unknown, actual: unknown, path = ''): readonly string[] {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length)
    return Array.from({ length }, (_, index) => index).flatMap((index) =>
      differences(expected[index], actual[index], `${path}/${index}`),
    )
  }
  if (isObject(expected) && isObject(actual)) {
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((key) =>
      differences(expected[key], actual[key], `${path}/${key}`),
    )
  }
  const isSame = Object.is(scalar(expected), scalar(actual))
  return isSame ? [] : [`${path}: wanted ${show(expected)}, got ${show(actual)}`]
}
