// Limits that questions to nodes and to indexers share.

/** No reorganisation is expected to reach a block under so many others, and no branch that a stopped daemon follows is longer. */
export const settledDepth = 10

/** More blocks than this at one height would be a flood of forks. */
export const maxSiblings = 20

/** The most rows that an indexer of either dialect gives: more than a height has, whose block has some hundred commands. */
export const maxRows = 1000
