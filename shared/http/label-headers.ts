/** The headers that show on which tip of which chain an answer rests, and how its node is connected. */
export const labelHeaders = {
  height: 'x-chain-height',
  stateHash: 'x-chain-state-hash',
  /** ISO-8601 time of the tip. */
  time: 'x-chain-time',
  syncStatus: 'x-node-sync',
} as const
