// Limits that questions to nodes and to indexers share.

/**
 * With so many on top a block counts as settled where a mistake costs little: a wrong copy in a cache for a minute, or
 * a stalled daemon believed about a cursor. It is too shallow to credit a deposit: by the odds in docs/exchanges.md,
 * with a tenth of the stake hostile, one block in 75 is reorganised at depth 8 and one in 1,300 at 15.
 */
export const settledDepth = 10

/** More blocks than this at one height would be a flood of forks. */
export const maxSiblings = 20

/** The most rows that an indexer of either dialect gives: more than a height has, at some hundred commands a block. */
export const maxRows = 1000
