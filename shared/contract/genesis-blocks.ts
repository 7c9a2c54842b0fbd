// The genesis blocks of mainnet's chains before Mesa, by state hash: a mina-indexer has separate rules for each.

export const firstMainnetGenesis = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'

export const berkeleyGenesis = '3NK4BpDSekaqsG6tx8Nse2zJchRft2JpnbvMiog55WCr5xJZaKeP'
