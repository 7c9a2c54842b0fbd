// How a mistake in the settings is told: where, what was got, what is wanted, and an example.
import { settingVariable } from '../../shared/deployment-names.ts'
import type { Example } from './setting-rules.ts'
import { type SettingKey, settingTable } from './setting-table.ts'

/** What is wrong with one setting. */
export interface Mistake {
  /** A stage file, a variable, or the CDK context. */
  readonly origin: string
  /** Key path, as it was written. */
  readonly at: string
  readonly got: string
  readonly wants: string
  /** The setting to show as an example. */
  readonly exampleOf: SettingKey
  /** To show in place of that setting's own. */
  readonly example?: Example
}

const quotes = (text: string): string => `'${text.replaceAll("'", "\\'")}'`

function inFile(example: Example): string {
  if (typeof example === 'string') return quotes(example)
  if (typeof example !== 'object' || example === null) return String(example)
  if (Array.isArray(example)) return `[${example.map(quotes).join(', ')}]`
  const entries = Object.entries(example).map(([name, text]) => `${quotes(name)}: ${quotes(text)}`)
  return `{ ${entries.join(', ')} }`
}

function inVariable(example: Example): string {
  if (example === null) return ''
  if (typeof example !== 'object') return String(example)
  return Array.isArray(example) ? example.join(',') : `'${JSON.stringify(example)}'`
}

/** `throttles: { reads: { rate: 1000 } }` */
const atPath = (key: string, literal: string): string =>
  key
    .split('.')
    .reduceRight(
      (inner, name, index) => `${name}: ${index < key.split('.').length - 1 ? `{ ${inner} }` : inner}`,
      literal,
    )

/** The paragraph for one mistake. */
export function mistakeText({ origin, at, got, wants, exampleOf, example: own }: Mistake): string {
  const example = own === undefined ? settingTable[exampleOf].example : own
  return [
    `${origin}: ${at}`,
    `  got      ${got}`,
    `  wants    ${wants}`,
    `  example  ${atPath(exampleOf, inFile(example))}`,
    `  or       ${settingVariable(exampleOf)}=${inVariable(example)}`,
  ].join('\n')
}
