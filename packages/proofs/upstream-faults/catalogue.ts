// Every fault that has a name. The faults of each field come on top.
import { answers, type Fault, indexerConditions } from './fault.ts'
import { ledgerFaults } from './faults/accounts.ts'
import { contradictions } from './faults/commands.ts'
import { envelopeFaults } from './faults/envelope.ts'
import { httpFaults } from './faults/http.ts'
import { identityFaults } from './faults/identity.ts'
import { listFaults } from './faults/lists.ts'
import { transportFaults } from './faults/transport.ts'

/** One question of each request, so that each request is tried once. */
const firstQuestion = /^(?:indexedAccount|receivedTimeOf|receivedTimesBetween)$/

const conditionFaults: readonly Fault[] = indexerConditions.map((condition) => ({
  name: `indexer ${condition}`,
  kind: 'condition',
  upstream: 'indexer',
  condition,
  hits: ({ name }) => firstQuestion.test(name),
  sending: ({ text }) => answers(text),
}))

/** Names are unique. */
export const catalogue: readonly Fault[] = [
  ...(['node', 'indexer'] as const).flatMap((upstream) => [
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
