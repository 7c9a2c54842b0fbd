// The notes taken while a request is answered, and its log line: one JSON object, written straight to stdout, which
// Lambda logs unchanged.
import type { CallRecord, Doubt, Observer } from '../../shared/chain/port.ts'
import type { ChainObservation, UpstreamLags } from '../../shared/http/answer.ts'
import type { Tip } from '../../shared/upstream/query.ts'
import { compact } from './compact.ts'
import { elapsedMs } from './elapsed-time.ts'
import { isAnswered, isLost, type MeasuredRequest, metricsLine, type RequestFlags } from './metrics.ts'
import { Secrets } from './redaction.ts'
import { readRelease, readRouteMetrics, readServiceName } from './settings/settings.ts'

/** Field elements, raw signatures and signatures in base58check, wherever a text may quote them. */
const signatureDigits = /\d{40,}|[0-9a-fA-F]{100,}|7m[1-9A-HJ-NP-Za-km-z]{90,}/g

/** Of an upstream's message about one call. */
const maxReasonLength = 300

/** Longest note: a line that is cut by the log's own limit carries no metrics. */
const maxNoteLength = 2000

/** The record of one request. */
export interface RequestLine extends MeasuredRequest {
  readonly level: 'info' | 'warn' | 'error'
  readonly requestId: string
  /** The API gateway's: the access log has it, and the caller as `apigw-requestid`. */
  readonly gatewayRequestId?: string
  readonly endpoint: string
  /** In order of completion. */
  readonly upstream: readonly CallRecord[]
  /** The longest of these calls, in milliseconds. */
  readonly slowestCallMs?: number
  /** Calls without an answer, each with its outcome: `latestBlocks timeout`. */
  readonly failedCalls?: string
  /** On failure: the deployed version and commit, which a stack in `note` refers to. */
  readonly release?: string
  /** Events of the nodes, if there are several: `demoted node.example`. */
  readonly nodeEvents?: readonly string[]
  /** The nodes that are out of use, if any. */
  readonly outOfUse?: string
  /** Why the answer is what it is; may quote an upstream. */
  readonly note?: string
}

export type Log = (line: RequestLine) => void

/** Notes taken while one request is answered. */
export class RequestNotes implements Observer {
  readonly startedAt = elapsedMs()
  readonly upstream: CallRecord[] = []
  readonly nodeEvents: string[] = []
  #outOfUse: readonly string[] | undefined
  /** The lowest tip of the nodes' answers: nothing in the answer is older. Labels an answer that does not name its tip. */
  tip: Tip | undefined
  /** An earlier answer of this instance showed a greater height, or the answer's tip is ahead of this machine's clock. */
  isBehind = false
  /** Milliseconds for which an upstream asked not to be called (`retry-after`). */
  readonly refusedForMs: { node?: number; indexer?: number } = {}
  readonly flags: RequestFlags = {}
  /** True also while the stage is not known. */
  hasIndexer = true
  note: string | undefined
  observed: ChainObservation | UpstreamLags | undefined
  readonly #secrets: Secrets

  /** @param secrets masked in upstreams' messages */
  constructor(secrets = new Secrets()) {
    this.#secrets = secrets
  }

  durationMs = (): number => Math.round((elapsedMs() - this.startedAt) * 10) / 10

  called(call: CallRecord): void {
    const { reason } = call
    this.upstream.push(reason === undefined ? call : { ...call, reason: this.#shown(reason).slice(0, maxReasonLength) })
  }

  /** Masks before cutting: a part of a secret would not be found. */
  #shown = (text: string): string => withoutSignatures(this.#secrets.masked(text))

  noticed(event: string, node: string): void {
    this.nodeEvents.push(`${event} ${node}`)
  }

  outOfUse(nodes: readonly string[]): void {
    this.#outOfUse = nodes
  }

  refusedFor(upstream: 'node' | 'indexer', milliseconds: number): void {
    this.refusedForMs[upstream] = milliseconds
  }

  doubted(by: Doubt): void {
    this.flags[by] = true
  }

  answeredAt(tip: Tip, isBehind: boolean): void {
    if (tip.height <= (this.tip?.height ?? tip.height)) this.tip = tip
    this.isBehind ||= isBehind
  }

  /** The fields of the line that have content. */
  summary() {
    return compact({
      upstream: this.upstream,
      ...summariseCalls(this.upstream),
      nodeEvents: this.nodeEvents.length > 0 ? this.nodeEvents : undefined,
      nodesOut: this.#outOfUse?.length,
      outOfUse: this.#outOfUse?.join(', ') || undefined,
      observed: this.observed,
      ...this.flags,
      note: this.note === undefined ? undefined : this.#shown(this.note),
    })
  }
}

/** Characters of a text that are searched for signatures: one that begins before the note's end is seen whole. */
const maxSearchedLength = 10 * maxNoteLength

/** The beginning of a text without anything that looks like a signature. */
export const withoutSignatures = (text: string): string =>
  text.slice(0, maxSearchedLength).replace(signatureDigits, '…').slice(0, maxNoteLength)

/** The slowest call and the failed ones, for which people search the logs first. */
export function summariseCalls(calls: readonly CallRecord[]): Pick<RequestLine, 'slowestCallMs' | 'failedCalls'> {
  const failed = calls
    .filter((call) => !isAnswered(call) && !isLost(call))
    .map(({ operation, outcome }) => `${operation} ${outcome}`)
  return compact({
    slowestCallMs: calls.length > 0 ? Math.max(...calls.map(({ durationMs }) => durationMs)) : undefined,
    failedCalls: failed.length > 0 ? failed.join(', ') : undefined,
  })
}

/**
 * Writes lines; in a deployment, where the service has a name, with the request's metrics on them. Logs are paid for by the
 * byte, so only the lines of failures name the release.
 */
export function logTo(
  write: (text: string) => void,
  service = readServiceName(),
  release = readRelease(),
  ofRoutes = readRouteMetrics(),
): Log {
  return (line) => {
    const full = line.level === 'error' && release !== undefined ? { ...line, release } : line
    const printed = service === undefined ? full : metricsLine(full, service, Date.now(), ofRoutes)
    write(`${JSON.stringify(printed)}\n`)
  }
}

export const logToStdout = (): Log => logTo((text) => process.stdout.write(text))
