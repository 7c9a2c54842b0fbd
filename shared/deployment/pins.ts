// The networks that a stage pins by their genesis blocks.

/** A fork is announced with one pin more; nobody needs to name a chain before the last few. */
export const maxPins = 5

/**
 * Genesis blocks of chains of the public networks that a hard fork has ended, with the day of its end. Those of the chains
 * since then are for a node to say: the doctor prints them.
 */
export const retiredGenesisBlocks: Readonly<Record<string, string>> = {
  '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ': 'mainnet until 2024-06-04',
  '3NK4BpDSekaqsG6tx8Nse2zJchRft2JpnbvMiog55WCr5xJZaKeP': 'mainnet until 2026-09-03',
  '3NL93SipJfAMNDBRfQ8Uo8LPovC74mnJZfZYB5SK7mTtkL72dsPx': 'devnet until 2026-08-19',
}

/** @returns the network and the day, if the last pin is of a chain that has ended */
export const retiredPin = (pins: readonly string[] | null): string | undefined =>
  retiredGenesisBlocks[pins?.at(-1) ?? '']
