// One call over the wire, with its record for the log.
import { WireError } from '../upstream/errors.ts'
import type { Operation } from '../upstream/operation.ts'
import type { QueryUpstream } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import { type CallEnd, endOf, failureOf, outcomeOf, withPublicText } from './outcome.ts'
import type { CallRecord, CallTerms } from './port.ts'
import type { RequestHost } from './request-host.ts'

/** The upstream that a call goes to. */
export interface Destination {
  readonly query: QueryUpstream
  /** Which of several it is, for the log. */
  readonly named: Pick<CallRecord, 'node' | 'indexer'>
  /** Called if its answer was no longer needed, with the time that it had. */
  readonly onCancelled?: (tookMs: number) => void
}

/** Sends, notes how that ended, and judges the reply. Sends no call once the request is over. */
export async function send(
  sender: RequestHost,
  { query, named, onCancelled }: Destination,
  operation: Operation,
  variables: Variables,
  { why, abort = new AbortController(), limitMs = Number.POSITIVE_INFINITY, isRepeat }: CallTerms,
): Promise<CallEnd> {
  const { signal } = abort
  const leftMs = sender.timeLeftMs()
  if (signal.aborted || leftMs <= 0) {
    return failureOf(new WireError('timeout', `${operation.name}: no time left to ask`, { isUnsent: true }))
  }
  const startedAt = sender.elapsed()
  const note = (ended: Pick<CallRecord, 'outcome' | 'reason'>) => {
    const durationMs = sender.elapsed() - startedAt
    sender.called({
      operation: operation.name,
      ...named,
      ...(why !== undefined && { why }),
      durationMs,
      ...ended,
    })
  }
  const onAbort = () => {
    note({ outcome: 'cancelled' })
    onCancelled?.(sender.elapsed() - startedAt)
  }
  const end = () => abort.abort('over')
  sender.ends.add(end)
  signal.addEventListener('abort', onAbort)
  const limits = { limitMs: Math.max(1, Math.min(limitMs, leftMs)), signal, ...(isRepeat && { isRepeat }) }
  try {
    const reply = await query(operation, variables, limits)
    // Kept after an error: the request for the tip, sent together with it, may still be running.
    sender.ends.delete(end)
    const outcome = outcomeOf(operation, variables, reply)
    if (!signal.aborted) note(endOf(outcome))
    return outcome
  } catch (error) {
    if (!signal.aborted) {
      note(error instanceof WireError ? { outcome: error.fault, reason: error.message } : { outcome: 'failed' })
    }
    return failureOf(withPublicText(operation, error))
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
