// Log lines: one JSON object each, straight to stdout, where Lambda takes them as they are.

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
export interface RequestLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly requestId: string
  readonly endpoint: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly upstream: readonly UpstreamCall[]
  /** Why the answer is what it is; may hold an upstream's words. */
  readonly note?: string
}

export type Log = (line: RequestLine) => void

/** Text without anything that looks like a signature. */
export const withoutSignatures = (text: string): string => text.replace(signatureDigits, '…')

export const logToStdout: Log = (line) => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
