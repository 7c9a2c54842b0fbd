// The meaning of an upstream's answer, as the judge reads it.
import { at, isObject, parseJson } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { type Findings, findingsIn } from './promises.ts'

export type Sent =
  /** Says nothing: these statuses are right for a request that hangs on it. */
  | { readonly state: 'trouble'; readonly statuses: readonly number[]; readonly data: unknown }
  /** The node does not hold the asked-for block, or its best chain has none at the asked-for height. */
  | { readonly state: 'not-found'; readonly statuses: readonly number[]; readonly data: unknown }
  | { readonly state: 'data'; readonly data: unknown; readonly findings: Findings }

const bootstrapping: ReadonlySet<string> = new Set([
  'Could not obtain best chain from transition frontier',
  'Could not obtain transition frontier',
  'Daemon is bootstrapping',
])

const trouble = (...statuses: number[]): Sent => ({ state: 'trouble', statuses, data: undefined })

function jsonOf(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const messageOf = (error: unknown): string => {
  const message = at(error, 'message') ?? error
  return typeof message === 'string' ? message : JSON.stringify(message)
}

function readErrors(errors: unknown, data: unknown, { variables, document }: Exchange): Sent {
  const messages = (Array.isArray(errors) ? errors : [errors]).map(messageOf)
  const isAbout = document.includes('block(stateHash:') ? String(variables.stateHash) : undefined
  const notFound = [
    `Block with state hash ${isAbout} not found in transition frontier`,
    `Could not find block with hash: \`${isAbout}\` in transition frontier`,
  ]
  if (messages.some((message) => notFound.includes(message)) && isAbout !== undefined) {
    if (messages.length > 1) return { state: 'trouble', statuses: [502, 503, 404], data }
    if (data === undefined || data === null) return { state: 'not-found', statuses: [], data }
    if (at(data, 'block') === null) return { state: 'not-found', statuses: [502], data }
  }
  const noneThere = `Could not find block in transition frontier with height ${variables.height}`
  if (
    document.includes('block(height:') &&
    messages.length === 1 &&
    messages[0] === noneThere &&
    (data ?? null) === null
  ) {
    return { state: 'not-found', statuses: [], data }
  }
  return { state: 'trouble', statuses: messages.some((message) => bootstrapping.has(message)) ? [503] : [502], data }
}

/** Each rule about an answer asks for it. */
const read = new WeakMap<Exchange, Sent>()

/** Reads an answer as it came to the service. */
export function sentIn(exchange: Exchange): Sent {
  const sent = read.get(exchange) ?? readSent(exchange)
  read.set(exchange, sent)
  return sent
}

function readSent(exchange: Exchange): Sent {
  const { delivered } = exchange
  if (delivered.state === 'cut') return trouble(502)
  if (delivered.state === 'time-out') return trouble(504)
  const { status, text } = delivered
  const isBusy = status === 429 || status === 503
  const body = jsonOf(text)
  const isGraphQl = isObject(body) && (isObject(body.data) || body.data === null || body.errors !== undefined)
  if (!isGraphQl) return trouble(isBusy ? 503 : 502)
  const { data, errors } = body
  const hasErrors = errors !== undefined && errors !== null && !(Array.isArray(errors) && errors.length === 0)
  if (hasErrors) return readErrors(errors, data, exchange)
  if (!isObject(data)) return isBusy ? trouble(502, 503) : trouble(502)
  return { state: 'data', data, findings: findingsIn(exchange, data) }
}

/** True for an answer that came and breaks no promise. */
export const isReadable = (sent: Sent | undefined): sent is Sent & { readonly state: 'data' } =>
  sent?.state === 'data' && sent.findings.broken.length === 0
