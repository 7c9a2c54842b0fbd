// The evidence for a judgement.
import type { Exchange } from '../setting/fault-server.ts'
import type { Scenario } from '../setting/scenarios.ts'

/** Everything about one answer but the answer itself. */
export interface Evidence {
  readonly scenario: Scenario
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
