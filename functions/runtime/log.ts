// Log lines: one JSON object each, straight to stdout, where Lambda takes them as they are.
import { type MeasuredRequest, metricsLine } from './metrics.ts'
import { readServiceName } from './settings.ts'

/** Field elements and raw signatures, wherever a text may quote them. */
const signatureDigits = /\d{40,}|[0-9a-fA-F]{100,}/g

/** What is known of one call to an upstream. Never its address: that may hold a key. */
export interface UpstreamCall {
  readonly operation: string
  readonly durationMs: number
  /** HTTP status, or how the call failed. */
  readonly outcome: number | string
}

/** What happened to one request. */
export interface RequestLine extends MeasuredRequest {
  readonly level: 'info' | 'warn' | 'error'
  readonly requestId: string
  readonly endpoint: string
  readonly upstream: readonly UpstreamCall[]
  /** Why the answer is what it is; may hold an upstream's words. */
  readonly note?: string
}

export type Log = (line: RequestLine) => void

/** Text without anything that looks like a signature. */
export const withoutSignatures = (text: string): string => text.replace(signatureDigits, '…')

/** A line to stdout; in a deployment, where the service has a name, with the request's metrics on it. */
export const logToStdout: Log = (line) => {
  const service = readServiceName()
  const printed = service === undefined ? line : metricsLine(line, service, Date.now())
  process.stdout.write(`${JSON.stringify(printed)}\n`)
}
