// Readers of single settings. A message says what a variable holds, but never a secret.
import { hasForm, stateHashForm } from '../../../shared/contract/base58.ts'
import { headersFrom } from '../../../shared/deployment/header-setting.ts'
import { timeoutRangeMs } from '../../../shared/deployment/limits.ts'
import type { Credential } from '../upstreams/credential.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Every mistake in the environment, one line each. */
export class Mistakes {
  readonly lines: string[] = []

  /** @param got what the variable holds; leave out what may be secret */
  add(variable: string, got: string | undefined, wanted: string): void {
    this.lines.push(`${variable}: wanted ${wanted}, got ${got === undefined ? 'nothing' : got}`)
  }
}

/** @returns empty text if it is not an address */
export function readUrl(value: string | undefined, variable: string, mistakes: Mistakes): string {
  const url = value === undefined || !URL.canParse(value) ? undefined : new URL(value)
  const wanted = 'an http or https address such as http://127.0.0.1:3085/graphql'
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    mistakes.add(variable, value === undefined || value === '' ? undefined : JSON.stringify(value), wanted)
  } else if (url.username !== '' || url.password !== '') {
    mistakes.add(variable, 'one with a user name or password in it', `${wanted}; credentials belong in headers`)
  }
  return url?.href ?? ''
}

export function readTimeout(env: Environment, variable: string, defaultMs: number, mistakes: Mistakes): number {
  const value = env[variable] ?? String(defaultMs)
  const milliseconds = /^\d{1,9}$/.test(value) ? Number(value) : 0
  const { min, max } = timeoutRangeMs
  if (milliseconds < min || milliseconds > max) {
    mistakes.add(variable, JSON.stringify(value), `whole milliseconds from ${min} to ${max}`)
  }
  return milliseconds
}

/** `true` or `false`. */
export function readSwitch(env: Environment, variable: string, defaultValue: boolean, mistakes: Mistakes): boolean {
  const value = env[variable] || String(defaultValue)
  if (value !== 'true' && value !== 'false') mistakes.add(variable, JSON.stringify(value), 'true or false')
  return value === 'true'
}

/** @param value an object, or its JSON text */
export function readHeaders(value: unknown, variable: string, mistakes: Mistakes): Readonly<Record<string, string>> {
  if (value === undefined || value === '') return {}
  const headers = headersFrom(value)
  if (headers === undefined) {
    mistakes.add(variable, 'something else', 'a JSON object of header names and texts such as {"x-api-key":"…"}')
  }
  return headers ?? {}
}

/** @param value an object, or its JSON text */
export function readCredential(value: unknown, variable: string, mistakes: Mistakes): { credential?: Credential } {
  const fields = value ? headersFrom(value) : {}
  const { header, secret, parameter } = fields ?? {}
  if (fields !== undefined && Object.keys(fields).length === 0) return {}
  if (header === undefined || (secret === undefined) === (parameter === undefined)) {
    mistakes.add(variable, 'something else', 'JSON such as {"header":"x-api-key","secret":"name"}, or with "parameter"')
    return {}
  }
  return { credential: { header, ...(secret && { secret }), ...(parameter && { parameter }) } }
}

/** The network that a deployment is pinned to, by the state hash of its genesis block; its checksum was checked before. */
export function readPin(value: string | undefined, mistakes: Mistakes): { genesisStateHash?: string } {
  if (value === undefined || value === '') return {}
  if (hasForm(value, stateHashForm)) return { genesisStateHash: value }
  mistakes.add('GENESIS_STATE_HASH', JSON.stringify(value), "the state hash of a genesis block: '3N' and 50 characters")
  return {}
}
