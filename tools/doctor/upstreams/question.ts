// One operation sent to an upstream: its answer or failure, and the time it took.

import { WireError, type WireFault } from '../../../shared/upstream/errors.ts'
import { queryData } from '../../../shared/upstream/node-query.ts'
import type { Operation } from '../../../shared/upstream/operation.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'

export type QueryResult<Data> =
  | { readonly state: 'answered'; readonly data: Data; readonly tookMs: number }
  | { readonly state: 'failed'; readonly fault: WireFault; readonly reason: string; readonly tookMs: number }

/** Sends an operation as the service does; an upstream's failure is returned as a value. */
export async function askUpstream<Data>(
  query: QueryUpstream,
  operation: Operation<Data>,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<QueryResult<Data>> {
  const startedAt = performance.now()
  const tookMs = () => Math.round(performance.now() - startedAt)
  try {
    const data = await queryData(query, operation, variables)
    return { state: 'answered', data, tookMs: tookMs() }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return { state: 'failed', fault: error.fault, reason: error.message, tookMs: tookMs() }
  }
}

/** The data of an answer; undefined for a failure. */
export const answeredData = <Data>(outcome: QueryResult<Data>): Data | undefined =>
  outcome.state === 'answered' ? outcome.data : undefined

/** The names of the settings of each upstream. */
const settingOf = {
  node: { address: '--node or nodeGraphqlUrl', key: '--header' },
  indexer: { address: '--indexer or indexerGraphqlUrl', key: '--indexer-header' },
} as const

function remedyOf(upstream: Operation['upstream'], fault: WireFault): string {
  const { address, key } = settingOf[upstream]
  switch (fault) {
    case 'unreachable':
      return `start the ${upstream}, or correct its address (${address}); a private one answers only inside its network`
    case 'timeout':
      return `check the load of the ${upstream} and the network between, or raise its time-out in the stage's settings`
    case 'busy':
      return `wait until the ${upstream} is synced and accepts requests, then run the doctor again`
    case 'mismatched':
      return `the ${upstream} answers another question than the one asked: look for a cache or proxy in front of it that mixes up answers`
    case 'unreadable':
      return `check that the address (${address}) leads to the GraphQL port of the ${upstream}, in a supported version; HTTP 401 or 403: pass its key (${key}); HTTP 404: its path is usually /graphql`
  }
}

/**
 * The finding on one operation. Its time is compared with the time-out only.
 *
 * @param limitMs the service's time-out for it
 */
export function questionFinding(
  subject: string,
  upstream: Operation['upstream'],
  outcome: QueryResult<unknown>,
  limitMs: number,
): Finding {
  if (outcome.state === 'failed') return fail(subject, outcome.reason, remedyOf(upstream, outcome.fault))
  const says = `answers in ${outcome.tookMs} ms (time-out ${limitMs} ms)`
  return outcome.tookMs > limitMs / 2
    ? warn(subject, says, `more than half of the time-out: use a nearer or less loaded ${upstream}`)
    : ok(subject, says)
}
