// The newest blocks of the best chain, printed. An instance prints each of them once, and asks for no more than it needs.
import { maxBlocks } from '../../contract/limits.ts'
import { nodeBlock } from '../../mapping/block.ts'
import { type PrintedBlock, printedBlock } from '../../mapping/printed-block.ts'
import { WireError } from '../../upstream/errors.ts'
import { nodeQuery, nodeQueryWithoutTip, nonEmptyChain, tipOf } from '../../upstream/node-query.ts'
import type { Tip } from '../../upstream/query.ts'
import { called, count, hash, instant, listOf, nullable, shape, shortText } from '../../upstream/wire.ts'
import { maxKeptLength, type NewestBlock } from '../kept-blocks.ts'
import type { ChainView } from '../port.ts'
import { ask } from './ask.ts'
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

const newBlock = nodeQueryWithoutTip('newBlock', '$stateHash: String!', {
  block: called('block(stateHash: $stateHash)', nodeBlock, (block, asked) => block.stateHash === asked.stateHash),
})

export const newestBlocksOperations = [latestBlocks, latestNames, newBlock]

export interface NewestBlocks<Beside> {
  /** Oldest first. */
  readonly blocks: readonly NewestBlock[]
  /** State hash of the newest one. */
  readonly newest: string
  readonly beside: Beside
  /** The tip of these blocks, where the request has seen another one too. */
  readonly tip?: Tip | undefined
}

/** What an instance keeps: ten blocks, and as many of another branch or daemon. */
const maxKept = 2 * maxBlocks

/** One question is quicker than more of them, each for a block. */
const maxAskedAlone = 3

/** For each block that is asked for: by then so many are new that one question is quicker. */
const pageMs = 60_000

/** True if the instance has most of the newest blocks, as far as it can know. */
function mayBeKept(chain: ChainView, limit: number): boolean {
  const { page, pageAt, printed } = chain.keptBlocks
  const wanted = page.slice(-limit)
  const isFresh = chain.lastingMs() - pageAt < limit * pageMs
  return isFresh && wanted.length === limit && wanted.every((stateHash) => printed.has(stateHash))
}

type Chained = readonly [...LinkedBlock[], LinkedBlock]

/** Keeps the blocks of an answer, and those of others that were used last. */
function keep(chain: ChainView, answered: Chained, blocks: readonly NewestBlock[]): void {
  const { keptBlocks } = chain
  const { printed, page } = keptBlocks
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
  // An answer of fewer blocks says nothing against those below.
  const [{ stateHash, protocolState }] = answered
  const below = page.includes(stateHash) ? page.indexOf(stateHash) : page.indexOf(protocolState.previousStateHash) + 1
  keptBlocks.page = [...page.slice(0, below), ...answered.map((block) => block.stateHash)].slice(-maxBlocks)
  keptBlocks.pageAt = chain.lastingMs()
}

const isNamedBy = (named: LinkedBlock, block: LinkedBlock): boolean =>
  blockHeightOf(block) === blockHeightOf(named) &&
  block.protocolState.previousStateHash === named.protocolState.previousStateHash

/** A block that is kept, or asked for by its hash; undefined where no node shows it. */
async function printedAlone(chain: ChainView, named: LinkedBlock): Promise<PrintedBlock | undefined> {
  const { stateHash } = named
  const known = chain.keptBlocks.printed.get(stateHash)
  if (known !== undefined) return known
  try {
    const { data } = await chain.request(newBlock, { stateHash }, { withoutTip: true })
    return data !== undefined && isNamedBy(named, data.block) ? printedBlock(data.block) : undefined
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

/** Each block by itself; undefined where one question for all is better. */
async function printedByName(chain: ChainView, named: Chained): Promise<readonly NewestBlock[] | undefined> {
  const { printed } = chain.keptBlocks
  if (named.filter(({ stateHash }) => !printed.has(stateHash)).length > maxAskedAlone) return undefined
  const all = await Promise.all(named.map((block) => printedAlone(chain, block)))
  const blocks = named.flatMap(({ stateHash }, index) => {
    const one = all[index]
    return one === undefined ? [] : [{ stateHash, printed: one }]
  })
  return blocks.length === named.length ? blocks : undefined
}

/**
 * The newest blocks of the best chain, as of one answer of a node.
 *
 * An instance that has printed most of them asks for their names, and then for those blocks that it lacks; where one cannot be had
 * alone, and on a new instance, it asks for all at once.
 *
 * @param askBeside is asked at the same time, for what concerns these blocks
 * @throws WireError when no answer fits, and `busy` from a node without a frontier
 */
export async function newestBlocks<Beside>(
  chain: ChainView,
  limit: number,
  askBeside: (blocks: Chained) => Promise<Beside>,
): Promise<NewestBlocks<Beside>> {
  const isNamedFirst = mayBeKept(chain, limit)
  if (isNamedFirst) {
    const named = nonEmptyChain((await ask(chain, latestNames, { maxLength: limit })).data.bestChain)
    const [blocks, beside] = await Promise.all([printedByName(chain, named), askBeside(named)])
    if (blocks !== undefined) {
      keep(chain, named, blocks)
      return { blocks, newest: tipOf(named).stateHash, beside }
    }
  }
  const { data, tip } = await ask(chain, latestBlocks, { maxLength: limit })
  const bestChain = nonEmptyChain(data.bestChain)
  const { printed } = chain.keptBlocks
  const print = async () =>
    bestChain.map((block) => ({
      stateHash: block.stateHash,
      printed: printed.get(block.stateHash) ?? printedBlock(block),
    }))
  const [beside, blocks] = await Promise.all([askBeside(bestChain), print()])
  keep(chain, bestChain, blocks)
  return { blocks, newest: tipOf(bestChain).stateHash, beside, ...(isNamedFirst && { tip }) }
}
