// A key's activity in blocks.
import type { ChainBlock } from './block.ts'
import type { ZkappCommand } from './zkapp-command.ts'

/** Numbers of things, failed commands and zkApp commands too. */
export interface Activity {
  /** Made by the key. */
  readonly blocks: number
  /** Proved by the key. */
  readonly snarkJobs: number
  /** Sent or received; from a key to itself counts once, a zkApp command once for each update of the key. */
  readonly userCommands: number
}

export const noActivity: Activity = { blocks: 0, snarkJobs: 0, userCommands: 0 }

const count = <T>(items: readonly T[], fits: (item: T) => boolean): number =>
  items.reduce((sum, item) => sum + (fits(item) ? 1 : 0), 0)

/** The keys of a zkApp command, each as often as an update names it; its fee payer at least once. */
function partiesOf({ from, updates }: ZkappCommand): readonly string[] {
  const updated = updates.map(({ publicKey }) => publicKey)
  return updated.includes(from) ? updated : [from, ...updated]
}

/** The activity of one key in one block. */
export const activityIn = (block: ChainBlock, publicKey: string): Activity => ({
  blocks: block.creator === publicKey ? 1 : 0,
  snarkJobs: count(block.snarkJobs, ({ prover }) => prover === publicKey),
  userCommands:
    count(block.userCommands, ({ command: { from, to } }) => from === publicKey || to === publicKey) +
    count(block.zkappCommands.flatMap(partiesOf), (party) => party === publicKey),
})

export const addedUp = (one: Activity, other: Activity): Activity => ({
  blocks: one.blocks + other.blocks,
  snarkJobs: one.snarkJobs + other.snarkJobs,
  userCommands: one.userCommands + other.userCommands,
})

/** Adds a block to the sums of all keys that it names. */
export function addActivity(sums: Map<string, Activity>, block: ChainBlock): void {
  const { creator, snarkJobs, userCommands, zkappCommands } = block
  const parties = [
    ...userCommands.flatMap(({ command: { from, to } }) => [from, to]),
    ...zkappCommands.flatMap(partiesOf),
  ]
  for (const publicKey of new Set([creator, ...snarkJobs.map(({ prover }) => prover), ...parties])) {
    sums.set(publicKey, addedUp(sums.get(publicKey) ?? noActivity, activityIn(block, publicKey)))
  }
}
