// Limits on which endpoints, functions, stack, local gateway and tools must agree.

/** Of a request's body. A signed command has about 1 KB. */
export const largestBodyBytes = 16 * 1024

/** An answer takes no longer, whatever has to be looked up for it; the API gateway gives up after 30 s. */
export const maxAnswerMs = 20_000

/** A function is stopped after this time; above `maxAnswerMs`, so that a slow upstream still gets its answer. */
export const functionTimeoutMs = 25_000

/** How many blocks of the best chain are searched for a command: some ten to thirty minutes of them. */
export const searchedBlocks = 20

/** How many nodes a deployment may have. */
export const maxNodes = 5
