// An indexer that as a whole is not what the node takes it for.
import { answers, type Fault, indexerConditions } from '../fault.ts'

/** Of the questions of a request one that it always puts, so that each request is tried once. */
const first = /^(?:indexedAccount|receivedTimeOf|receivedTimesBetween)$/

export const conditionFaults: readonly Fault[] = indexerConditions.map((condition) => ({
  name: `indexer ${condition}`,
  kind: 'condition',
  upstream: 'indexer',
  condition,
  hits: ({ name }) => first.test(name),
  sending: ({ text }) => answers(text),
}))
