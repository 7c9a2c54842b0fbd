// The name of a node's network, for a sender whose signature is wrong.
import { operation } from '../../upstream/operation.ts'
import { networkId, shape } from '../../upstream/wire.ts'
import type { Exchange } from '../port.ts'

export const networkNameQuery = operation('node', 'query', 'networkName', '', shape({ networkID: networkId }), {
  needsNoTip: true,
})

/** The answer has its reason already, and is not held up long for a name. */
const maxNameMs = 1000

/** The name as the node has it, such as `mina:mainnet`; undefined where it gives none in time. */
export async function askNetworkName(exchange: Exchange, node: number): Promise<string | undefined> {
  const { name, data } = networkNameQuery
  const outcome = await exchange.call(node, networkNameQuery, {}, { limitMs: maxNameMs, isRepeat: true })
  return outcome.kind === 'answer' ? data.read(outcome.data, name).networkID : undefined
}
