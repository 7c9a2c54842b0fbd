// The evidence for a judgement.
import type { Exchange } from '../setting/fault-server.ts'
import type { Scenario } from '../setting/scenarios.ts'
import type { Received } from '../setting/service.ts'

/** Everything about one answer. */
export interface Evidence {
  readonly scenario: Scenario
  readonly received: Received
  readonly exchanges: readonly Exchange[]
  /** The exchanges of the same instance before. */
  readonly earlier: readonly Exchange[]
  /** True if a node holds the command now. */
  readonly isHeld: boolean
  /** True if the service may have thought that the indexer was busy with a walk over a ledger. */
  readonly wasSlow: boolean
  /** The operation whose answers may count as absent. */
  readonly mayCountAsNone: string | undefined
}
