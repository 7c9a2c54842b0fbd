// The best chain that a node's answer lists, oldest block first.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { digitsOf } from '../sent/scalars.ts'
import { sentIn } from '../sent/sent.ts'
import { list } from '../sent/values.ts'
import { heightOf } from './block-bodies.ts'

/** Undefined for an answer without blocks. */
export const tipIn = (data: unknown): unknown => list(data, 'bestChain').at(-1)

export const isGapless = (blocks: readonly unknown[]): boolean =>
  blocks.every((block, index) => index === 0 || heightOf(block) === heightOf(blocks[index - 1]) + 1n)

/** True if each block is the parent of the next. */
export const isLinked = (blocks: readonly unknown[]): boolean =>
  isGapless(blocks) &&
  blocks.every((block, index) => {
    const parentHash = at(block, 'protocolState', 'previousStateHash')
    return index === 0 || parentHash === at(blocks[index - 1], 'stateHash')
  })

/** The heights of all tips, whatever else is wrong with their answers; 0 for an unreadable one. */
export const tipHeights = (exchanges: readonly Exchange[]): readonly bigint[] =>
  exchanges
    .filter(({ upstream }) => upstream === 'node')
    .map((exchange) => tipIn(sentIn(exchange).data))
    .filter((tip) => tip !== undefined)
    .map((tip) => BigInt(digitsOf(at(tip, 'protocolState', 'consensusState', 'blockHeight')) ?? 0))

export const greatestTipHeight = (exchanges: readonly Exchange[]): bigint =>
  tipHeights(exchanges).reduce((greatest, height) => (height > greatest ? height : greatest), 0n)
