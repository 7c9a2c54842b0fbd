// Facts of a healthy node, which a test may change.
import type { NodeFacts, NodeStatus, Tip } from '../../../../tools/doctor/upstreams/node-facts.ts'

export const now = Date.UTC(2026, 0, 1)
export const chainId = 'a7'.repeat(32)

export const tip: Tip = {
  stateHash: '3Ntip',
  creator: 'B62creator',
  height: 1000,
  date: now - 400_000,
  stakingLedgerHash: 'jxLedger',
  nextLedgerHash: 'jxNext',
  genesisStateHash: '3Ngenesis',
}

const status: NodeStatus = {
  chainId,
  syncStatus: 'SYNCED',
  consensusConfiguration: { slotDuration: 90_000 },
  consensusTimeNow: { startTime: now - 40_000, endTime: now + 50_000 },
}

/** @param changes to the status that the node reports */
export function healthyNode(changes: Partial<NodeStatus> = {}): NodeFacts {
  const daemonStatus = { ...status, ...changes }
  const { startTime: from, endTime: to } = daemonStatus.consensusTimeNow
  return {
    isRust: false,
    status: { state: 'answered', data: { daemonStatus }, tookMs: 12 },
    network: 'mina:mainnet',
    tip,
    clocks: [{ askedAt: now - 20, answeredAt: now, from, to, source: 'its current slot' }],
  }
}
