// A request that is put to the service while an upstream misbehaves.
import type { EndpointName } from '../../../../shared/endpoints/all.ts'
import type { AskedTransaction } from './fates.ts'
import type { AskedHistory } from './histories.ts'
import type { SignedRequest } from './twin-chains.ts'

export interface Scenario {
  readonly name: string
  readonly endpoint: EndpointName
  /** The number of blocks. */
  readonly limit?: number
  /** Blocks whole by default. */
  readonly view?: 'header'
  readonly stateHash?: string
  readonly height?: number
  readonly publicKey?: string
  /** Whose waiting commands are asked for. */
  readonly account?: string
  readonly transaction?: AskedTransaction
  readonly history?: AskedHistory
  readonly signed?: SignedRequest
  /** Of the answer without a fault; 200 by default, and 201 to a signed command. */
  readonly status?: number
  /** The seconds for which caches keep that answer, where the endpoint keeps others longer. */
  readonly keptSeconds?: number
  /** The fields that it names as missing. */
  readonly lacks?: string
  /** Only an indexer can answer: its trouble is a failure of the request. */
  readonly needsIndexer?: boolean
  /** Every answer to the mutation is empty, so that the service has to look for the command. */
  readonly isMutationSilent?: true
  /** The service's clock, milliseconds since 1970; the machine's by default. */
  readonly nowMs?: number
  /** The upstreams follow the chain before the Berkeley fork. */
  readonly isBeforeBerkeley?: true
}
