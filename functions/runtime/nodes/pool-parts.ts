// What all questions of an instance share: its nodes, the clock, and the state that every answer changes.
import type { CallWatch, ExtraCall, NodeCall, NodePort } from '../../../shared/upstream/query.ts'
import type { Clock } from './clock.ts'
import type { PoolState } from './rules/state.ts'

export interface Pool {
  /** In the order of the settings. */
  readonly ports: readonly NodePort[]
  readonly clock: Clock
  state: PoolState
}

/** @throws RangeError for an index without a node */
export function portAt({ ports }: Pool, index: number): NodePort {
  const port = ports[index]
  if (port === undefined) throw new RangeError(`there is no node ${index}`)
  return port
}

/** Notes a call for logs and metrics. */
export function note(
  pool: Pool,
  index: number,
  { why, ...call }: Omit<NodeCall, 'node' | 'why'> & { readonly why: ExtraCall | undefined },
  watch: CallWatch | undefined,
): void {
  watch?.called({ ...call, node: portAt(pool, index).name, ...(why !== undefined && { why }) })
}
