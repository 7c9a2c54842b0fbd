// The day of a hard fork, step by step: commands stop, blocks go on empty, no block comes, a new chain begins. Node and
// indexer each follow a chain, and need not follow the same one.
import type { Chain } from './chain.ts'
import type { Arranged, Wanted } from './fates.ts'

export interface ForkDay {
  /** The chain that the node is on: the latest one. */
  readonly node: Chain
  /** The chain that the indexer is on: after a fork the one before it, with its discarded end, until it follows. */
  readonly indexed: Chain
  /** Makes the block of the slot of `now` unless there is one, or none comes any more; then the fork that waited for it. */
  produceIfDue(): void
  /** @throws RangeError where commands are stopped already */
  pause(): void
  /** @throws RangeError where commands are not stopped, or blocks are */
  stop(): void
  /**
   * Begins the new chain on the last block before the pause: at once where no block comes any more, otherwise as soon as
   * three blocks have been made since. Stops commands where nobody has.
   *
   * @param discarded number of blocks to leave behind in place of those; the new chain begins at once
   * @returns false where it waits for blocks
   * @throws RangeError for a number that the frontier does not hold
   */
  fork(discarded?: number): boolean
  /** @throws RangeError where the indexer is on the node's chain */
  follow(): void
}

/** As many as the shortest day of a fork that shows something: heights that exist twice. */
const discardedByDefault = 3

/** The chain that is the current one at each use. */
const following = (current: () => Chain): Chain =>
  new Proxy({} as Chain, {
    get: (_, key) => Reflect.get(current(), key),
    set: (_, key, value) => Reflect.set(current(), key, value),
  })

export function createForkDay(first: Chain): ForkDay {
  let node = first
  let indexed = first
  let isStopped = false
  let isForkWanted = false

  const blocksSincePause = () => node.tip().height - (node.lastBeforePause() ?? node.tip()).height
  const fork = (discarded: number) => {
    node = node.forkAfter(discarded)
    isStopped = false
    isForkWanted = false
  }
  return {
    node: following(() => node),
    indexed: following(() => indexed),
    produceIfDue() {
      // A timer may fire twice in one slot. A second block there would lie ahead of the clock, and all that follow it too.
      if (isStopped || node.tip().slot >= node.currentSlot()) return
      node.produceBlock()
      if (isForkWanted && blocksSincePause() >= discardedByDefault) fork(blocksSincePause())
    },
    pause() {
      if (node.lastBeforePause() !== undefined) throw new RangeError('Commands are stopped already')
      node.pauseCommands()
    },
    stop() {
      if (node.lastBeforePause() === undefined) throw new RangeError('Stop commands first: POST /chain/pause')
      if (isStopped) throw new RangeError('Blocks are stopped already')
      isStopped = true
    },
    fork(discarded) {
      if (discarded !== undefined) {
        fork(discarded)
        return true
      }
      node.pauseCommands()
      isForkWanted = !isStopped && blocksSincePause() < discardedByDefault
      if (!isForkWanted) fork(blocksSincePause())
      return !isForkWanted
    },
    follow() {
      if (indexed === node) throw new RangeError('The indexer is on the node’s chain already')
      indexed = node
    },
  }
}

function pause(day: ForkDay): Arranged {
  day.pause()
  return {
    happens: `The node refuses each command with After_slot_tx_end, and blocks after height ${day.node.tip().height} are empty. Those that wait in the pool stay there.`,
    see: ['/summary', '/blocks?limit=3'],
  }
}

function stop(day: ForkDay): Arranged {
  day.stop()
  return { happens: `No block follows that at height ${day.node.tip().height}.`, see: ['/summary'] }
}

function fork(day: ForkDay, { discard }: Wanted): Arranged {
  const before = day.node.bestChain()
  if (!day.fork(discard)) {
    return {
      happens: `Commands are stopped. The new chain begins after ${discardedByDefault} empty blocks, which are discarded.`,
      see: ['/summary', `/blocks?limit=${discardedByDefault}`],
    }
  }
  const { height, stateHash, previousStateHash } = day.node.genesisBlock()
  const discarded = before.filter((block) => block.height >= height)
  const count = discarded.length === 1 ? 'one block is' : `${discarded.length} blocks are`
  return {
    happens: `A new chain begins at height ${height}, and ${count} discarded. The indexer stays on the old chain: POST /chain/follow`,
    see: [stateHash, previousStateHash, ...discarded.map((block) => block.stateHash)].map((hash) => `/blocks/${hash}`),
  }
}

function follow(day: ForkDay): Arranged {
  day.follow()
  const parent = day.node.before?.parent
  return {
    happens:
      'The indexer is on the new chain and holds the old one below it; the discarded blocks are not canonical there.',
    see: ['/summary', ...(parent ? [`/blocks/height/${parent.height}`] : [])],
  }
}

/** By name, in the order of the day. */
export const forkSteps = {
  pause: { parameters: [], arrange: pause },
  stop: { parameters: [], arrange: stop },
  fork: { parameters: ['discard'], arrange: fork },
  follow: { parameters: [], arrange: follow },
} as const satisfies Record<
  string,
  { readonly parameters: readonly (keyof Wanted)[]; readonly arrange: (day: ForkDay, wanted: Wanted) => Arranged }
>
