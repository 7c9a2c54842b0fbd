// The budget of extra calls, so that trouble is not multiplied. Successes credit it, not time: sleep does not refill it.
import type { PoolState } from './state.ts'

const mostTokens = 5
const tokensPerSuccess = 0.1

/** Sums of tenths are not exact. */
const enough = 1 - 1e-9

export const hasBudget = ({ tokens }: PoolState): boolean => tokens >= enough

/** One extra call less. */
export const spent = (state: PoolState): PoolState => ({ ...state, tokens: Math.max(0, state.tokens - 1) })

/** After a success. */
export const credited = (state: PoolState): PoolState => ({
  ...state,
  tokens: Math.min(mostTokens, state.tokens + tokensPerSuccess),
})
