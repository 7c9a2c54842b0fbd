// Every place in a JSON value, and copies of the value with one place changed.

export type Place = readonly (string | number)[]

const isHolder = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null

/** Every place below the root, outer ones first. */
export function placesOf(value: unknown): readonly Place[] {
  if (!isHolder(value)) return []
  return Object.entries(value).flatMap(([key, child]) => {
    const step = Array.isArray(value) ? Number(key) : key
    return [[step], ...placesOf(child).map((place): Place => [step, ...place])]
  })
}

export const valueAt = (value: unknown, place: Place): unknown =>
  place.reduce((holder, step) => (isHolder(holder) ? holder[step] : undefined), value)

function changed(value: unknown, place: Place, change: (holder: Record<string | number, unknown>) => void): unknown {
  // Not structuredClone: under jest its objects have another realm's constructor, and ajv calls them unequal to ours.
  const copy: unknown = JSON.parse(JSON.stringify(value))
  const holder = valueAt(copy, place.slice(0, -1))
  if (!isHolder(holder)) throw new Error(`nothing at ${place.join('.')}`)
  change(holder)
  return copy
}

export const replacedAt = (value: unknown, place: Place, replacement: unknown): unknown =>
  changed(value, place, (holder) => {
    holder[place.at(-1) ?? ''] = replacement
  })

export const removedAt = (value: unknown, place: Place): unknown =>
  changed(value, place, (holder) => {
    delete holder[place.at(-1) ?? '']
  })
