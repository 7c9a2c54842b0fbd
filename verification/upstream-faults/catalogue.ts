// Every fault with a name of its own. The fields of each answer, times wrong values, come on top.
import type { Fault } from './fault.ts'
import { ledgerFaults } from './faults/accounts.ts'
import { contradictions } from './faults/commands.ts'
import { conditionFaults } from './faults/conditions.ts'
import { envelopeFaults } from './faults/envelope.ts'
import { httpFaults } from './faults/http.ts'
import { identityFaults } from './faults/identity.ts'
import { listFaults } from './faults/lists.ts'
import { transportFaults } from './faults/transport.ts'

const upstreams = ['node', 'indexer'] as const

/** Names are unique. */
export const catalogue: readonly Fault[] = [
  ...upstreams.flatMap((upstream) => [
    ...transportFaults(upstream),
    ...httpFaults(upstream),
    ...envelopeFaults(upstream),
  ]),
  ...listFaults,
  ...identityFaults,
  ...ledgerFaults,
  ...contradictions,
  ...conditionFaults,
]
