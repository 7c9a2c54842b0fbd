// The optional upstream: what it adds, and how an answer says that something is missing.
import type { Answer, Ask } from './endpoint.ts'
import { WireError, type WireFault } from './errors.ts'
import type { Operation } from './mapping/wire.ts'
import { dataOf } from './reply.ts'

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
export async function indexed<T>(task: () => Promise<T>): Promise<Attempted<T>> {
  try {
    return { state: 'known', value: await task() }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return { state: 'missing', fault: error.fault, reason: error.message }
  }
}

/** Asks the indexer, where there is one; its trouble comes back as a value. */
export async function askIndexer<Data>(
  ask: Ask,
  operation: Operation<Data>,
  variables: Readonly<Record<string, unknown>>,
): Promise<Indexed<Data>> {
  if (!ask.hasIndexer) return { state: 'unconfigured' }
  return indexed(async () => dataOf(operation, variables, await ask(operation, variables)))
}

/** Fields that an answer lacks although an indexer is there to give them. */
export interface Lack {
  readonly fields: readonly string[]
  readonly reason: string
}

/** An answer that names what it lacks, and that caches forget at once. */
export function lacking(answer: Answer, lacks: readonly Lack[]): Answer {
  if (lacks.length === 0) return answer
  return {
    ...answer,
    maxAgeSeconds: 1,
    headers: { ...answer.headers, 'x-missing-fields': lacks.flatMap(({ fields }) => fields).join(',') },
    note: lacks.map(({ reason }) => reason).join('; '),
  }
}
