// Amounts of nanomina and the MINA token, as the contract shows them.

const nanominaPerMina = 1_000_000_000n

/** Text of a MINA amount with exactly nine fractional digits: `minaDecimal(1500000000n)` is `1.500000000`. */
export const minaDecimal = (nanomina: bigint): string =>
  `${nanomina / nanominaPerMina}.${String(nanomina % nanominaPerMina).padStart(9, '0')}`

/** A JSON number with exactly these digits: a number if that is exact, else the bigint itself. */
export const jsonInteger = (integer: bigint): number | bigint => {
  const number = Number(integer)
  return Number.isSafeInteger(number) ? number : integer
}

/** True for an integer that the contract's numbers hold, which are int64: typed readers refuse a larger one. */
export const fitsInt64 = (integer: bigint): boolean => BigInt.asIntN(64, integer) === integer

/** The id of the MINA token: base58check since the Berkeley fork, a number before. */
const minaToken = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'

/** Compares text by text: ten full blocks have 8,000 token ids, and a look-up in a list takes five times as long for each. */
export const isMinaToken = (tokenId: string): boolean => tokenId === minaToken || tokenId === '1'

/** MINA in the contract's number fields. */
export const minaTokenNumber = 1
