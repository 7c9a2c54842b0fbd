// One moment on the two clocks of an instance.

/** Every rule takes both clocks together, so that they cannot be confused. */
export interface Instant {
  /** An instance's lasting time, for all that it remembers: never goes back, and continues while it is frozen. */
  readonly nowMs: number
  /** The wall clock, milliseconds since 1970, by which the ages of tips are judged. It may be wrong. */
  readonly wallMs: number
}

/** The time of what has not happened: before every other. */
export const never = Number.NEGATIVE_INFINITY
