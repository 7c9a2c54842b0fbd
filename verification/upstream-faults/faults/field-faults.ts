// Every field of every answer, with every wrong value.
import { pick, type Random } from '../../../local/chain/random.ts'
import { absent, at, changed, isObject, type Path } from '../exact-json.ts'
import { answers, type Fault, type TrueExchange } from '../fault.ts'
import { wrongValues } from './wrong-values.ts'

/** Every place in a value, once for each field: of a list one item stands for all. */
export function placesIn(value: unknown, random: Random, path: Path = []): readonly Path[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [path]
    const index = pick(random, [...value.keys()])
    return [path, ...placesIn(value[index], random, [...path, index])]
  }
  if (!isObject(value)) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, random, [...path, key]))]
}

/** The faults of one true answer: each place in its data with each value that is not the true one. */
export function fieldFaultsOf(exchange: TrueExchange, random: Random): readonly Fault[] {
  const { upstream, name } = exchange
  return placesIn(at(exchange.json, 'data'), random)
    .filter((path) => path.length > 0)
    .flatMap((path) => {
      const truth = at(exchange.json, 'data', ...path)
      const truthText = JSON.stringify(truth)
      return wrongValues.flatMap(([value, make]): readonly Fault[] => {
        const wrong = make(truth)
        const isTrue = wrong === undefined || (wrong !== absent && JSON.stringify(wrong) === truthText)
        if (isTrue) return []
        return [
          {
            name: `${upstream} ${name} ${path.join('.')}: ${value}`,
            kind: 'field',
            upstream,
            hits: (other) => at(other.json, 'data', ...path) !== undefined,
            sending: ({ json }) =>
              answers(JSON.stringify({ ...(json as object), data: changed(at(json, 'data'), path, make) })),
          },
        ]
      })
    })
}
