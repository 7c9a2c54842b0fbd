// The requests that are put to the service while an upstream misbehaves.
import type { SignedRequest, TwinChains } from './twin-chains.ts'

export type EndpointName =
  | 'getBlocks'
  | 'getBlock'
  | 'getAccount'
  | 'getSummary'
  | 'broadcastTransaction'
  | 'broadcastDelegation'

export interface Scenario {
  readonly name: string
  readonly endpoint: EndpointName
  /** How many blocks are asked for. */
  readonly limit?: number
  readonly stateHash?: string
  readonly publicKey?: string
  readonly signed?: SignedRequest
  /** Every answer to the mutation says nothing, so that the command has to be looked for. */
  readonly isMutationSilent?: true
  /** The upstreams follow the chain before the Berkeley fork. */
  readonly isBeforeBerkeley?: true
}

/** One or more for each route, so that each of its questions is put. */
export const scenariosOf = (chains: TwinChains): readonly Scenario[] => [
  { name: 'latest blocks', endpoint: 'getBlocks', limit: 3 },
  { name: 'block', endpoint: 'getBlock', stateHash: chains.frontierHash },
  { name: 'fork block', endpoint: 'getBlock', stateHash: chains.forkHash },
  { name: 'old block', endpoint: 'getBlock', stateHash: chains.oldHash },
  { name: 'genesis block', endpoint: 'getBlock', stateHash: chains.genesisHash },
  { name: 'block before Berkeley', endpoint: 'getBlock', stateHash: chains.grossHash, isBeforeBerkeley: true },
  { name: 'unknown block', endpoint: 'getBlock', stateHash: chains.strangeHash },
  { name: 'account', endpoint: 'getAccount', publicKey: chains.richKey },
  { name: 'timed account', endpoint: 'getAccount', publicKey: chains.timedKey },
  { name: 'unknown account', endpoint: 'getAccount', publicKey: chains.strangeKey },
  { name: 'summary', endpoint: 'getSummary' },
  { name: 'payment', endpoint: 'broadcastTransaction', signed: chains.payment },
  { name: 'payment, looked for', endpoint: 'broadcastTransaction', signed: chains.payment, isMutationSilent: true },
  { name: 'delegation', endpoint: 'broadcastDelegation', signed: chains.delegation },
  {
    name: 'delegation, looked for',
    endpoint: 'broadcastDelegation',
    signed: chains.delegation,
    isMutationSilent: true,
  },
  { name: 'unaffordable payment', endpoint: 'broadcastTransaction', signed: chains.unaffordable },
]
