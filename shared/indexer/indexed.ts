// The optional upstream: what it adds, and how an answer says that something is missing.
import type { CachePolicy } from '../agreements/caching.ts'
import type { Success } from '../endpoints/endpoint.ts'
import { WireError, type WireFault } from '../upstream/errors.ts'
import type { Operation } from '../upstream/operation.ts'
import type { EndpointContext } from '../upstream/query.ts'
import { queryData } from '../upstream/reply.ts'
import type { Variables } from '../upstream/wire.ts'

/** A value that should have come, and did not. */
export interface Missing {
  readonly state: 'missing'
  readonly fault: WireFault
  readonly reason: string
}

type Attempted<T> = { readonly state: 'known'; readonly value: T } | Missing

/** What the indexer contributed, or why it did not. */
export type Indexed<T> = Attempted<T> | { readonly state: 'unconfigured' }

/**
 * Turns indexer trouble into a value.
 *
 * @param task may throw WireError
 * @throws whatever else the task throws: that is our own fault
 */
export async function attempt<T>(task: () => Promise<T>): Promise<Attempted<T>> {
  try {
    return { state: 'known', value: await task() }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return { state: 'missing', fault: error.fault, reason: error.message }
  }
}

/** Asks the indexer, where there is one; its trouble comes back as a value. */
export async function queryIndexer<Data>(
  { configured, query }: EndpointContext,
  operation: Operation<Data>,
  variables: Variables,
): Promise<Indexed<Data>> {
  return configured.indexer ? attempt(() => queryData(query, operation, variables)) : { state: 'unconfigured' }
}

/** Fields that the indexer should have given and did not. */
export interface MissingFields {
  readonly fields: readonly string[]
  readonly reason: string
}

/**
 * An answer that names its missing fields.
 *
 * @param caching of an incomplete answer
 */
export function withMissingFields<Body>(
  answer: Success<Body>,
  missing: readonly MissingFields[],
  caching: CachePolicy,
): Success<Body> {
  if (missing.length === 0) return answer
  // The complete answer has the basis, and a caller must not keep this one in its place.
  const { basis, ...incomplete } = answer
  return {
    ...incomplete,
    caching,
    headers: { ...answer.headers, 'x-missing-fields': missing.flatMap(({ fields }) => fields).join(',') },
    note: missing.map(({ reason }) => reason).join('; '),
  }
}

/** Where the body of a complete answer comes from, if the node gives its main part. */
export const sourceOf = ({ indexer }: EndpointContext['configured']): 'node' | 'node and indexer' =>
  indexer ? 'node and indexer' : 'node'
