// Whether pages of other sites may call the deployed service and read its answers, errors included.
import { cors } from '../../shared/cors.ts'
import { type Finding, fail, ok } from '../finding.ts'
import type { HttpAnswer, Probe } from './probe.ts'

/** An answer to a request that named a foreign origin, with what was asked: `GET /summary`. */
export interface NamedAnswer {
  readonly name: string
  readonly answer: Probe
}

const remedy = 'deploy the latest stack: its HTTP API and its CDN both set the headers of shared/cors.ts'

const listOf = (header: string | undefined): readonly string[] =>
  (header ?? '').split(',').map((item) => item.trim().toLowerCase())

const originFault = ({ headers }: HttpAnswer): string | undefined => {
  const origin = headers['access-control-allow-origin']
  return origin === cors.allowOrigins.join(',') ? undefined : `access-control-allow-origin is ${origin ?? 'missing'}`
}

function lackFault(header: string, got: string | undefined, wanted: readonly string[]): string | undefined {
  const there = listOf(got)
  const lacking = wanted.filter((item) => !there.includes(item.toLowerCase()) && !there.includes('*'))
  return lacking.length === 0 ? undefined : `${header} lacks ${lacking.join(', ')}`
}

const exposedFault = ({ headers }: HttpAnswer): string | undefined =>
  lackFault('access-control-expose-headers', headers['access-control-expose-headers'], cors.exposeHeaders)

function preflightFaults(answer: HttpAnswer): (string | undefined)[] {
  const { status, headers } = answer
  return [
    status === 200 || status === 204 ? undefined : `answers ${status}`,
    originFault(answer),
    lackFault('access-control-allow-methods', headers['access-control-allow-methods'], ['POST']),
    lackFault('access-control-allow-headers', headers['access-control-allow-headers'], cors.allowHeaders),
  ]
}

/** One finding for several answers; one that never came is told by the finding on its route. */
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

/** Answers to `OPTIONS` requests that ask leave for a POST with a content type. */
export const preflightFinding = (answers: readonly NamedAnswer[]): Finding =>
  finding('CORS preflight', answers, preflightFaults)

/** Whether the answers can be read, with the headers that are the service's own. */
export const crossOriginFinding = (subject: string, answers: readonly NamedAnswer[]): Finding =>
  finding(subject, answers, (answer) => [originFault(answer), exposedFault(answer)])
