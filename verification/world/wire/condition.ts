// How a daemon, and the way to it, are at some time.

import type { DaemonState } from '../chain/daemon.ts'

export interface Condition {
  /** `refusing`: no connection is made. `breaking`: it breaks before the answer. `silent`: no answer ever comes. */
  readonly health: 'ok' | 'refusing' | 'breaking' | 'silent' | 'error-500'
  /** There and back. */
  readonly latencyMs: number
  /** What a question takes longer for `daemonStatus`: the daemon gathers its peers. */
  readonly statusMs: number
  /** Operations that select this field are never answered. */
  readonly hangsAt: string | undefined
  /** The share of calls that are refused with 429 or 503. */
  readonly refusedShare: number
  /** Blocks behind its network; infinite while it is stuck. */
  readonly lag: number
  /** Where the script decides on it. */
  readonly state?: DaemonState
}

/** How a daemon is, `sinceMs` after the world began. */
export type Script = (sinceMs: number, random: () => number) => Partial<Condition>

export const calm: Condition = {
  health: 'ok',
  latencyMs: 50,
  statusMs: 0,
  hangsAt: undefined,
  refusedShare: 0,
  lag: 0,
}
