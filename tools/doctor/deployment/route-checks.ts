// Checks of one answer of the deployed service: status, shape, media type, caching.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { annotationFormats, annotationKeywords } from '../../../shared/contract/annotations.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import type { HttpAnswer, Probe } from './probe.ts'

/** The contract's promises about an answer. */
export interface Promised {
  readonly status: number
  /** JSON Schema of the body. */
  readonly schema: object
  /** The fixed text of `message`, if it has one. */
  readonly message?: string
  /** Each `cache-control` that it may have. */
  readonly caching: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** The remedy for a 404, by default to check the base address. */
  readonly notFoundRemedy?: string
}

const ajv = new Ajv2020({ allErrors: true, formats: annotationFormats }).addVocabulary([...annotationKeywords])

function remedyOfStatus(status: number, { notFoundRemedy }: Promised): string {
  if (status >= 300 && status < 400)
    return 'use the address that this one redirects to: a POST does not follow redirects'
  switch (status) {
    case 403:
      return 'use the address of the CDN, because the origin lock refuses all others; at that address, the firewall blocks you'
    case 404:
      return notFoundRemedy ?? 'check that the base address has no path, and that the latest stack is deployed there'
    case 429:
      return 'wait a minute: the firewall or a throttle limits this machine'
    case 502:
    case 503:
    case 504:
      return 'examine its node and indexer: npm run doctor -- --stage X, from a network that reaches them'
    default:
      return 'read the log of the function that serves this route'
  }
}

/** @param reason why no answer came */
export const unreachableFinding = (subject: string, reason: string): Finding =>
  fail(
    subject,
    reason,
    'check the address, and that the stack is deployed there; on this machine, that npm start is running',
  )

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function shapeFault(text: string, { schema, message }: Promised): string | undefined {
  const body = parsed(text)
  if (body === undefined) return 'its body is not JSON'
  if (!ajv.validate(schema, body)) return `its body violates the contract: ${ajv.errorsText(ajv.errors?.slice(0, 3))}`
  const got = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
  return message === undefined || got === message
    ? undefined
    : `its message is ${JSON.stringify(got)}, not "${message}"`
}

function cachingFault(cacheControl: string | undefined, promised: readonly string[]): string | undefined {
  if (promised.includes(cacheControl ?? '')) return undefined
  return `its cache-control is ${cacheControl ?? 'missing'}, not ${promised.join(' or ')}`
}

function headerFaults(headers: HttpAnswer['headers'], promised: Promised): string[] {
  const wanted = { 'content-type': 'application/json', ...promised.headers }
  return Object.entries(wanted)
    .filter(([name, value]) => headers[name] !== value)
    .map(([name, value]) => `its ${name} is ${headers[name] ?? 'missing'}, not ${value}`)
}

/** The finding on the answer to one request. */
export function routeFinding(subject: string, answer: Probe, promised: Promised): Finding {
  if ('failure' in answer) return unreachableFinding(subject, answer.failure)
  const { status, headers, text, tookMs } = answer
  if (status !== promised.status) {
    return fail(subject, `answers ${status} instead of ${promised.status}: ${text}`, remedyOfStatus(status, promised))
  }
  const faults = [
    shapeFault(text, promised),
    ...headerFaults(headers, promised),
    cachingFault(headers['cache-control'], promised.caching),
  ].filter((fault) => fault !== undefined)
  if (faults.length > 0) {
    return fail(
      subject,
      `answers ${status}, but ${faults.join('; ')}`,
      'deploy the latest version, and check that nothing between it and here rewrites answers',
    )
  }
  const says = `answers ${status} in ${tookMs} ms (${headers['cache-control'] ?? 'no cache-control'})`
  const missing = headers['x-missing-fields']
  return missing === undefined
    ? ok(subject, says)
    : warn(subject, `${says} without ${missing}`, 'examine the indexer: npm run doctor -- --stage X')
}
