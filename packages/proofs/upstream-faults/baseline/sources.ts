// The things that an object or a list of an answer stands for, in the answer's order.
import type { ChainBlock, FeeTransfer } from '../../../testnet/block.ts'
import type { QueuedCommand } from '../../../testnet/zkapp-command.ts'
import { at, type JsonObject, number } from '../exact-json.ts'
import {
  ascending,
  blockOf,
  depthOf,
  isOld,
  isPlaced,
  listedBlocks,
  type Place,
  sumOf,
  waiting,
  waitingFor,
} from './place.ts'

/** An indexer has a row for each recipient: transfers via the coinbase first, then by amount and key. */
function mergedTransfers({ feeTransfers }: ChainBlock): readonly JsonObject[] {
  const rows = Map.groupBy(feeTransfers, ({ type, recipient }) => `${type === 'Fee_transfer'} ${recipient}`)
  const merged = [...rows.values()].flatMap(([first, ...others]): readonly FeeTransfer[] =>
    first === undefined ? [] : [{ ...first, fee: sumOf([first, ...others].map(({ fee }) => fee)) }],
  )
  const placeOf = ({ type, fee, recipient }: FeeTransfer) =>
    `${type === 'Fee_transfer'} ${String(fee).padStart(20, '0')} ${recipient}`
  return merged
    .toSorted((left, right) => (placeOf(left) < placeOf(right) ? -1 : 1))
    .map(({ fee, recipient }) => ({ fee: number(String(fee)), recipient }))
}

/** The node's rows in the nearest thing that has such a list. */
const toldIn = ({ told }: Place, ...path: readonly string[]): readonly unknown[] => {
  const found = told.map((one) => at(one, ...path) ?? at(one, path.at(-1) ?? '')).find(Array.isArray)
  return found ?? []
}

const newestFirst = (left: QueuedCommand, right: QueuedCommand): number =>
  right.nonce - left.nonce ||
  (left.from === right.from ? 0 : left.from < right.from ? -1 : 1) ||
  (left.hash < right.hash ? -1 : 1)

/** True for a field that no upstream has of such a thing, or that the answer names as missing. */
export function mayLack(place: Place): boolean {
  const { path, scenario } = place
  const isNamed = scenario.lacks?.split(',').some((name) => path.endsWith(`.${name}`)) === true
  // Only at the top of a history are all blocks the node's own.
  const { history } = scenario
  const isFar = history !== undefined && (history.before !== undefined || depthOf(place) >= listedBlocks)
  const isIndexed = isFar || isOld(place, blockOf(place))
  const isOfZkapp = path.endsWith('.id') && place.around[0]?.kind === 'ZKAPP'
  return (
    isNamed ||
    isOfZkapp ||
    (isIndexed && /\.snarkJobs\.workIds$|ommands?\.id$/.test(path) && !path.startsWith('.pending'))
  )
}

/** The things that an object or a list stands for, in its order, as the node tells of each. */
export const sources: readonly { readonly of: RegExp; from(place: Place): unknown }[] = [
  { of: /^\.transaction\.command$/, from: ({ things, scenario }) => things.command(scenario.transaction?.shows)?.told },
  {
    of: /^\.transaction\.block$/,
    from: (place) => (isPlaced(place) ? place.things.block(blockOf(place).stateHash)?.told : undefined),
  },
  { of: /^\.tip$/, from: ({ things }) => at(things.node, 'tip') },
  { of: /\.searched$/, from: () => ({}) },
  {
    of: /^\.(?:blocks|headers)$/,
    from({ things, path, scenario: { limit = 1, height: below = Number.POSITIVE_INFINITY, view } }) {
      if ((view === 'header') !== path.endsWith('headers')) return undefined
      const blocks = things.chain.bestChain().filter(({ height }) => height < below)
      return blocks
        .slice(-limit)
        .toReversed()
        .map(({ stateHash }) => things.block(stateHash)?.told)
    },
  },
  {
    of: /\.userCommands$/,
    from: (place) => blockOf(place).userCommands.map(({ command }) => place.things.command(command.hash)?.told),
  },
  {
    of: /\.zkappCommands$/,
    from: (place) => blockOf(place).zkappCommands.map(({ hash }) => place.things.command(hash)?.told),
  },
  {
    of: /\.snarkJobs$/,
    from(place) {
      const block = blockOf(place)
      const told = toldIn(place, 'snarkJobs')
      // An indexer begins with the second part.
      const parts = isOld(place, block) ? [2, 1] : [1, 2]
      return parts.flatMap((part) => told.filter((_, index) => block.snarkJobs[index]?.part === part))
    },
  },
  {
    of: /\.feeTransfer$/,
    from: (place) =>
      isOld(place, blockOf(place)) ? mergedTransfers(blockOf(place)) : toldIn(place, 'transactions', 'feeTransfer'),
  },
  { of: /\.workIds$/, from: (place) => [at(place.told[0], 'workIds') ?? []].flat() },
  {
    of: /\.firstPendingTransaction$/,
    from: ({ things, around: [account] }) =>
      waiting(things.chain, String(account?.publicKey))
        .commands.slice(0, 1)
        .map(({ hash }) => things.command(hash)?.told),
  },
  {
    of: /^\.pending$/,
    from({ things: { chain, ...things }, scenario: { history } }) {
      if (history?.before !== undefined) return undefined
      const commands = [...chain.pool(history?.publicKey), ...chain.zkappPool(history?.publicKey)]
      const newestFirst = commands.toSorted((left, right) => right.nonce - left.nonce)
      return newestFirst.map(({ hash }) => ({ command: things.command(hash)?.told }))
    },
  },
  {
    of: /^\.transactions$/,
    from({ things, scenario: { history }, around: [body] }) {
      const searched = (end: string) => Number(JSON.stringify(at(body, 'searched', end)))
      const blocks = things.chain
        .bestChain()
        .filter(({ height }) => height >= searched('fromHeight') && height <= searched('toHeight'))
        .toReversed()
      const isOwn = (of: string) => history?.truth.some(({ hash }) => hash === of)
      return blocks.flatMap(({ stateHash, userCommands, zkappCommands }) =>
        [...userCommands.map(({ command }) => command), ...zkappCommands]
          .filter(({ hash }) => isOwn(hash))
          .toSorted(newestFirst)
          .map(({ hash }) => ({ command: things.command(hash)?.told, block: things.block(stateHash)?.told })),
      )
    },
  },
  {
    of: /^\.commands$/,
    from: (place) =>
      waitingFor(place)
        .toSorted((left, right) => ascending(right.fee, left.fee) || (left.hash < right.hash ? -1 : 1))
        .map(({ hash }) => place.things.command(hash)?.told),
  },
]
