// Every field of every answer, with every wrong value.
import { pick, type Random } from '../../../local/chain/random.ts'
import { absent, at, changed, isObject, type Path } from '../exact-json.ts'
import { change, type Fault, type TrueExchange } from '../fault.ts'
import { wrongValues } from './wrong-values.ts'

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

/** The faults of one true answer: each place in its data with each value that is not the true one. */
export const fieldFaultsOf = ({ upstream, name, json }: TrueExchange, random: Random): readonly Fault[] =>
  placesIn(at(json, 'data'), random)
    .filter((path) => path.length > 0)
    .flatMap((path) => {
      const truth = at(json, 'data', ...path)
      const printedTruth = JSON.stringify(truth)
      const place = `${name} ${path.join('.')}`
      return wrongValues
        .filter(([, make]) => {
          const wrong = make(truth)
          if (typeof wrong === 'string') return wrong !== truth
          return wrong !== undefined && (wrong === absent || JSON.stringify(wrong) !== printedTruth)
        })
        .map(([value, make]) =>
          change('field', upstream, `${place}: ${value}`, (data) =>
            at(data, ...path) === undefined ? undefined : changed(data, path, make),
          ),
        )
    })
