// The settings of each upstream.
import type { Credential } from '../upstreams/credential.ts'

/** One GraphQL upstream. */
export interface Upstream {
  readonly url: string
  /** Sent with each request, an API key say. */
  readonly headers: Readonly<Record<string, string>>
  /** A key that is stored elsewhere and sent with each request. */
  readonly credential?: Credential
  /** For one call, its answer's body included. */
  readonly timeoutMs: number
  /** For a call that walks a ledger; `timeoutMs` where it is not set. */
  readonly slowTimeoutMs?: number
}

/** One of several nodes. */
export interface NodeUpstream extends Upstream {
  /** For logs: the host, and a number where several nodes have the same one. */
  readonly name: string
  /** Several nodes answer at this address in turn. */
  readonly sharedAddress: boolean
}

export interface NodeSettings {
  /** The only node, or the first of several. */
  readonly node: Upstream
  /** All nodes; absent where there is only one address, behind which there may be several. */
  readonly nodes?: readonly NodeUpstream[]
}
