// The headers in which an answer names the tip that it rests on.

/** The tip of the chain on which an answer rests. */
export interface ChainLabel {
  readonly height: number
  readonly stateHash: string
  /** ISO-8601 */
  readonly time: string
  /** The node's connection to its network: `SYNCED`, `CATCHUP` … */
  readonly nodeSync: string | undefined
}

/** @returns undefined if no node was asked, or if somebody on the way has dropped the headers */
export function chainLabelOf(header: (name: string) => string | undefined): ChainLabel | undefined {
  const height = Number.parseInt(header('x-chain-height') ?? '', 10) || 0
  const stateHash = header('x-chain-state-hash')
  const time = header('x-chain-time')
  return height && stateHash && time ? { height, stateHash, time, nodeSync: header('x-node-sync') } : undefined
}
