/**
 * The lowest fee that a daemon accepts, in nanomina: 0.001 MINA. No query shows it; a daemon names it when it refuses a
 * command: "Fee 0.0001 is less than the minimum fee, 0.001."
 */
export const minimumFee = 1_000_000n
