// Log lines: one JSON object each, straight to stdout, where Lambda takes them as they are.
import { isAnswered, isLost, type MeasuredRequest, metricsLine } from './metrics.ts'
import { readRelease, readServiceName } from './settings/settings.ts'

/** Field elements, raw signatures and signatures in base58check, wherever a text may quote them. */
const signatureDigits = /\d{40,}|[0-9a-fA-F]{100,}|7m[1-9A-HJ-NP-Za-km-z]{90,}/g

/** Longest note: a line that is cut by the log's own limit carries no metrics. */
const longestNote = 2000

/** What is known of one call to an upstream. Never its URL: that may hold a key. */
export interface UpstreamCall {
  readonly operation: string
  readonly durationMs: number
  /** HTTP status, or how the call failed; `shed` where no node was asked, since all are busy. */
  readonly outcome: number | string
  /** Short name of the node, where there are several. */
  readonly node?: string
  /** Why this node was asked beside the first one: `hedge`, `failover`, `confirm`, `stale` or `network`. */
  readonly why?: string
}

/** What happened to one request. */
export interface RequestLine extends MeasuredRequest {
  readonly level: 'info' | 'warn' | 'error'
  readonly requestId: string
  readonly endpoint: string
  /** In the order in which they ended. */
  readonly upstream: readonly UpstreamCall[]
  /** The longest of these calls, in milliseconds. */
  readonly slowestCallMs?: number
  /** Calls without an answer, each with its outcome: `latestBlocks timeout`. */
  readonly failedCalls?: string
  /** Where something failed: the deployed version and commit, to whose sources a stack in `note` belongs. */
  readonly release?: string
  /** What was noticed of the nodes, where there are several: `demoted node.example`. */
  readonly nodeEvents?: readonly string[]
  /** Why the answer is what it is; may quote an upstream. */
  readonly note?: string
}

export type Log = (line: RequestLine) => void

/** How much of a text is searched for signatures: one that begins before the note's end is seen whole. */
const longestRead = 10 * longestNote

/** The beginning of a text without anything that looks like a signature. */
export const withoutSignatures = (text: string): string =>
  text.slice(0, longestRead).replace(signatureDigits, '…').slice(0, longestNote)

/** What people search the logs for first: the slowest call and the failed ones. */
export function summariseCalls(calls: readonly UpstreamCall[]): Pick<RequestLine, 'slowestCallMs' | 'failedCalls'> {
  const failed = calls
    .filter((call) => !isAnswered(call) && !isLost(call))
    .map(({ operation, outcome }) => `${operation} ${outcome}`)
  return {
    ...(calls.length > 0 && { slowestCallMs: Math.max(...calls.map(({ durationMs }) => durationMs)) }),
    ...(failed.length > 0 && { failedCalls: failed.join(', ') }),
  }
}

/** Logs are paid for by the byte, so only the lines of failures name the release. */
function withRelease(line: RequestLine): RequestLine {
  const release = line.level === 'error' ? readRelease() : undefined
  return release === undefined ? line : { ...line, release }
}

/** A line to stdout; in a deployment, where the service has a name, with the request's metrics on it. */
export const logToStdout: Log = (line) => {
  const service = readServiceName()
  const full = withRelease(line)
  const printed = service === undefined ? full : metricsLine(full, service, Date.now())
  process.stdout.write(`${JSON.stringify(printed)}\n`)
}
