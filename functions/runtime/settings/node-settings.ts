// The nodes of a function: one address, several of them, or a list in which each has its headers and its key.

import { defaultTimeoutMs, maxNodes } from '../../../shared/deployment/limits.ts'
import {
  type Environment,
  type Mistakes,
  readCredential,
  readHeaders,
  readTimeout,
  readUrl,
} from './setting-readers.ts'
import type { NodeSettings, NodeUpstream, Upstream } from './upstream-settings.ts'

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

function checkAddresses(urls: readonly string[], variable: string, mistakes: Mistakes): void {
  if (urls.length > maxNodes) mistakes.add(variable, `${urls.length} nodes`, `at most ${maxNodes}`)
  if (new Set(urls).size < urls.length) mistakes.add(variable, 'an address twice', 'each node once')
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
  if (entries === undefined || entries.length === 0) {
    mistakes.add('NODES', entries === undefined ? 'something else' : 'an empty list', listWanted)
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
  checkAddresses(
    nodes.map(({ url }) => url),
    'NODES',
    mistakes,
  )
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
  checkAddresses(urls, variable, mistakes)
  return named(urls.map((url) => ({ url, headers, ...credential, timeoutMs, sharedAddress: urls.length === 1 })))
}

/** The nodes of the environment: `NODES` takes precedence over `NODE_GRAPHQL_URL`. */
export const readNodes = (env: Environment, mistakes: Mistakes): NodeSettings =>
  env.NODES ? listedNodes(env.NODES, env, mistakes) : addressedNodes(env, mistakes)
