// The most items that a list of an answer has.

export const maxBlocks = 10

/** The most headers on a page. An indexer gives as many. */
export const maxHeaders = 100

/** The most headers in a page from a node, which converts the whole of each block. */
export const maxNodeHeaders = 20

/** A pool can have thousands of delegators; a Lambda answer holds 6 MB, and a thousand records are about half a MB. */
export const maxDelegators = 1000

/** As many as a wallet can fill at once; the gap may be billions wide. */
export const maxMissingNonces = 20

/** The most commands on a page of an account's history; the rest of its last block may exceed that. */
export const maxHistory = 100
export const defaultHistory = 25

/** The most waiting commands beside the first page of an account's history. A node keeps up to 3,000 of one account. */
export const maxPending = 100

/** The most commands of a pool without an account: those that the next blocks take first. */
export const maxPoolCommands = 200

/** A node keeps 3,000 commands in its pool, of about a KB each here; a Lambda answer holds 6 MB. */
export const maxAccountPoolCommands = 3000

/**
 * The most keys that these commands name; a zkApp command names those of its updates. An update has 230 bytes in a node's
 * answer, of which 8 MB are read, and 170 in ours.
 */
export const maxAccountPoolKeys = 20_000
