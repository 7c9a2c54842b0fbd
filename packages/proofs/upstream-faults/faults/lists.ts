// Lists of blocks that are not a stretch of a chain.
import { at, changed, isObject, number, textOf } from '../exact-json.ts'
import { change, type Fault } from '../fault.ts'
import { otherStateHash } from './wrong-values.ts'

type Blocks = readonly unknown[]

/** Another list in place of the list of blocks under a key. */
const listed =
  (upstream: Fault['upstream'], key: string, operation = /^/) =>
  (name: string, make: (list: Blocks) => unknown): Fault =>
    change('list', upstream, name, (data, exchange) => {
      const list = at(data, key)
      if (!operation.test(exchange.name)) return undefined
      const hasBlocks = Array.isArray(list) && at(list, 0, 'stateHash') !== undefined
      return hasBlocks ? changed(data, [key], () => make(list)) : undefined
    })

const chain = listed('node', 'bestChain')
const times = listed('indexer', 'blocks', /^receivedTime/)

const headers = listed('indexer', 'rows', /^headersBelow/)

const moved = (block: unknown, by: bigint): unknown =>
  changed(block, ['protocolState', 'consensusState', 'blockHeight'], (found) => String(BigInt(textOf(found)) + by))

const withParent = (block: unknown, parentHash: string): unknown =>
  changed(block, ['protocolState', 'previousStateHash'], () => parentHash)

/** Another tip above other blocks. */
const inLine = (list: Blocks, make: (tip: unknown) => unknown): Blocks =>
  list.length === 1 ? list : [...list.slice(0, -1), make(list.at(-1))]

/** As many blocks as are wanted, each the child of the one before, so that only their number is wrong. */
function grown(list: Blocks, length: number): Blocks {
  let blocks = list
  while (blocks.length < length) {
    const [first, ...others] = blocks
    const parentHash = `3N${String(blocks.length).padStart(50, '1')}`
    const parent = changed(moved(first, -1n), ['stateHash'], () => parentHash)
    blocks = [parent, withParent(first, parentHash), ...others]
  }
  return blocks
}

export const listFaults: readonly Fault[] = [
  chain('lists fifteen blocks', (list) => grown(list, 15)),
  chain('lists one block too many', (list) => grown(list, list.length + 1)),
  chain('lists each block twice', (list) => list.flatMap((block) => [block, block])),
  chain('lists the tip three times', (list) => Array(3).fill(list.at(-1))),
  chain('lists newest first', (list) => list.toReversed()),
  chain('leaves the middle out', (list) => list.toSpliced(1, 1)),
  chain('lists no block', () => []),
  chain('lists null as its tip', (list) => [...list.slice(0, -1), null]),
  chain('lists a fork in the middle', (list) => changed(list, [1, 'stateHash'], () => otherStateHash)),
  // A tip alone may have any parent, and any height.
  chain('names another parent', (list) => inLine(list, (tip) => withParent(tip, otherStateHash))),
  chain('skips a height', (list) => inLine(list, (tip) => moved(tip, 1n))),
  chain('lists in an object', (list) => ({ ...list })),
  change('list', 'node', 'forgets the key bestChain', (data) => {
    const { bestChain, ...rest } = Object(data)
    return bestChain === undefined ? undefined : rest
  }),
  chain('lists two tips', (list) => (list.length === 1 ? [...list, ...list] : list)),
  headers('lists each header twice', (list) => list.flatMap((row) => [row, row])),
  headers('lists headers oldest first', (list) => list.toReversed()),
  headers('leaves a header out', (list) => list.toSpliced(2, 1)),
  headers('leaves the last header out', (list) => list.slice(0, -1)),
  headers('lists no header', () => []),
  headers('lists a fork among headers', (list) => changed(list, [2, 'stateHash'], () => otherStateHash)),
  headers('lists a header that is not canonical', (list) => changed(list, [2, 'canonical'], () => false)),
  headers('lists a header of another height', (list) => list.with(2, moved(list[2], 1n))),
  headers('counts more zkApp commands than commands', (list) =>
    changed(list, [2, 'block_num_zkapp_commands'], () => number('999')),
  ),
  change('list', 'node', 'sends two heights the other way round', (data) => {
    const [block0, block1] = [at(data, 'block0'), at(data, 'block1')]
    return isObject(block0) && isObject(block1) ? { ...Object(data), block0: block1, block1: block0 } : undefined
  }),
  times('lists times of other blocks', (list) => list.map((row) => changed(row, ['stateHash'], () => otherStateHash))),
  times('lists no times', () => []),
  times('lists a hundred times', (list) => Array(40).fill(list).flat()),
]
