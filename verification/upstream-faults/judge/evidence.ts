// What a judgement rests on.
import type { Exchange } from '../setting/fault-server.ts'
import type { Scenario } from '../setting/scenarios.ts'
import type { Received } from '../setting/service.ts'

/** Everything about one answer. */
export interface Evidence {
  readonly scenario: Scenario
  readonly received: Received
  readonly exchanges: readonly Exchange[]
  /** What the same instance was answered before. */
  readonly earlier: readonly Exchange[]
  /** Whether a node holds the command now. */
  readonly isHeld: boolean
  /** Whether the indexer may have been taken for busy with a walk over a ledger. */
  readonly wasSlow: boolean
  /** The operation whose answers may be taken for none. */
  readonly mayCountAsNone: string | undefined
}
