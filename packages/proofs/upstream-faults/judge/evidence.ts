// The evidence for a judgement.
import type { Fault } from '../fault.ts'
import type { Exchange } from '../setting/fault-server.ts'
import type { Scenario } from '../setting/scenarios.ts'
import type { Received } from '../setting/service.ts'

/** The answer without a fault, and the questions that it took. */
export interface Usual {
  readonly received: Received
  readonly exchanges: readonly Exchange[]
}

/** Everything about one answer but the answer itself. */
export interface Evidence {
  readonly scenario: Scenario
  readonly usual: Usual
  readonly exchanges: readonly Exchange[]
  /** Of this turn or the one before; absent where there is none. */
  readonly fault?: Fault
  /** Absent where no answer is spoilt. */
  readonly spoiling?: { readonly fault: Fault; readonly operation: string } | undefined
  /** `next`: the same instance, after the fault is gone. */
  readonly turn: 'fault' | 'next'
  /** True if a node holds the command that is broadcast. */
  readonly isHeld: boolean
}
