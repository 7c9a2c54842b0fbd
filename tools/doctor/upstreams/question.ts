// One operation sent to an upstream: its answer or failure, and the time it took.

import type { Upstream } from '../../../functions/runtime/settings/upstream-settings.ts'
import {
  ignoredProxyOf,
  seenIn,
  type TroubleName,
  troubleOf,
  wordsOf,
} from '../../../local/troubles/upstream-troubles.ts'
import { WireError, type WireFault } from '../../../shared/upstream/errors.ts'
import { dataOf } from '../../../shared/upstream/node-query.ts'
import type { Operation } from '../../../shared/upstream/operation.ts'
import type { QueryUpstream, Reply } from '../../../shared/upstream/query.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'

export type QueryResult<Data> =
  | { readonly state: 'answered'; readonly data: Data; readonly tookMs: number }
  | {
      readonly state: 'failed'
      readonly fault: WireFault
      readonly trouble: TroubleName
      /** In the words of the upstream, or of Node. */
      readonly reason: string
      readonly tookMs: number
    }

/** Sends an operation as the service does; an upstream's failure is returned as a value. */
export async function askUpstream<Data>(
  query: QueryUpstream,
  operation: Operation<Data>,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<QueryResult<Data>> {
  const startedAt = performance.now()
  const tookMs = () => Math.round(performance.now() - startedAt)
  let reply: Reply | undefined
  try {
    reply = await query(operation, variables)
    return { state: 'answered', data: dataOf(operation, variables, reply), tookMs: tookMs() }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    const trouble = troubleOf(seenIn(error, reply))
    return { state: 'failed', fault: error.fault, trouble, reason: error.message, tookMs: tookMs() }
  }
}

/** The data of an answer; undefined for a failure. */
export const answeredData = <Data>(outcome: QueryResult<Data>): Data | undefined =>
  outcome.state === 'answered' ? outcome.data : undefined

/** The names of the settings of each upstream. */
const settingsOf = {
  node: {
    upstream: 'node',
    address: '--node, nodeGraphqlUrl or its entry of nodes',
    key: '--header, or its headers in nodes',
  },
  indexer: { upstream: 'indexer', address: '--indexer or indexerGraphqlUrl', key: '--indexer-header' },
} as const

/** An upstream as the doctor asks it. */
export interface ExaminedUpstream {
  readonly upstream: Operation['upstream']
  /** A key, or another header, is sent. */
  readonly hasKey: boolean
  /** The variable of a proxy that is not used. */
  readonly ignoredProxy?: string | undefined
}

/** An upstream with its address and the headers that the doctor sends it. */
export const askedWith = (
  upstream: Operation['upstream'],
  { url, headers }: Pick<Upstream, 'url' | 'headers'>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ExaminedUpstream => ({
  upstream,
  hasKey: Object.keys(headers).length > 0,
  ignoredProxy: ignoredProxyOf(url, env),
})

/**
 * The finding on one operation. Its time is compared with the time-out only.
 *
 * @param limitMs the service's time-out for it
 */
export function questionFinding(
  subject: string,
  { upstream, hasKey, ignoredProxy }: ExaminedUpstream,
  outcome: QueryResult<unknown>,
  limitMs: number,
): Finding {
  if (outcome.state === 'failed') {
    const { says, remedy } = wordsOf(outcome.trouble, { ...settingsOf[upstream], hasKey, ignoredProxy })
    return fail(subject, `${says}: ${outcome.reason}`, remedy)
  }
  const says = `answers in ${outcome.tookMs} ms (time-out ${limitMs} ms)`
  return outcome.tookMs > limitMs / 2
    ? warn(subject, says, `more than half of the time-out: use a nearer or less loaded ${upstream}`)
    : ok(subject, says)
}
