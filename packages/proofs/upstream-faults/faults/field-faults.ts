// Every field of every answer, with every value that nobody can mean.
import { pick, type Random } from '../../../testnet/random.ts'
import { at, changed, isObject, type Path } from '../exact-json.ts'
import { change, type Fault, type TrueExchange } from '../fault.ts'
import { kindOf, unprintable, type WrongValue, wrongValues } from './wrong-values.ts'

/** Every place in a value, once for each field: of a list one item stands for all. */
function placesIn(value: unknown, random: Random, path: Path = []): readonly Path[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [path]
    const index = pick(random, [...value.keys()])
    return [path, ...placesIn(value[index], random, [...path, index])]
  }
  if (!isObject(value)) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, random, [...path, key]))]
}

/** A node's hashes go into headers and look-ups. */
const badHashes: readonly WrongValue[] = unprintable.map((text) => ({
  name: JSON.stringify(text),
  kinds: ['text'],
  make: () => text,
}))

/** Texts without a least length. */
const mayBeEmpty = /^(?:memo|receipt_chain_hash|voting_for|tokenSymbol)$/

/** The wrong values for a place of an upstream's answer. */
function valuesFor(upstream: TrueExchange['upstream'], path: Path): readonly WrongValue[] {
  const key = String(path.at(-1))
  const isHash = upstream === 'node' && /^(?:stateHash|hash)$/.test(key) && path.at(-2) !== 'ledger'
  return [...wrongValues, ...(isHash ? badHashes : [])].filter(({ name }) => {
    // A node that has nothing says so: there is no such thing.
    if (path.length === 1 && name === 'null') return false
    // Nor does anybody miss an item of a list.
    if (typeof path.at(-1) === 'number' && name === 'absent') return false
    if (name === 'empty text' && mayBeEmpty.test(key)) return false
    // A command without a reason was applied.
    if (key === 'failureReason' && name === 'null') return false
    return !(key === 'balance_change' && name === '-1')
  })
}

/** The faults of one true answer: each place in its data with each value that cannot stand for the true one. */
export const fieldFaultsOf = ({ upstream, name, json }: TrueExchange, random: Random): readonly Fault[] =>
  placesIn(at(json, 'data'), random)
    .filter((path) => path.length > 0)
    .flatMap((path) => {
      const truth = at(json, 'data', ...path)
      return valuesFor(upstream, path)
        .filter(({ kinds, make }) => kinds.includes(kindOf(truth)) && make(truth) !== truth)
        .map(({ name: value, make }) => ({
          ...change('field', upstream, `${name} ${path.join('.')}: ${value}`, (data) =>
            at(data, ...path) === undefined ? undefined : changed(data, path, make),
          ),
          ...(value === 'null' && { mayLeaveOut: true as const }),
        }))
    })
