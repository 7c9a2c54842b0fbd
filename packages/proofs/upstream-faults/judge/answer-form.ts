// The form of every answer, apart from its content.
import { at, isObject, parseJson } from '../exact-json.ts'
import type { Received } from '../setting/service.ts'

/** In every text that a fault invents; it is never in an error of the service. */
export const secret = 'http://10.1.2.3:3085 INTERNAL'

const unavailable = 'Upstream unavailable.'

const fixedTexts: Readonly<Record<number, string>> = {
  502: unavailable,
  503: unavailable,
  504: 'Upstream timed out.',
}

/** The answers of one endpoint whose bodies have a fixed text. */
export interface FixedAnswers {
  /** The longest time for which caches keep a 200. */
  readonly maxAgeSeconds?: number
  /** Of a GET that looks something up. */
  readonly notFound?: {
    readonly text: string
    readonly maxAgeSeconds: number
    /** Its body says more than the text. */
    readonly hasMore?: true
  }
  /** Of a GET whose cursor a reorganisation may take away: the text of a 409. */
  readonly replaced?: string
  /** The words about old copies in the `cache-control` of a 200, where even a brief answer has them. */
  readonly staleness?: string
  /** The text of a 503, where an upstream's answer is longer than any that is read. */
  readonly tooLong?: string
  /** Its 503 tells the state of the upstreams in place of the text. */
  readonly tellsDown?: true
  /** Of a broadcast: the `message` of every failure. */
  readonly failedBroadcast?: string
}

const failedQuery =
  /^Query failed to run by returning code of \d{3}\. mutation \w+\([^|]+ \| \[.*\](?: The outcome is unknown: .*)?$/s

/** The body of an answer, or undefined for text that is not JSON. */
export function bodyOf({ text }: Pick<Received, 'text'>): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** The names in `x-missing-fields`. */
export const missingIn = ({ headers }: Received): readonly string[] =>
  (headers['x-missing-fields'] ?? '').split(',').filter(Boolean)

/** The time for which caches may keep an answer; 0 where it says none. */
export const keptSeconds = ({ headers }: Received): number =>
  Number(/max-age=(\d+)/.exec(headers['cache-control'] ?? '')?.[1] ?? 0)

const keysOf = (body: unknown): string => (isObject(body) ? Object.keys(body).sort().join() : typeof body)

function faultsOfError(
  { notFound, replaced, tooLong, tellsDown, failedBroadcast }: FixedAnswers,
  { status, text }: Received,
  body: unknown,
): readonly string[] {
  const faults: string[] = []
  const wrongText = (wanted: string) => faults.push(`the body of a ${status} is not ${wanted}: ${text.slice(0, 200)}`)
  if (failedBroadcast !== undefined) {
    const { message, error } = isObject(body) ? body : {}
    if (status !== 400) faults.push(`a broadcast answered ${status}`)
    if (keysOf(body) !== 'error,message' || message !== failedBroadcast)
      wrongText(`{message: ${failedBroadcast}, error}`)
    if (!failedQuery.test(String(error))) wrongText('the text of a failed query')
  } else {
    const wanted = { ...fixedTexts, 404: notFound?.text, 409: replaced }[status]
    if (status === 503 && tellsDown) {
      if (at(body, 'status') !== 'down') wrongText('{status: down, …}')
    } else if (wanted === undefined) faults.push(`this endpoint never answers ${status}`)
    else if (status === 404 && notFound?.hasMore) {
      if (at(body, 'message') !== wanted) wrongText(wanted)
    } else if (status === 503 && tooLong !== undefined && at(body, 'message') === tooLong) {
      if (keysOf(body) !== 'message') wrongText(tooLong)
    } else if (text !== JSON.stringify({ message: wanted })) wrongText(JSON.stringify({ message: wanted }))
  }
  if (/10\.1\.2\.3|INTERNAL/.test(text)) faults.push('words of the upstream leaked')
  return faults
}

/** The `cache-control` that an answer of this status has. */
function cachingOf({ notFound }: FixedAnswers, status: number): RegExp {
  if (status === 404) return new RegExp(`^public, max-age=${notFound?.maxAgeSeconds}, stale-if-error=0$`)
  if (status >= 500) return /^public, max-age=1, stale-if-error=0$/
  return status === 200 ? /^public, max-age=[1-9]\d*(?:,|$)/ : /^no-store$/
}

/** The faults in the form of an answer. */
export function formFaults(fixed: FixedAnswers, received: Received): readonly string[] {
  const { status, headers } = received
  const body = bodyOf(received)
  const faults: string[] = []
  if (!isObject(body)) faults.push('the body is not a JSON object')
  if (headers['content-type'] !== 'application/json') faults.push(`content-type ${headers['content-type']}`)
  const caching = headers['cache-control'] ?? ''
  if (!cachingOf(fixed, status).test(caching)) faults.push(`cache-control of a ${status}: ${caching}`)
  if ((headers['retry-after'] !== undefined) !== (status === 503)) faults.push(`retry-after on ${status}`)
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\x20-\x7e]{0,1100}$/.test(value)) faults.push(`header ${name} of ${value.length} characters`)
  }
  const { maxAgeSeconds = 0, staleness = '' } = fixed
  if (status === 200 && !caching.endsWith(staleness)) faults.push(`says other words about old copies: ${caching}`)
  if (status === 200 && Number(/max-age=(\d+)/.exec(caching)?.[1]) > maxAgeSeconds)
    faults.push(`is kept too long: ${caching}`)
  return status < 300 ? faults : [...faults, ...faultsOfError(fixed, received, body)]
}
