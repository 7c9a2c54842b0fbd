// A request that is put to the service while an upstream misbehaves.
import type { EndpointName } from '../../../shared/endpoints/all.ts'
import type { SignedRequest } from './twin-chains.ts'

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
