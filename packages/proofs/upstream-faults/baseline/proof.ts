// Proves an answer field by field against the chain. A field has the value of the node's field of the same name in the
// thing that it belongs to; what has another name, or is worked out, is derived.

import { printExactJson } from '../../../../shared/mapping/exact-json.ts'
import { minaToken } from '../../../testnet/zkapp-command.ts'
import { isObject, type JsonObject, numberText, parseJson, textOf } from '../exact-json.ts'
import { compared } from '../judge/comparison.ts'
import { derived, derivedFor } from './derived.ts'
import type { Place } from './place.ts'
import { mayLack, sources } from './sources.ts'

const isThing = (value: unknown): value is JsonObject => isObject(value) && numberText(value) === undefined

const indexes = new WeakMap<object, ReadonlyMap<string, unknown>>()

/** The values of all keys in a thing, at any depth but in lists, which are other things. Two of one name count as none. */
function indexOf(thing: JsonObject): ReadonlyMap<string, unknown> {
  const known = indexes.get(thing)
  if (known !== undefined) return known
  const index = new Map<string, unknown>()
  for (const inner of Object.values(thing).filter(isThing))
    for (const [key, value] of indexOf(inner)) index.set(key, index.has(key) ? undefined : value)
  for (const [key, value] of Object.entries(thing)) index.set(key, value)
  indexes.set(thing, index)
  return index
}

const deep = (value: unknown, key: string): unknown => (isThing(value) ? indexOf(value).get(key) : undefined)

/** The forms in which an answer may show what a node says as digits or as text. */
function formsOf(told: unknown): readonly string[] {
  const text = textOf(told)
  if (!/^\d{1,20}$/.test(text)) return text === minaToken ? [text, '1'] : [text]
  const [whole, decimals] = [text.slice(0, -9) || '0', text.slice(-9).padStart(9, '0')]
  const date = new Date(Number(text))
  const times = Number.isNaN(date.getTime()) ? [] : [date.toISOString(), date.toUTCString()]
  return [text, `${whole}.${decimals}`, ...times]
}

/** As an answer has it: its numbers with their text. */
const exactly = (value: unknown): unknown => (value === undefined ? undefined : parseJson(printExactJson(value) ?? ''))

const show = (value: unknown): string => (printExactJson(value) ?? 'nothing').slice(0, 120)

const showTold = (told: unknown): string =>
  told === undefined ? 'nothing of that name; rules are in baseline/derived.ts' : show(told)

function provedValue(value: unknown, told: unknown, place: Place): readonly string[] {
  const { path } = place
  if (Array.isArray(value)) {
    if (!Array.isArray(told)) return [`${path}: a list, on the chain ${showTold(told)}`]
    if (told.length !== value.length) return [`${path}: ${value.length} items, ${told.length} on the chain`]
    return value.flatMap((item, index) => provedValue(item, told[index], place))
  }
  if (isThing(value)) return proved(value, { ...place, told: [told, ...place.told] })
  return formsOf(told).includes(textOf(value)) ? [] : [`${path}: ${show(value)}, on the chain ${showTold(told)}`]
}

/** The node's words on the thing that an object names. */
function namedThing(value: JsonObject, { things }: Place): readonly unknown[] {
  const block = things.block(value.stateHash)
  const command = value.kind === undefined ? undefined : things.command(value.hash)
  const account = value.balance === undefined ? undefined : things.account(value.publicKey)
  return [block?.told, command?.told, account].filter((told) => told !== undefined)
}

const ruleFor = ({ path, scenario }: Place) =>
  [...(derivedFor[scenario.endpoint] ?? []), ...derived].find(({ of }) => of.test(path))

/** The node's words on a field of the nearest object. */
function toldOf(place: Place, key: string): unknown {
  const source = sources.find(({ of }) => of.test(place.path))
  return source ? source.from(place) : place.told.map((one) => deep(one, key)).find((one) => one !== undefined)
}

/** True if the chain has a value for a field that an answer lacks. */
function isWanted(place: Place, key: string): boolean {
  const rule = ruleFor(place)
  const wanted = rule ? rule.from(place, undefined) : toldOf(place, key)
  if (wanted === undefined || wanted === null) return false
  // A node says null for each part of what is not there.
  const parts = isThing(wanted) ? Object.values(wanted) : []
  return parts.length === 0 || parts.some((part) => part !== null)
}

/** @returns the places whose value the chain does not prove, empty for a true answer */
export function proved(value: JsonObject, given: Place): readonly string[] {
  const place = { ...given, told: [...namedThing(value, given), ...given.told], around: [value, ...given.around] }
  const absent = [...(place.properties.get(place.path) ?? [])].filter((key) => !Object.hasOwn(value, key))
  const leftOut = absent.flatMap((key) => {
    const here = { ...place, path: `${given.path}.${key}` }
    return isWanted(here, key) && !mayLack(here) ? [`${here.path} is left out`] : []
  })
  const wrong = Object.entries(value).flatMap(([key, inner]) => {
    const here = { ...place, path: `${given.path}.${key}` }
    const rule = ruleFor(here)
    if (rule !== undefined) {
      const wanted = rule.from(here, inner)
      const { absent, others } = compared(exactly(wanted), inner)
      if (absent.length + others.length === 0) return []
      return [`${here.path}: ${show(inner)}, by the chain ${show(wanted)}`]
    }
    const told = toldOf(here, key)
    return told === undefined && isThing(inner) ? proved(inner, here) : provedValue(inner, told, here)
  })
  return [...leftOut, ...wrong]
}
