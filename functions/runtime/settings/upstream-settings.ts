// The upstreams in the environment: the indexers and the nodes, each with its address, headers, key and time-out. A message
// says what a variable holds, but never a secret.
import {
  addressListFault,
  defaultSwitches,
  defaultTimeoutMs,
  headersFrom,
  maxIndexers,
  maxNodes,
  timeoutRangeMs,
  wordsOf,
} from '../../../shared/deployment/settings.ts'
import type { Environment } from '../../../shared/deployment/variables.ts'
import type { Credential } from '../upstreams/credential.ts'

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

/** One of several nodes. */
export interface NodeUpstream extends Upstream {
  /** For logs: the host, and a number where several nodes have the same one. */
  readonly name: string
  /** Several nodes answer at this address in turn. */
  readonly sharedAddress: boolean
}

export interface NodeSettings {
  /** The only node, or the first of several. */
  readonly node: Upstream
  /** All nodes; absent where there is only one address, behind which there may be several. */
  readonly nodes?: readonly NodeUpstream[]
}

export interface IndexerSettings {
  /** The only indexer, or the first of several. Absent on a deployment without one. */
  readonly indexer?: Upstream
  /** The second indexer and those after it; absent where there is one. */
  readonly otherIndexers?: readonly Upstream[]
  /** Present where no indexer is to be asked for staking ledgers. */
  readonly withoutStakes?: true
}

/** Every mistake in the environment, one line each. */
export class Mistakes {
  readonly lines: string[] = []

  /** @param got what the variable holds; leave out what may be secret */
  add(variable: string, got: string | undefined, wanted: string): void {
    this.lines.push(`${variable}: wanted ${wanted}, got ${got === undefined ? 'nothing' : got}`)
  }
}

const addressWanted = 'an http or https address such as http://127.0.0.1:3085/graphql'

/** @returns empty text if it is not an address */
export function readUrl(
  value: string | undefined,
  variable: string,
  mistakes: Mistakes,
  wanted = addressWanted,
): string {
  const url = value === undefined || !URL.canParse(value) ? undefined : new URL(value)
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    mistakes.add(variable, value === undefined || value === '' ? undefined : JSON.stringify(value), wanted)
  } else if (url.username !== '' || url.password !== '') {
    mistakes.add(variable, 'one with a user name or password in it', `${wanted}; credentials belong in headers`)
  }
  return url?.href ?? ''
}

/** `true` or `false`. */
export function readSwitch(
  env: Environment,
  variable: 'INDEXER_STAKES' | 'LENIENT_PAYLOAD',
  defaultValue: boolean,
  mistakes: Mistakes,
): boolean {
  const value = env[variable] || String(defaultValue)
  if (value !== 'true' && value !== 'false') mistakes.add(variable, JSON.stringify(value), 'true or false')
  return value === 'true'
}

type TimeoutVariable = Extract<keyof Environment, `${string}_TIMEOUT_MS`>

export function readTimeout(
  env: Environment,
  variable: TimeoutVariable,
  defaultMs: number,
  mistakes: Mistakes,
): number {
  const value = env[variable] ?? String(defaultMs)
  const milliseconds = /^\d{1,9}$/.test(value) ? Number(value) : 0
  const { min, max } = timeoutRangeMs
  if (milliseconds < min || milliseconds > max) {
    mistakes.add(variable, JSON.stringify(value), `milliseconds: ${wordsOf(timeoutRangeMs)}`)
  }
  return milliseconds
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

const listWanted = `JSON: a list of 1 to ${maxNodes} nodes such as [{"graphqlUrl":"https://node.example/graphql"}]`

/** The host of each; nodes of one host are numbered. */
function namesOf(urls: readonly string[]): readonly string[] {
  const hosts = urls.map((url) => (URL.canParse(url) ? new URL(url).host : ''))
  return hosts.map((host, index) =>
    hosts.filter((other) => other === host).length === 1
      ? host
      : `${host}#${hosts.slice(0, index + 1).filter((other) => other === host).length}`,
  )
}

function checkNodes(urls: readonly string[], variable: string, wanted: string, mistakes: Mistakes): void {
  const fault = addressListFault(urls, 'nodes')
  if (fault !== undefined) mistakes.add(variable, fault, wanted)
}

const named = (nodes: readonly (Upstream & Pick<NodeUpstream, 'sharedAddress'>)[]): NodeSettings => {
  const names = namesOf(nodes.map(({ url }) => url))
  const all = nodes.map((node, index) => ({ ...node, name: names[index] ?? '' }))
  const [first] = nodes
  if (first === undefined) return { node: { url: '', headers: {}, timeoutMs: 0 } }
  const { sharedAddress, ...node } = first
  return all.length === 1 && sharedAddress ? { node } : { node, nodes: all }
}

/** `NODES`: what a deployment is given. */
function listedNodes(text: string, env: Environment, mistakes: Mistakes): NodeSettings {
  const timeoutMs = readTimeout(env, 'UPSTREAM_TIMEOUT_MS', defaultTimeoutMs.node, mistakes)
  const entries = entriesIn(text)
  if (entries === undefined) {
    mistakes.add('NODES', 'something else', listWanted)
    return named([])
  }
  const nodes = entries.map(({ graphqlUrl, headers, credential, sharedAddress = false }, index) => {
    const variable = `NODES[${index}]`
    if (typeof sharedAddress !== 'boolean') {
      mistakes.add(`${variable}.sharedAddress`, JSON.stringify(sharedAddress), 'true or false')
    }
    return {
      url: readUrl(typeof graphqlUrl === 'string' ? graphqlUrl : undefined, `${variable}.graphqlUrl`, mistakes),
      headers: readHeaders(headers, `${variable}.headers`, mistakes),
      ...readCredential(credential, `${variable}.credential`, mistakes),
      timeoutMs,
      sharedAddress: sharedAddress === true,
    }
  })
  const urls = nodes.map(({ url }) => url)
  checkNodes(urls, 'NODES', listWanted, mistakes)
  return named(nodes)
}

function entriesIn(text: string): readonly Readonly<Record<string, unknown>>[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((entry) => typeof entry === 'object' && entry !== null) ? list : undefined
  } catch {
    return undefined
  }
}

/** `NODE_GRAPHQL_URL`: one address, or several without any key, separated by commas. */
function addressedNodes(env: Environment, mistakes: Mistakes): NodeSettings {
  const variable = 'NODE_GRAPHQL_URL'
  const urls = (env[variable] ?? '').split(',').map((url) => readUrl(url.trim() || undefined, variable, mistakes))
  const headers = readHeaders(env.UPSTREAM_HEADERS, 'UPSTREAM_HEADERS', mistakes)
  const timeoutMs = readTimeout(env, 'UPSTREAM_TIMEOUT_MS', defaultTimeoutMs.node, mistakes)
  const credential = readCredential(env.NODE_CREDENTIAL, 'NODE_CREDENTIAL', mistakes)
  // A key must never reach another provider.
  const wanted = 'NODES, in which each node has its own headers and key, where there are several addresses'
  if (urls.length > 1 && Object.keys(headers).length > 0) mistakes.add('UPSTREAM_HEADERS', 'headers for all', wanted)
  if (urls.length > 1 && credential.credential) mistakes.add('NODE_CREDENTIAL', 'a key for all', wanted)
  checkNodes(urls, variable, `${addressWanted}, or several, separated by commas`, mistakes)
  return named(urls.map((url) => ({ url, headers, ...credential, timeoutMs, sharedAddress: urls.length === 1 })))
}

/** The nodes of the environment: `NODES` takes precedence over `NODE_GRAPHQL_URL`. */
export const readNodes = (env: Environment, mistakes: Mistakes): NodeSettings =>
  env.NODES ? listedNodes(env.NODES, env, mistakes) : addressedNodes(env, mistakes)

/** The indexers of the environment: one address, or several without any key, separated by commas. */
export function readIndexers(env: Environment, mistakes: Mistakes): IndexerSettings {
  const variable = 'INDEXER_GRAPHQL_URL'
  if (!env[variable]) return {}
  const urls = env[variable].split(',').map((url) => readUrl(url.trim() || undefined, variable, mistakes))
  const headers = readHeaders(env.INDEXER_HEADERS, 'INDEXER_HEADERS', mistakes)
  const credential = readCredential(env.INDEXER_CREDENTIAL, 'INDEXER_CREDENTIAL', mistakes)
  const timeoutMs = readTimeout(env, 'INDEXER_TIMEOUT_MS', defaultTimeoutMs.indexer, mistakes)
  const slowTimeoutMs = readTimeout(env, 'INDEXER_STAKES_TIMEOUT_MS', defaultTimeoutMs.stakes, mistakes)
  const hasStakes = readSwitch(env, 'INDEXER_STAKES', defaultSwitches.indexerStakes, mistakes)
  const fault = addressListFault(urls, 'indexers')
  if (fault !== undefined) {
    mistakes.add(variable, fault, `${addressWanted}, or up to ${maxIndexers}, separated by commas`)
  }
  // A key must never reach another provider.
  const wanted = 'a single indexer, or indexers that need none'
  if (urls.length > 1 && Object.keys(headers).length > 0) mistakes.add('INDEXER_HEADERS', 'headers for all', wanted)
  if (urls.length > 1 && credential.credential) mistakes.add('INDEXER_CREDENTIAL', 'a key for all', wanted)
  const [indexer, ...otherIndexers] = urls.map((url) => ({ url, headers, ...credential, timeoutMs, slowTimeoutMs }))
  return {
    ...(indexer && { indexer }),
    ...(otherIndexers.length > 0 && { otherIndexers }),
    ...(!hasStakes && { withoutStakes: true }),
  }
}
