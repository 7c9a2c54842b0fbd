// The words of `x-broadcast-code`: why a broadcast was not answered with 201. docs/broadcasting.md says what to do on each.

/**
 * What a client can do:
 * - `permanent`: no time, block or other node changes it; refused without looking for the command
 * - `retriable`: sending the same signed command again later can succeed
 * - `final`: as things are, only another command can succeed
 */
type BroadcastCodeClass = 'permanent' | 'retriable' | 'final'

export const broadcastCodes = {
  'bad-nonce': 'retriable',
  'insufficient-funds': 'retriable',
  'invalid-signature': 'permanent',
  'fee-too-low': 'final',
  'replace-fee-too-low': 'final',
  expired: 'final',
  duplicate: 'retriable',
  'memo-too-long': 'permanent',
  /** The signature does not fit the memo, whose bytes may have been replaced on the way here. */
  'memo-damaged': 'retriable',
  'sender-unknown': 'retriable',
  'sender-not-permitted': 'final',
  overflow: 'final',
  'bad-token': 'final',
  'unwanted-fee-token': 'final',
  'pool-overloaded': 'retriable',
  /** Before a hard fork, every node refuses every command for hours. */
  'network-paused': 'retriable',
  /** Also for a body that was refused before submission. */
  'invalid-request': 'permanent',
  'node-unreachable': 'retriable',
  timeout: 'retriable',
  other: 'final',
} as const satisfies Readonly<Record<string, BroadcastCodeClass>>

export type BroadcastCode = keyof typeof broadcastCodes

/** Reasons that a node gives. The others are ours. */
export type RefusalCode = Exclude<BroadcastCode, 'memo-damaged' | 'node-unreachable' | 'timeout'>
