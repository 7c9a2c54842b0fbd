// The newest blocks of the best chain, printed. An instance prints each of them once, and asks for no more than it needs.
import { maxBlocks } from '../../contract/limits.ts'
import type { NodeBlock } from '../../mapping/block.ts'
import { printedBlock } from '../../mapping/printed-block.ts'
import { WireError } from '../../upstream/errors.ts'
import { nodeQuery, nonEmptyChain, tipOf } from '../../upstream/node-query.ts'
import type { Tip } from '../../upstream/query.ts'
import { called, count, hash, instant, listOf, nullable, shape, shortText } from '../../upstream/wire.ts'
import { maxKeptLength, type NewestBlock } from '../kept-blocks.ts'
import type { ChainView } from '../port.ts'
import { ask } from './ask.ts'
import { wholeBlockQuestions } from './block-questions.ts'
import { latestBlocks } from './latest-blocks.ts'
import { blockHeightOf, isLinked, type LinkedBlock } from './linked-blocks.ts'

const namedBlock = shape({
  protocolState: shape({
    blockchainState: shape({ date: instant }),
    consensusState: shape({ blockHeight: count }),
    previousStateHash: shortText,
  }),
  stateHash: hash,
})

/** The names of the latest blocks, oldest first. */
const latestNames = nodeQuery('latestNames', '$maxLength: Int!', {
  bestChain: called(
    'bestChain(maxLength: $maxLength)',
    nullable(listOf(namedBlock)),
    (blocks, { maxLength }) => blocks === null || (blocks.length <= Number(maxLength) && isLinked(blocks)),
  ),
})

export const newestBlocksOperations = [latestBlocks, latestNames, wholeBlockQuestions.byStateHash]

export interface Place {
  readonly stateHash: string
  readonly height: number
}

interface NewestBlocks<Beside> {
  /** Oldest first; at least one. */
  readonly blocks: readonly NewestBlock[]
  readonly beside: Beside
  /** The tip of these blocks, if the request may have seen another one too. */
  readonly tip?: Tip | undefined
}

/** What an instance keeps: ten blocks, and as many of another branch or daemon. */
const maxKept = 2 * maxBlocks

/** One question for all blocks is quicker than more single ones. */
const maxAskedAlone = 3

/** For each block asked for: after this time most of them are new, and one question is quicker. */
const pageMs = 60_000

/** True if the instance has most of the newest blocks, as far as it can know. */
function mayBeKept(chain: ChainView, limit: number): boolean {
  const { page, pageAt, printed } = chain.kept.blocks
  const wanted = page.slice(-limit)
  const isFresh = chain.lastingMs() - pageAt < limit * pageMs
  return isFresh && wanted.length === limit && wanted.every((stateHash) => printed.has(stateHash))
}

type Chained = readonly [...LinkedBlock[], LinkedBlock]

const placeOf = (block: LinkedBlock): Place => ({ stateHash: block.stateHash, height: blockHeightOf(block) })

/** Keeps the blocks of an answer, and the others that were used last. */
function keep(chain: ChainView, parent: string | undefined, height: number, blocks: readonly NewestBlock[]): void {
  const { blocks: kept } = chain.kept
  const { printed, page } = kept
  for (const block of blocks) {
    printed.delete(block.stateHash)
    printed.set(block.stateHash, block.printed)
  }
  let length = [...printed.values()].reduce((sum, { json }) => sum + json.length, 0)
  for (const [stateHash, { json }] of printed) {
    if (printed.size <= maxKept && length <= maxKeptLength) break
    printed.delete(stateHash)
    length -= json.length
  }
  // An answer with fewer blocks says nothing about those below.
  const hashes = blocks.map(({ stateHash }) => stateHash)
  const [lowest = ''] = hashes
  const below = page.includes(lowest) ? page.indexOf(lowest) : page.indexOf(parent ?? '') + 1
  kept.page = [...page.slice(0, below), ...hashes].slice(-maxBlocks)
  kept.pageHeight = height
  kept.pageAt = chain.lastingMs()
}

const isNamedBy = (named: LinkedBlock, block: LinkedBlock): boolean =>
  blockHeightOf(block) === blockHeightOf(named) &&
  block.protocolState.previousStateHash === named.protocolState.previousStateHash

/** A block that is asked for by its hash; undefined if no node shows it. */
async function blockAlone(chain: ChainView, stateHash: string): Promise<NodeBlock | undefined> {
  try {
    return (await chain.request(wholeBlockQuestions.byStateHash, { stateHash }, { withoutTip: true })).data?.block
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

/** Each block by itself; undefined if one question for all is better. */
async function printedByName(chain: ChainView, named: Chained): Promise<readonly NewestBlock[] | undefined> {
  const { printed } = chain.kept.blocks
  if (named.filter(({ stateHash }) => !printed.has(stateHash)).length > maxAskedAlone) return undefined
  const printOne = async (name: LinkedBlock): Promise<readonly NewestBlock[]> => {
    const { stateHash } = name
    const known = printed.get(stateHash)
    if (known !== undefined) return [{ stateHash, printed: known }]
    const block = await blockAlone(chain, stateHash)
    return block !== undefined && isNamedBy(name, block) ? [{ stateHash, printed: printedBlock(block) }] : []
  }
  const blocks = (await Promise.all(named.map(printOne))).flat()
  return blocks.length === named.length ? blocks : undefined
}

/** The previous page, up to the tip or with the tip added; undefined if the tip has another parent. */
async function printedUnder(tip: Tip, chain: ChainView, limit: number): Promise<readonly NewestBlock[] | undefined> {
  const { printed, page, pageHeight } = chain.kept.blocks
  const keptOf = (stateHashes: readonly string[]) =>
    stateHashes.flatMap((stateHash) => {
      const known = printed.get(stateHash)
      return known === undefined ? [] : [{ stateHash, printed: known }]
    })
  const newest = page.at(-1)
  if (tip.stateHash === newest) return keptOf(page.slice(-limit))
  // The parent of a hard fork's genesis block is on the old chain, of which the node lists nothing.
  if (tip.height !== pageHeight + 1 || tip.stateHash === tip.genesisStateHash) return undefined
  const block = await blockAlone(chain, tip.stateHash)
  if (block === undefined || blockHeightOf(block) !== tip.height) return undefined
  if (block.protocolState.previousStateHash !== newest) return undefined
  return [...keptOf(page.slice(-limit)).slice(1), { stateHash: tip.stateHash, printed: printedBlock(block) }]
}

/**
 * The newest blocks of the best chain, as of one answer of a node.
 *
 * An instance that has printed most of them asks for their names, then for the blocks that it lacks. A request that has
 * been shown the tip needs no names if the tip is the next block. A new instance asks for all at once, and so does one
 * that cannot get a block by itself.
 *
 * @param askBeside asks at the same time for what concerns these blocks
 * @throws WireError when no answer fits, and `busy` from a node without a frontier
 */
export async function newestBlocks<Beside>(
  chain: ChainView,
  limit: number,
  askBeside: (blocks: readonly Place[]) => Promise<Beside>,
): Promise<NewestBlocks<Beside>> {
  const { shownTip } = chain
  const { printed, page } = chain.kept.blocks
  const mayKeep = mayBeKept(chain, limit)
  if (mayKeep && shownTip !== undefined) {
    const blocks = await printedUnder(shownTip, chain, limit)
    if (blocks !== undefined) {
      const lowest = shownTip.height - blocks.length + 1
      const beside = await askBeside(blocks.map(({ stateHash }, index) => ({ stateHash, height: lowest + index })))
      keep(chain, page.at(-1), shownTip.height, blocks)
      return { blocks, beside, tip: shownTip }
    }
  }
  const isNamedFirst = mayKeep && shownTip === undefined
  if (isNamedFirst) {
    const named = nonEmptyChain((await ask(chain, latestNames, { maxLength: limit })).data.bestChain)
    const [blocks, beside] = await Promise.all([printedByName(chain, named), askBeside(named.map(placeOf))])
    if (blocks !== undefined) {
      keep(chain, named[0].protocolState.previousStateHash, blockHeightOf(tipOf(named)), blocks)
      return { blocks, beside }
    }
  }
  const { data, tip } = await ask(chain, latestBlocks, { maxLength: limit })
  const bestChain = nonEmptyChain(data.bestChain)
  const print = async () =>
    bestChain.map((block) => ({
      stateHash: block.stateHash,
      printed: printed.get(block.stateHash) ?? printedBlock(block),
    }))
  const [beside, blocks] = await Promise.all([askBeside(bestChain.map(placeOf)), print()])
  keep(chain, bestChain[0].protocolState.previousStateHash, blockHeightOf(tipOf(bestChain)), blocks)
  return { blocks, beside, ...(isNamedFirst && { tip }) }
}
