// Reads the query of any GET, with the rules of every kind of option. A function uses `queryReader`, so that its bundle
// has fewer rules. Plain syntax, since this also runs in a CloudFront Function.
import { kinds, type QueryDeclaration } from './kinds.ts'
import { absenceFaults } from './levels.ts'
import { type OptionReading, type OptionTexts, readOptions } from './read-options.ts'

/**
 * @param path of the endpoint, for faults that name the request to use in an option's place
 * @example
 * const options = { limit: { kind: 'count', max: 10, default: 1 } }
 * readQuery(options, { limit: '007' }, '/blocks') // { values: { limit: '7' }, faults: [] }
 */
export function readQuery(options: QueryDeclaration, given: OptionTexts, path: string): OptionReading {
  const reading = readOptions(kinds, options, given, path)
  return { values: reading.values, faults: absenceFaults(options, given).concat(reading.faults) }
}
