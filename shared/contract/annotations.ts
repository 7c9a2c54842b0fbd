// Keywords of our schemas that describe a value and check nothing. A validator in strict mode must know them.

/**
 * - `x-contract-departure`: how the schema differs from the contract, and why
 * - `x-contract-addition`: a field that the contract does not have, and why it is there
 * - `x-unit`: `nanomina` or `MINA`, on every amount; the form is the schema's `type`. An integer is nanomina whose digits
 *   are exact beyond 2^53. Text in nanomina is decimal digits; text in MINA has nine fractional digits.
 */
export const annotationKeywords = ['x-contract-departure', 'x-contract-addition', 'x-unit'] as const

/** Formats that only name the width of an integer, for generators of clients. */
export const annotationFormats = { int32: true, int64: true } as const
