// Checks that pages of other sites may call the deployed service and read its answers, errors included.
import { cors } from '../../../shared/http/cors.ts'
import { type Finding, fail, ok } from '../finding.ts'
import type { HttpAnswer, Probe } from './probe.ts'

/** An answer to a request from a foreign origin, named by the request: `GET /summary`. */
export interface NamedAnswer {
  readonly name: string
  readonly answer: Probe
}

const remedy = 'deploy the latest stack: its HTTP API and its CDN both set the headers of shared/http/cors.ts'

const listOf = (header: string | undefined): readonly string[] =>
  (header ?? '').split(',').map((item) => item.trim().toLowerCase())

const originFault = ({ headers }: HttpAnswer): string | undefined => {
  const origin = headers['access-control-allow-origin']
  return origin === cors.allowOrigins.join(',') ? undefined : `access-control-allow-origin is ${origin ?? 'missing'}`
}

function missingFault(header: string, got: string | undefined, wanted: readonly string[]): string | undefined {
  const present = listOf(got)
  const missing = wanted.filter((item) => !present.includes(item.toLowerCase()) && !present.includes('*'))
  return missing.length === 0 ? undefined : `${header} lacks ${missing.join(', ')}`
}

const exposedFault = ({ headers }: HttpAnswer): string | undefined =>
  missingFault('access-control-expose-headers', headers['access-control-expose-headers'], cors.exposeHeaders)

function preflightFaults(answer: HttpAnswer): (string | undefined)[] {
  const { status, headers } = answer
  return [
    status === 200 || status === 204 ? undefined : `answers ${status}`,
    originFault(answer),
    missingFault('access-control-allow-methods', headers['access-control-allow-methods'], ['POST']),
    missingFault('access-control-allow-headers', headers['access-control-allow-headers'], cors.allowHeaders),
  ]
}

/** One finding for several answers. */
function finding(
  subject: string,
  answers: readonly NamedAnswer[],
  faultsOf: (answer: HttpAnswer) => readonly (string | undefined)[],
): Finding {
  const faults = answers.flatMap(({ name, answer }) => {
    if ('failure' in answer) return [`${name}: ${answer.failure}`]
    const found = faultsOf(answer).filter((fault) => fault !== undefined)
    return found.length === 0 ? [] : [`${name}: ${found.join(', ')}`]
  })
  if (faults.length > 0) return fail(subject, faults.join('; '), remedy)
  return ok(subject, `allowed on ${answers.length} of ${answers.length} answers`)
}

/** @param answers to `OPTIONS` requests that ask for permission to POST with a content type */
export const preflightFinding = (answers: readonly NamedAnswer[]): Finding =>
  finding('CORS preflight', answers, preflightFaults)

/** Checks that a page of another site can read the answers and the service's own headers. */
export const crossOriginFinding = (subject: string, answers: readonly NamedAnswer[]): Finding =>
  finding(subject, answers, (answer) => [originFault(answer), exposedFault(answer)])
