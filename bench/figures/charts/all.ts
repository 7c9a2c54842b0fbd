// The charts, in the order of the page.
import { broadcastOutcomes } from './broadcast-outcomes.ts'
import type { Chart } from './chart.ts'
import { coldStart } from './cold-start.ts'
import { edgeHits } from './edge-hits.ts'
import { nodeAnswers } from './node-answers.ts'
import { nodeLatency } from './node-latency.ts'

export const charts: readonly Chart[] = [edgeHits, nodeLatency, nodeAnswers, broadcastOutcomes, coldStart]
