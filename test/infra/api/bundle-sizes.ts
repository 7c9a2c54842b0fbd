/**
 * The accepted size of each function's bundle, in bytes. A bundle may grow by a tenth; to accept more, write the new size
 * here.
 */
export const acceptedBytes: Readonly<Record<string, number>> = {
  broadcastTransaction: 59_484,
  broadcastDelegation: 107_768,
  getBlocks: 34_402,
  getBlock: 44_865,
  getAccount: 43_495,
  getSummary: 31_364,
}

/** @returns the largest size in bytes that the bundle of an endpoint may have; NaN for one without a figure */
export const largestBytes = (endpointName: string): number => Math.floor((acceptedBytes[endpointName] ?? NaN) * 1.1)
