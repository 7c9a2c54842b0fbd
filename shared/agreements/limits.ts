// Limits on which endpoints, functions, stack, local gateway and tools must agree.

/** Of a request's body. A signed command has about 1 KB. */
export const largestBodyBytes = 16 * 1024

/** An answer takes no longer, whatever has to be looked up for it; the API gateway gives up after 30 s. */
export const maxAnswerMs = 20_000

/** A function is stopped after this time; above `maxAnswerMs`, so that a slow upstream still gets its answer. */
export const functionTimeoutMs = 25_000

/** Blocks of the best chain that are searched for a command: ten to thirty minutes of them. */
export const searchedBlocks = 20

/** The maximum number of nodes of a deployment. */
export const maxNodes = 5
