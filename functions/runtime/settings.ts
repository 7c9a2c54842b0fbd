// Settings of a running function. The only reader of the environment.
import { headersFrom } from '../../shared/agreements/headers.ts'
import { defaultTimeoutMs, timeoutRangeMs } from '../../shared/agreements/setting-ranges.ts'
import { originSecretsOf } from './origin-lock.ts'
import { type Credential, type Extension, extensionUrl } from './upstreams/credential.ts'

/** One GraphQL upstream. */
export interface Upstream {
  readonly url: string
  /** Sent with each request, an API key say. */
  readonly headers: Readonly<Record<string, string>>
  /** A key that is stored elsewhere and sent with each request. */
  readonly credential?: Credential
  /** For one call, its answer's body included. */
  readonly timeoutMs: number
  /** For a call that walks a ledger; `timeoutMs` where it is not set. */
  readonly slowTimeoutMs?: number
}

export interface Settings {
  readonly node: Upstream
  /** Absent on a deployment without one. */
  readonly indexer?: Upstream
  /** Where keys are read from; only on Lambda. */
  readonly extension?: Extension
  /** Values of the header that CloudFront sends; absent where there is none before the function. */
  readonly originSecrets?: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

/** On Lambda only CloudFront may call the functions. */
const isOnLambda = (env: Environment): boolean => (env.AWS_LAMBDA_FUNCTION_NAME ?? '') !== ''

/** The name under which metrics are kept: the stack's. Without one there are none, as on a laptop. */
export const readServiceName = (env: Environment = process.env): string | undefined => env.SERVICE_NAME || undefined

/** What is deployed, as `<version>+<commit>`; on a laptop undefined. */
export const readRelease = (env: Environment = process.env): string | undefined => env.RELEASE || undefined

class Mistakes {
  readonly lines: string[] = []

  /** @param got what the variable holds; leave out what may be secret */
  add(variable: string, got: string | undefined, wanted: string): void {
    this.lines.push(`${variable}: wanted ${wanted}, got ${got === undefined ? 'nothing' : got}`)
  }
}

function readUrl(env: Environment, variable: string, mistakes: Mistakes): string {
  const value = env[variable]
  const url = value === undefined || !URL.canParse(value) ? undefined : new URL(value)
  const wanted = 'an http or https address such as http://127.0.0.1:3085/graphql'
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    mistakes.add(variable, value === undefined || value === '' ? undefined : JSON.stringify(value), wanted)
  } else if (url.username !== '' || url.password !== '') {
    mistakes.add(variable, 'one with a user name or password in it', `${wanted}; credentials belong in headers`)
  }
  return url?.href ?? ''
}

function readTimeout(env: Environment, variable: string, defaultMs: number, mistakes: Mistakes): number {
  const value = env[variable] ?? String(defaultMs)
  const milliseconds = /^\d{1,9}$/.test(value) ? Number(value) : 0
  const { least, most } = timeoutRangeMs
  if (milliseconds < least || milliseconds > most) {
    mistakes.add(variable, JSON.stringify(value), `whole milliseconds from ${least} to ${most}`)
  }
  return milliseconds
}

function readHeaders(env: Environment, variable: string, mistakes: Mistakes): Record<string, string> {
  const value = env[variable]
  if (value === undefined || value === '') return {}
  const headers = headersFrom(value)
  if (headers === undefined) {
    mistakes.add(variable, 'something else', 'a JSON object of header names and texts such as {"x-api-key":"…"}')
  }
  return headers ?? {}
}

function readCredential(env: Environment, variable: string, mistakes: Mistakes): { credential?: Credential } {
  const fields = env[variable] ? headersFrom(env[variable]) : {}
  const { header, secret, parameter } = fields ?? {}
  if (fields !== undefined && Object.keys(fields).length === 0) return {}
  if (header === undefined || (secret === undefined) === (parameter === undefined)) {
    mistakes.add(variable, 'something else', 'JSON such as {"header":"x-api-key","secret":"name"}, or with "parameter"')
    return {}
  }
  return { credential: { header, ...(secret && { secret }), ...(parameter && { parameter }) } }
}

function readOriginSecrets(env: Environment, mistakes: Mistakes): { originSecrets?: readonly string[] } {
  const originSecrets = originSecretsOf(env.ORIGIN_SECRETS)
  if (originSecrets.length > 0) return { originSecrets }
  if (isOnLambda(env)) mistakes.add('ORIGIN_SECRETS', undefined, 'the texts that CloudFront sends, separated by commas')
  return {}
}

/**
 * Reads and checks every setting.
 *
 * @throws Error naming each wrong variable, what it holds (never a secret) and what it should hold
 */
export function readSettings(env: Environment = process.env): Settings {
  const mistakes = new Mistakes()
  const settings: Settings = {
    node: {
      url: readUrl(env, 'NODE_GRAPHQL_URL', mistakes),
      headers: readHeaders(env, 'UPSTREAM_HEADERS', mistakes),
      ...readCredential(env, 'NODE_CREDENTIAL', mistakes),
      timeoutMs: readTimeout(env, 'UPSTREAM_TIMEOUT_MS', defaultTimeoutMs.node, mistakes),
    },
    ...(env.INDEXER_GRAPHQL_URL && {
      indexer: {
        url: readUrl(env, 'INDEXER_GRAPHQL_URL', mistakes),
        headers: readHeaders(env, 'INDEXER_HEADERS', mistakes),
        ...readCredential(env, 'INDEXER_CREDENTIAL', mistakes),
        timeoutMs: readTimeout(env, 'INDEXER_TIMEOUT_MS', defaultTimeoutMs.indexer, mistakes),
        slowTimeoutMs: readTimeout(env, 'INDEXER_STAKES_TIMEOUT_MS', defaultTimeoutMs.stakes, mistakes),
      },
    }),
    ...(env.AWS_SESSION_TOKEN && { extension: { url: extensionUrl, token: env.AWS_SESSION_TOKEN } }),
    ...readOriginSecrets(env, mistakes),
  }
  if (mistakes.lines.length > 0) throw new Error(`Settings are wrong.\n${mistakes.lines.join('\n')}`)
  return settings
}
