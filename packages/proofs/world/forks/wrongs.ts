/** The faults that an answer can have on the day of a hard fork, beside all that can be wrong on any other day. */
export const wrongInForks = [
  'of a dead chain',
  'false canonical',
  'history lost',
  'kept too long',
  'pause not told',
  'read failed',
] as const
export type WrongInFork = (typeof wrongInForks)[number]
