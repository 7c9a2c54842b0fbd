// A walk down the chain block by block, as an explorer makes it, and what it must have found.
import type { ChainBlock } from '../../local/chain/block.ts'
import type { AskPage } from './walk.ts'

export type Link = Pick<ChainBlock, 'height' | 'stateHash' | 'previousStateHash'>

interface Shown {
  readonly blockHeight: number
  readonly stateHash: string
  readonly protocolState: { readonly previousStateHash: string }
}

interface Page {
  readonly blocks: readonly Shown[]
  readonly next?: string
  readonly endOfKnown?: true
}

export interface BlocksWalk {
  /** The block that the last chain of cursors began below. */
  readonly start: Link
  /** Those of that chain, in the order of the pages. */
  readonly given: readonly Link[]
  readonly pages: number
  /** 409s, after which it began again at the tip. */
  readonly beginnings: number
  readonly isWhole: boolean
}

const linkOf = ({ blockHeight, stateHash, protocolState }: Shown): Link => ({
  ...{ height: blockHeight, stateHash, previousStateHash: protocolState.previousStateHash },
})

/**
 * Walks until nothing lower is shown. After a 409 it begins again.
 *
 * @param ask by what follows `/blocks/before/`
 * @param tip of the chain now
 * @param between called after each page, before the next one, with the height of the cursor's block
 * @throws Error for any answer but 200 and 409
 */
export async function walkBlocks(
  ask: AskPage,
  tip: () => Link,
  limit: number,
  between: (below: number) => void = () => undefined,
): Promise<BlocksWalk> {
  let start = tip()
  let given: Link[] = []
  let beginnings = 1
  for (let pages = 1; ; pages++) {
    const { height, stateHash } = given.at(-1) ?? start
    const { status, body } = await ask(`${height}-${stateHash}?limit=${limit}`)
    if (status === 409) {
      start = tip()
      given = []
      beginnings += 1
      continue
    }
    if (status !== 200) throw new Error(`HTTP ${status} below ${height}: ${JSON.stringify(body)}`)
    const { blocks, next, endOfKnown } = body as Page
    given.push(...blocks.map(linkOf))
    const last = given.at(-1) ?? start
    if (next === undefined) return { start, given, pages, beginnings, isWhole: endOfKnown !== true }
    if (next !== `${last.height}-${last.stateHash}`) throw new Error(`the page ends at ${last.height}, next is ${next}`)
    between(last.height)
  }
}

export interface BlockDifferences {
  readonly lost: number
  readonly doubled: number
  /** Blocks that are not the parent of the one before. */
  readonly gaps: number
}

/**
 * @param known every block that there was, forks too
 * @param lowest height of the lowest block that must be shown
 */
export function blockDifferencesOf(
  { start, given }: BlocksWalk,
  known: readonly Link[],
  lowest: number,
): BlockDifferences {
  const byHash = new Map(known.map((block) => [block.stateHash, block]))
  const found = new Set(given.map(({ stateHash }) => stateHash))
  let lost = 0
  for (let block = byHash.get(start.previousStateHash); block !== undefined && block.height >= lowest; ) {
    if (!found.has(block.stateHash)) lost += 1
    block = byHash.get(block.previousStateHash)
  }
  const chain = [start, ...given]
  return {
    lost,
    doubled: given.length - found.size,
    gaps: given.filter(({ stateHash }, index) => chain[index]?.previousStateHash !== stateHash).length,
  }
}
