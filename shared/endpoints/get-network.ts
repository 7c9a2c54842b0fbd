import { ask } from '../chain/actions/ask.ts'
import { requiredNetwork } from '../chain/actions/network.ts'
import { askSignatureKind, signatureKindQuery } from '../chain/actions/network-name.ts'
import type { getNetworkContract } from '../contract/endpoints/get-network.ts'
import { doubtfulEmptySlots } from '../contract/tip-age.ts'
import { briefStaleness, failureCaching } from '../http/answer-headers.ts'
import { withMissingFields } from '../indexer/indexed.ts'
import { minimumFee } from '../mapping/minimum-fee.ts'
import { nodeBusy } from '../upstream/errors.ts'
import { networkQuery } from '../upstream/network.ts'
import { nodeQuery, nonEmptyChain, tipOf } from '../upstream/node-query.ts'
import { consistent, nanomina, networkId, shape } from '../upstream/wire.ts'
import type { Endpoint } from './endpoint.ts'

/** A node names the protocol before the network, as in `mina:mainnet`. */
const nameIn = (networkID: string): string => networkID.slice(networkID.lastIndexOf(':') + 1)

const namesAndAmounts = nodeQuery('namesAndAmounts', '', {
  genesisConstants: shape({ accountCreationFee: nanomina, coinbase: nanomina }),
  networkID: consistent(networkId, (networkID) => nameIn(networkID) !== ''),
})

const caching = {
  steady: { maxAgeSeconds: 60, ...briefStaleness, when: 'no hard fork is in sight' },
  changing: {
    maxAgeSeconds: 1,
    ...briefStaleness,
    when: `several networks are pinned, or the tip is more than ${doubtfulEmptySlots} slots old: a hard fork may be on its way`,
  },
}

/** GET /network: what a client needs to sign for the network and to count its slots. */
export const getNetwork: Endpoint<typeof getNetworkContract, object> = {
  name: 'getNetwork',
  method: 'GET',
  path: '/network',
  tag: 'blockchain',
  summary: 'Network and its constants',
  caching: { 200: caching, '5xx': { failure: failureCaching } },
  operations: [namesAndAmounts, networkQuery, signatureKindQuery],

  input: () => ({}),

  async run(_input, chain) {
    chain.networks.start()
    const { data: node, node: index } = await ask(chain, namesAndAmounts, {})
    const { genesisBlock, genesisConstants, networkID } = node
    const [kind, { chainId, constants }] = await Promise.all([
      askSignatureKind(chain, index),
      requiredNetwork(chain, genesisBlock.stateHash),
    ])
    if (constants === undefined) throw nodeBusy('no node says the constants of its network')
    const { k, slotMs, slotsPerEpoch } = constants
    const tipAtMs = tipOf(nonEmptyChain(node.bestChain)).protocolState.blockchainState.date
    const isTipOld = chain.wallMs() - tipAtMs > doubtfulEmptySlots * slotMs
    const mayChange = chain.expectsFork || isTipOld
    const body = {
      networkName: nameIn(networkID),
      ...(kind?.name !== undefined && { signatureKind: kind.name }),
      chainId,
      genesisStateHash: genesisBlock.stateHash,
      k,
      slotDurationMs: slotMs,
      slotsPerEpoch,
      coinbase: String(genesisConstants.coinbase),
      accountCreationFee: String(genesisConstants.accountCreationFee),
      minimumFee: String(minimumFee),
    }
    const answer = { status: 200, body, caching: mayChange ? caching.changing : caching.steady } as const
    const missing =
      kind === undefined ? [{ fields: ['signatureKind'], reason: 'the node does not say what to sign for' }] : []
    return withMissingFields(answer, missing, caching.changing)
  },
}
