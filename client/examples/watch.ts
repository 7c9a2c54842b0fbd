import type { Block, Client } from '../src/client.ts'

/** Calls back with every new block of the best chain, oldest first, until the signal is aborted. */
export async function watchBlocks(client: Client, onBlock: (block: Block) => void, signal: AbortSignal) {
  const known = new Set<string>()
  await client.watchTip(
    async ({ value: tip }) => {
      const blocks: Block[] = []
      // Back to a block that is known: that finds them all, after a reorganisation too.
      for (let hash = tip.stateHash; !known.has(hash) && blocks.length < 20; ) {
        const { value: block } = await client.block(hash, { signal })
        blocks.unshift(block)
        hash = block.protocolState.previousStateHash
      }
      for (const block of blocks) known.add(block.stateHash)
      blocks.forEach(onBlock)
    },
    { signal },
  )
}
