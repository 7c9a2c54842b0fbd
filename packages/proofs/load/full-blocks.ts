// Blocks as full as those of a busy chain: blocks of the embedded one hold a few commands, real ones a hundred and more.

export const commandsPerBlock = 100

interface Command {
  readonly source: { readonly publicKey: string }
  readonly receiver: { readonly publicKey: string }
  readonly token: string
}

/** The part of a node's block that is changed. */
interface NodeBlock {
  readonly transactions: { userCommands: readonly Command[] }
}

/** What release 897db388 asks for besides, so that it can run beside this one: five accounts, each with its token. */
function allAccounts({ source, receiver, token }: Command) {
  const [from, to] = [
    { publicKey: source.publicKey, token },
    { publicKey: receiver.publicKey, token },
  ]
  return { feePayer: from, fromAccount: from, source: from, receiver: to, toAccount: to }
}

/** Repeats the first command of each block, if it has one, each time with another nonce. */
export function fillBlocks(blocks: readonly NodeBlock[]): void {
  for (const { transactions } of blocks) {
    const [first] = transactions.userCommands
    if (first === undefined) continue
    transactions.userCommands = Array.from({ length: commandsPerBlock }, (_, nonce) => ({
      ...first,
      ...allAccounts(first),
      nonce,
    }))
  }
}
