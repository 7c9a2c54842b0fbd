// A stack trace as it comes out of the log: as text, or in the note of a log line.
import { memberOf } from '../../shared/mapping/exact-json.ts'

/** A stack trace as it was logged. */
export interface LoggedStack {
  readonly stack: string
  /** Of the function that wrote it. */
  readonly endpoint?: string
  /** Of the stack that was deployed. */
  readonly stage?: string
  readonly commit?: string
}

const servicePrefix = /^chain-explorer-/

function textOf(line: object, key: string): string | undefined {
  const value = memberOf(line, key)
  return typeof value === 'string' ? value : undefined
}

function fromLine(line: object): LoggedStack {
  const [endpoint, service, release] = ['endpoint', 'Service', 'release'].map((key) => textOf(line, key))
  const commit = release?.split('+')[1]
  return {
    stack: textOf(line, 'note') ?? '',
    ...(endpoint !== undefined && { endpoint }),
    ...(service !== undefined && { stage: service.replace(servicePrefix, '') }),
    ...(commit !== undefined && { commit }),
  }
}

/** @param text one log line of the service, or a stack trace alone */
export function readLoggedStack(text: string): LoggedStack {
  try {
    const line: unknown = JSON.parse(text)
    if (typeof line === 'object' && line !== null) return fromLine(line)
  } catch {
    // Text that is not JSON is the stack trace itself.
  }
  return { stack: text }
}
