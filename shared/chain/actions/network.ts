// The network of an answer that cannot be given without it.
import { nodeBusy } from '../../upstream/errors.ts'
import type { Network } from '../../upstream/network.ts'
import type { ChainView } from '../port.ts'

/**
 * @param genesisStateHash of the answer that it is needed for
 * @throws WireError `busy` if no node has described the network in time
 */
export async function requiredNetwork(chain: ChainView, genesisStateHash: string): Promise<Network> {
  const network = await chain.networks.of(genesisStateHash)
  if (network === undefined) throw nodeBusy(`no node has described the network of ${genesisStateHash} in time`)
  return network
}
