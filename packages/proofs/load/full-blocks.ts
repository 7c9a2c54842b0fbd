// Blocks as full as those of a busy chain: blocks of the embedded one hold a few commands, real ones a hundred and more.

export const commandsPerBlock = 100

/** The part of a node's block that is changed. */
interface NodeBlock {
  readonly transactions: { userCommands: readonly object[] }
}

/** Repeats the first command of each block, if it has one, each time with another nonce. */
export function fillBlocks(blocks: readonly NodeBlock[]): void {
  for (const { transactions } of blocks) {
    const [first] = transactions.userCommands
    if (first === undefined) continue
    transactions.userCommands = Array.from({ length: commandsPerBlock }, (_, nonce) => ({ ...first, nonce }))
  }
}
