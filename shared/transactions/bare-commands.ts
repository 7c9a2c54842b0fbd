// Commands of nodes without the fields of their block, as several answers show them.
import type { Pool } from '../contract/pool.ts'
import { type ListedCommand, pendingCommandFromNode } from '../mapping/command.ts'
import type { Exact } from '../mapping/exact-json.ts'

export interface BareCommand {
  readonly command: Exact<Pool>['commands'][number]
  /** Fields that the contract cannot show as a whole, as paths below the command. */
  readonly cutFields: readonly string[]
}

export const bareUser = (command: ListedCommand): BareCommand => ({
  command: pendingCommandFromNode(command),
  cutFields: [],
})
