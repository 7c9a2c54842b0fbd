// Limits on which stages, functions, stack, local gateway and tools must agree.

/** Of a request's body. A signed command has about 1 KB. */
export const maxBodyBytes = 16 * 1024

/** An answer takes no longer, whatever has to be looked up for it; the API gateway gives up after 30 s. */
export const maxAnswerMs = 20_000

/** A function is stopped after this time; above `maxAnswerMs`, so that a slow upstream still gets its answer. */
export const functionTimeoutMs = 25_000

/** The maximum number of nodes of a deployment. */
export const maxNodes = 5

/** From the first number to the second, both included. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** For one call to an upstream, which must not take longer than an answer may. */
export const timeoutRangeMs: Range = { min: 1, max: maxAnswerMs }

/** Time-outs of a stage that sets none: a call to the node, one to the indexer, and one that walks a staking ledger. */
export const defaultTimeoutMs = { node: 8000, indexer: 1500, stakes: 8000 } as const
