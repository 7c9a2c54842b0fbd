import type { RequestFault } from '../upstream/errors.ts'

/** A parsed body as its endpoint reads it. */
export interface BodyReading {
  /** In a shape that the schema knows; absent if the faults leave nothing to check. */
  readonly body?: unknown
  /** Faults that a schema cannot express. */
  readonly faults: readonly RequestFault[]
  /** A place in `body`, as a JSON Pointer, by the names that the sender used. */
  placeOf(at: string): string
}
