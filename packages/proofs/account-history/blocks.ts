// A walk down the chain block by block, as an explorer makes it, and what it must have found.

import type { Block } from '../../../shared/contract/block.ts'
import type { BlockHeader } from '../../../shared/contract/block-header.ts'
import type { ChainBlock } from '../../testnet/block.ts'
import type { AskPage } from './walk.ts'

export type Link = Pick<ChainBlock, 'height' | 'stateHash' | 'previousStateHash'>

export interface PageOfBlocks {
  readonly blocks?: readonly Block[]
  readonly headers?: readonly BlockHeader[]
  readonly next?: string
  readonly endOfKnown?: true
}

export interface BlocksWalk {
  /** The block that the last chain of cursors began below. */
  readonly start: Link
  /** Those of that chain, in the order of the pages. */
  readonly given: readonly Link[]
  /** The same in one line each. */
  readonly headers: readonly BlockHeader[]
  readonly pages: number
  /** 409s, after which it began again at the tip. */
  readonly beginnings: number
  readonly isWhole: boolean
}

const sumOf = (paid: readonly { readonly fee: number }[]): number => paid.reduce((sum, { fee }) => sum + fee, 0)

/** What a whole block shows, its lists counted and its fees added up. */
export const headerOf = ({ protocolState, snarkJobs, transactions, ...block }: Block): BlockHeader => ({
  stateHash: block.stateHash,
  blockHeight: block.blockHeight,
  previousStateHash: protocolState.previousStateHash,
  dateTime: block.dateTime,
  creator: block.creator,
  slot: protocolState.consensusState.slot,
  epoch: protocolState.consensusState.epoch,
  canonical: block.canonical,
  commandCount: transactions.userCommands.length + transactions.zkappCommandCount,
  zkappCommandCount: transactions.zkappCommandCount,
  proofCount: snarkJobs.length,
  coinbase: transactions.coinbase,
  feesNanomina: sumOf([...transactions.userCommands, ...(transactions.zkappCommands ?? [])]),
  proofFeesNanomina: sumOf(snarkJobs),
})

const linkOf = ({ blockHeight: height, stateHash, previousStateHash }: BlockHeader): Link => ({
  ...{ height, stateHash, previousStateHash },
})

/**
 * How many headers are of blocks that a walk over whole blocks shows too, and how many of those differ from the whole block. A
 * node gives no sums of fees: a header may lack them.
 */
export function comparedHeaders(given: readonly BlockHeader[], whole: Pick<BlocksWalk, 'headers'>) {
  const byHash = new Map(whole.headers.map((header) => [header.stateHash, header]))
  const pairs = given.flatMap((header) => {
    const full = byHash.get(header.stateHash)
    return full === undefined ? [] : [{ header, full }]
  })
  const unlike = pairs.filter(({ header, full: { feesNanomina, proofFeesNanomina, ...withoutSums } }) => {
    const rights = [{ ...withoutSums, feesNanomina, proofFeesNanomina }, withoutSums]
    return !rights.some((right) => JSON.stringify(right) === JSON.stringify(header))
  })
  return { compared: pairs.length, unlike: unlike.length }
}

/**
 * Walks until nothing lower is shown. After a 409 it begins again.
 *
 * @param ask by what follows `/blocks/before/`
 * @param tip of the chain now
 * @param page the blocks of a page, or full pages of headers
 * @param between called after each page, before the next one, with the height of the cursor's block
 * @throws Error for any answer but 200 and 409
 */
export async function walkBlocks(
  ask: AskPage,
  tip: () => Link,
  page: number | 'headers',
  between: (below: number) => void = () => undefined,
): Promise<BlocksWalk> {
  let start = tip()
  let headers: BlockHeader[] = []
  let beginnings = 1
  for (let pages = 1; ; pages++) {
    const lowest = headers.at(-1)
    const { height, stateHash } = lowest === undefined ? start : linkOf(lowest)
    const query = page === 'headers' ? 'view=header' : `limit=${page}`
    const { status, body } = await ask(`${height}-${stateHash}?${query}`)
    if (status === 409) {
      start = tip()
      headers = []
      beginnings += 1
      continue
    }
    if (status !== 200) throw new Error(`HTTP ${status} below ${height}: ${JSON.stringify(body)}`)
    const { blocks = [], headers: more = blocks.map(headerOf), next, endOfKnown } = body as PageOfBlocks
    headers.push(...more)
    const given = headers.map(linkOf)
    const last = given.at(-1) ?? start
    if (next === undefined) return { start, given, headers, pages, beginnings, isWhole: endOfKnown !== true }
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
