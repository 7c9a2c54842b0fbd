// The form that every answer has, whatever it says.
import { isObject, parseJson } from '../exact-json.ts'
import type { EndpointName } from '../setting/scenarios.ts'
import type { Received } from '../setting/service.ts'

/** In every text that a fault invents; it is never in an error of the service. */
export const secret = 'http://10.1.2.3:3085 INTERNAL'

const unavailable = 'Upstream unavailable.'

const fixedTexts: Readonly<Record<number, Partial<Record<EndpointName | 'any', string>>>> = {
  404: {
    getBlock: 'No blocks found for that state hash.',
    getAccount: 'No account found for that public key.',
  },
  502: { any: unavailable },
  503: { any: unavailable },
  504: { any: 'Upstream timed out.' },
}

const failedBroadcasts: Partial<Record<EndpointName, string>> = {
  broadcastTransaction: 'Error in sending transaction',
  broadcastDelegation: 'Error in sending delegation',
}

const failedQuery =
  /^Query failed to run by returning code of \d{3}\. mutation \w+\([^|]+ \| \[.*\](?: The outcome is unknown: .*)?$/s

/** The body of an answer, or undefined for text that is not JSON. */
export function bodyOf({ text }: Received): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const keysOf = (body: unknown): string => (isObject(body) ? Object.keys(body).sort().join() : typeof body)

function faultsOfError(endpoint: EndpointName, { status, text }: Received, body: unknown): readonly string[] {
  const faults: string[] = []
  const wrongText = (wanted: string) => faults.push(`the body of a ${status} is not ${wanted}: ${text.slice(0, 200)}`)
  const failed = failedBroadcasts[endpoint]
  if (failed !== undefined) {
    const { message, error } = isObject(body) ? body : {}
    if (status !== 400) faults.push(`a broadcast answered ${status}`)
    if (keysOf(body) !== 'error,message' || message !== failed) wrongText(`{message: ${failed}, error}`)
    if (!failedQuery.test(String(error))) wrongText('the text of a failed query')
  } else {
    const texts = fixedTexts[status]
    const wanted = texts?.[endpoint] ?? texts?.any
    if (wanted === undefined) faults.push(`${endpoint} answered ${status}`)
    else if (text !== JSON.stringify({ message: wanted })) wrongText(JSON.stringify({ message: wanted }))
  }
  if (/10\.1\.2\.3|INTERNAL/.test(text)) faults.push('words of the upstream leaked')
  return faults
}

/** The `cache-control` that an answer of this status has. */
function cachingOf(endpoint: EndpointName, status: number): RegExp {
  if (status === 404)
    return endpoint === 'getAccount' ? /^public, max-age=2, stale-if-error=0$/ : /^public, max-age=5, stale-if-error=0$/
  if (status >= 500) return /^public, max-age=1, stale-if-error=0$/
  return status === 200 ? /^public, max-age=[1-9]\d*(?:,|$)/ : /^no-store$/
}

/** What is wrong with the form of an answer. */
export function formFaults(endpoint: EndpointName, received: Received): readonly string[] {
  const { status, headers } = received
  const body = bodyOf(received)
  const faults: string[] = []
  if (!isObject(body)) faults.push('the body is no JSON object')
  if (headers['content-type'] !== 'application/json') faults.push(`content-type ${headers['content-type']}`)
  const caching = headers['cache-control'] ?? ''
  if (!cachingOf(endpoint, status).test(caching)) faults.push(`cache-control of a ${status}: ${caching}`)
  if ((headers['retry-after'] !== undefined) !== (status === 503)) faults.push(`retry-after on ${status}`)
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\x20-\x7e]{0,1100}$/.test(value)) faults.push(`header ${name} of ${value.length} characters`)
  }
  return status < 300 ? faults : [...faults, ...faultsOfError(endpoint, received, body)]
}
