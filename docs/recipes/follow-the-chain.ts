import { parseExact } from './parse-exact.ts'

interface Block {
  readonly stateHash: string
  readonly protocolState: { readonly previousStateHash: string }
}

/** Follows the best chain: call it every five seconds or so. */
export function follower(url: string) {
  let tag: string | undefined
  const known = new Set<string>()

  /** The blocks that are new since the last call, oldest first. After a reorganisation these are the ones of the new branch. */
  return async function newBlocks(maxBlocks = 20): Promise<readonly Block[]> {
    const summary = await fetch(`${url}/summary`, { headers: tag === undefined ? {} : { 'if-none-match': tag } })
    if (summary.status === 304) return []
    if (!summary.ok) throw new Error(`${summary.status}: try again in ${summary.headers.get('retry-after') ?? 5} s`)
    const blocks: Block[] = []
    let { stateHash } = parseExact(await summary.text())
    while (!known.has(stateHash) && blocks.length < maxBlocks) {
      const response = await fetch(`${url}/blocks/${stateHash}`)
      if (response.status === 404) break
      if (!response.ok) throw new Error(`${response.status}: try again`)
      const { block } = parseExact(await response.text())
      blocks.unshift(block)
      stateHash = block.protocolState.previousStateHash
    }
    for (const block of blocks) known.add(block.stateHash)
    tag = summary.headers.get('etag') ?? undefined
    return blocks
  }
}
