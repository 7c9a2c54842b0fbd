// The name of a node's network, for a sender whose signature is wrong.
import { WireError } from '../../upstream/errors.ts'
import { dataOf } from '../../upstream/node-query.ts'
import { operation } from '../../upstream/operation.ts'
import type { Deadline, NodePort } from '../../upstream/query.ts'
import { networkId, shape } from '../../upstream/wire.ts'

export const networkNameQuery = operation('node', 'query', 'networkName', '', shape({ networkID: networkId }), {
  needsNoTip: true,
})

/** The answer has its reason already, and is not held up long for a name. */
const maxNameMs = 1000

/** The name as the node has it, such as `mina:mainnet`; undefined where it gives none in time. */
export async function askNetworkName(
  { query }: NodePort,
  { timeLeftMs }: Pick<Deadline, 'timeLeftMs'>,
): Promise<string | undefined> {
  try {
    const reply = await query(networkNameQuery, {}, { limitMs: Math.min(maxNameMs, timeLeftMs()), isRepeat: true })
    return dataOf(networkNameQuery, {}, reply).networkID
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}
