// The tip of an indexer, and the chain that it is on.
import { indexerBusy, type WireError } from '../upstream/errors.ts'
import { called, count, nullable, shape, shortText, type Wire } from '../upstream/wire.ts'

/** Null if the indexer has no block yet. */
export const indexerTip = called('block', nullable(shape({ blockHeight: count, genesisStateHash: shortText })))

export type IndexerTip = NonNullable<Wire<typeof indexerTip>>

/** @throws WireError `busy` for an indexer without a block */
export function requireTip(tip: IndexerTip | null): IndexerTip {
  if (tip === null) throw indexerBusy('the indexer has no block yet')
  return tip
}

export const otherChain = ({ genesisStateHash }: IndexerTip): WireError =>
  indexerBusy(`the indexer is on another chain, of genesis ${genesisStateHash}`)
