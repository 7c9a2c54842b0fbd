// The newest blocks as an instance has printed them. A block never changes under its state hash, so an answer asks for the names of
// the newest blocks, and then only for those that are not kept. Nothing outlives the instance, so no release serves another's text.
import type { PrintedJson } from '../mapping/exact-json.ts'
import type { PrintedBlock } from '../mapping/printed-block.ts'

/** A block with what an instance has printed of it. */
export interface NewestBlock {
  readonly stateHash: string
  readonly printed: PrintedBlock
}

export interface KeptBlocks {
  /** By state hash; those used last at the end. */
  readonly printed: Map<string, PrintedBlock>
  /** State hashes of the last answer, oldest first. */
  page: readonly string[]
  /** Of the last one of them. */
  pageHeight: number
  /** The lasting time of that answer. */
  pageAt: number
  /** The body of that answer, and what determines it. */
  body?: { readonly of: string; readonly json: PrintedJson }
}

export const noKeptBlocks = (): KeptBlocks => ({
  printed: new Map(),
  page: [],
  pageHeight: 0,
  pageAt: Number.NEGATIVE_INFINITY,
})

/** The most characters that an instance keeps: of its blocks, and of its last body. */
export const maxKeptLength = 4_000_000
