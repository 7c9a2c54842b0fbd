// The network that the nodes are on, as a daemon describes it: a slow question, so its answer is kept for ten minutes.
import { networkQuery } from '../../upstream/node-query.ts'
import type { NetworkDescription } from '../network-state.ts'
import type { Exchange } from '../port.ts'
import { ask } from './ask.ts'

/** @throws WireError when no node says */
export async function network(exchange: Exchange): Promise<Pick<NetworkDescription, 'chainId' | 'slotDurationMs'>> {
  if (exchange.network?.isFresh) return exchange.network
  const { daemonStatus } = (await ask(exchange, networkQuery, {})).data
  return {
    chainId: daemonStatus.chainId,
    slotDurationMs: daemonStatus.consensusConfiguration?.slotDuration,
  }
}
