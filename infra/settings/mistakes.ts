// Mistakes in settings, and how they are reported: where, what was given, what is wanted, and an example.
import { inspect } from 'node:util'
import { settingVariable } from '../../shared/deployment/stage-file.ts'
import type { Example } from './kinds.ts'
import type { Setting } from './settings.ts'

/** The message is for the person who synthesises. It holds no secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

export interface Mistake {
  /** A stage file, a variable, or the CDK context. */
  readonly origin: string
  /** Key path or variable, as it was written. */
  readonly at: string
  readonly got: string
  readonly wants: string
  /** The setting of the example; undefined where no setting was meant. */
  readonly setting: Setting | undefined
  /** An example that fits the other settings, where the usual one does not. */
  readonly example?: Example
}

/** `throttles: { reads: { rate: 1000 } }` */
function inFile(key: string, example: Example): string {
  const nested = key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), example)
  return inspect(nested, { breakLength: Number.POSITIVE_INFINITY, depth: null }).slice(2, -2)
}

function inVariable(example: Example): string {
  if (Array.isArray(example) && example.every((item) => typeof item === 'string')) return example.join(',')
  return typeof example === 'object' && example !== null ? `'${JSON.stringify(example)}'` : String(example ?? '')
}

function exampleLines({ key }: Setting, origin: string, example: Example): readonly string[] {
  const variable = settingVariable(key)
  // An empty variable does not withdraw a setting of the file.
  const hasVariable = example !== null || origin === variable
  return [
    `  example  ${inFile(key, example)}`,
    ...(hasVariable ? [`  or       ${variable}=${inVariable(example)}`] : []),
  ]
}

/** The paragraph for one mistake. */
export function mistakeText({ origin, at, got, wants, setting, example }: Mistake): string {
  const shown =
    setting === undefined ? [] : exampleLines(setting, origin, example === undefined ? setting.example : example)
  return [`${origin}: ${at}`, `  got      ${got}`, `  wants    ${wants}`, ...shown].join('\n')
}
