// Answers that differ from a right one in one place each.
import { sendings, transactionStates } from '../../../../shared/contract/transaction.ts'
import { absent, at, changed, isObject, number, numberText, type Path, parseJson } from '../exact-json.ts'
import type { Received } from '../setting/service.ts'

/** The paths of everything in a JSON value; of a list its first and last item. */
function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  const keys = Array.isArray(value)
    ? [...new Set([0, value.length - 1])].filter((index) => index in value)
    : isObject(value)
      ? Object.keys(value)
      : []
  return [path, ...keys.flatMap((key) => pathsIn(at(value, key), [...path, key]))]
}

/** Other values in place of one, each with a name. */
function othersOf(value: unknown, key: unknown): readonly (readonly [name: string, value: unknown])[] {
  const digits = numberText(value)
  if (digits !== undefined) return [['one more', number(String(BigInt(digits) + 1n))]]
  if (typeof value === 'boolean') return [['the opposite', !value]]
  if (value === null) return [['not null', '1.000000000']]
  if (Array.isArray(value)) return [['with one item more', [...value, {}]]]
  if (isObject(value)) return [['with one key more', { ...value, extra: true }]]
  const named = key === 'state' ? transactionStates : key === 'sending' ? sendings : []
  return [['another text', `${value}1`], ...named.filter((one) => one !== value).map((one) => [one, one] as const)]
}

export interface ChangedAnswer {
  readonly name: string
  readonly received: Received
}

/** Every field changed and left out, another status, a longer caching time, and another list of missing fields. */
export function* changedAnswers(received: Received): Generator<ChangedAnswer> {
  const { status, headers, text } = received
  const body = parseJson(text)
  const withBody = (made: unknown): Received => ({ ...received, text: JSON.stringify(made) })
  for (const path of pathsIn(body)) {
    const place = path.join('.') || 'the body'
    const value = at(body, ...path)
    for (const [name, other] of othersOf(value, path.at(-1)))
      yield { name: `${place}: ${name}`, received: withBody(changed(body, path, () => other)) }
    if (path.length > 0) yield { name: `${place}: left out`, received: withBody(changed(body, path, () => absent)) }
  }
  for (const other of [200, 201, 400, 404, 502, 503, 504])
    if (other !== status) yield { name: `status ${other}`, received: { ...received, status: other } }
  const changes: readonly (readonly [name: string, value: string])[] = [
    ['x-missing-fields', 'invented'],
    ['x-broadcast-outcome', 'invented'],
    ['cache-control', 'public, max-age=1'],
    ['cache-control', 'public, max-age=100000000'],
  ]
  for (const [name, value] of changes)
    yield { name: `header ${name}: ${value}`, received: { ...received, headers: { ...headers, [name]: value } } }
}
