// How far an indexer has come, and on which chain.
import { called, count, nullable, shape, shortText, type Wire } from '../upstream/wire.ts'

/** Null where the indexer has no block yet. */
export const indexerTip = called('block', nullable(shape({ blockHeight: count, genesisStateHash: shortText })))

export type IndexerTip = NonNullable<Wire<typeof indexerTip>>
