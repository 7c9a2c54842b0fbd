// Lists of blocks that are no stretch of a chain.
import { at, changed } from '../exact-json.ts'
import type { Fault, TrueExchange, Upstream } from '../fault.ts'
import { reshaped } from './changes.ts'
import { otherStateHash } from './wrong-values.ts'

const isListOfBlocks = (list: unknown): list is readonly unknown[] =>
  Array.isArray(list) && at(list, 0, 'stateHash') !== undefined

/** Another list in place of each list of blocks under a key; nothing where there is none. */
const lists = (
  name: string,
  upstream: Upstream,
  key: string,
  make: (list: readonly unknown[], exchange: TrueExchange) => unknown,
): Fault =>
  reshaped(name, 'list', upstream, (data, exchange) => {
    const list = at(data, key)
    return isListOfBlocks(list) && list.length > 0 ? changed(data, [key], () => make(list, exchange)) : undefined
  })

const height = ['protocolState', 'consensusState', 'blockHeight'] as const
const moved = (block: unknown, by: bigint): unknown =>
  changed(block, height, (found) => (typeof found === 'string' ? String(BigInt(found) + by) : found))

/** As many blocks as are wanted, each the child of the one before, so that only their number is wrong. */
function grown(list: readonly unknown[], length: number): readonly unknown[] {
  const blocks = [...list]
  while (blocks.length < length) {
    const first = blocks[0]
    const parentHash = `3N${String(blocks.length).padStart(50, '1')}`
    const child = changed(first, ['protocolState', 'previousStateHash'], () => parentHash)
    blocks.splice(
      0,
      1,
      changed(moved(first, -1n), ['stateHash'], () => parentHash),
      child,
    )
  }
  return blocks
}

export const listFaults: readonly Fault[] = [
  lists('lists fifteen blocks', 'node', 'bestChain', (list) => grown(list, 15)),
  lists('lists one block too many', 'node', 'bestChain', (list) => grown(list, list.length + 1)),
  lists('lists each block twice', 'node', 'bestChain', (list) => list.flatMap((block) => [block, block])),
  lists('lists the tip three times', 'node', 'bestChain', (list) => Array(3).fill(list.at(-1))),
  lists('lists newest first', 'node', 'bestChain', (list) => list.toReversed()),
  lists('leaves the middle out', 'node', 'bestChain', (list) => list.toSpliced(1, 1)),
  lists('lists no block', 'node', 'bestChain', () => []),
  lists('lists null as its tip', 'node', 'bestChain', (list) => [...list.slice(0, -1), null]),
  lists('lists a fork in the middle', 'node', 'bestChain', (list) =>
    changed(list, [1, 'stateHash'], () => otherStateHash),
  ),
  lists('names another parent', 'node', 'bestChain', (list) =>
    changed(list, [list.length - 1, 'protocolState', 'previousStateHash'], () => otherStateHash),
  ),
  lists('skips a height', 'node', 'bestChain', (list) => [...list.slice(0, -1), moved(list.at(-1), 1n)]),
  lists('lists in an object', 'node', 'bestChain', (list) => ({ ...list })),
  reshaped('forgets the key bestChain', 'list', 'node', (data) => {
    const { bestChain, ...rest } = Object(data)
    return bestChain === undefined ? undefined : rest
  }),
  lists('lists two tips', 'node', 'bestChain', (list) => (list.length === 1 ? [...list, ...list] : list)),
  lists('lists times of other blocks', 'indexer', 'blocks', (list) =>
    list.map((row) => changed(row, ['stateHash'], () => otherStateHash)),
  ),
  lists('lists no times', 'indexer', 'blocks', () => []),
  lists('lists a hundred times', 'indexer', 'blocks', (list) => Array(40).fill(list).flat()),
]
