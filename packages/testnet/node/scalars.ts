// The daemon's input scalars: the keys, tokens and unsigned integers that it accepts.
import { GraphQLScalarType, valueFromASTUntyped } from 'graphql'
import { isPublicKey } from '../../../shared/mapping/base58check.ts'
import { minaToken } from '../zkapp-command.ts'

/** A scalar that is read in the same way from a variable and from a literal in the document. */
function inputScalar<T>(name: string, parse: (value: unknown) => T | undefined): GraphQLScalarType {
  const read = (value: unknown): T => {
    const parsed = parse(value)
    if (parsed === undefined) throw new TypeError(`Invalid format for ${name}.`)
    return parsed
  }
  return new GraphQLScalarType({
    name,
    serialize: String,
    parseValue: read,
    parseLiteral: (node, variables) => read(valueFromASTUntyped(node, variables)),
  })
}

/** Reads canonical decimal text, or a JSON number that is an exact non-negative integer. */
function unsigned(value: unknown, bits: bigint): bigint | undefined {
  const digits = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof digits !== 'string' || !/^(?:0|[1-9]\d{0,19})$/.test(digits)) return undefined
  const integer = BigInt(digits)
  return integer < 1n << bits ? integer : undefined
}

/** Keys and tokens are parsed to text, `UInt64` to bigint, `UInt32` to number. */
export const inputScalars: readonly GraphQLScalarType[] = [
  inputScalar('PublicKey', (value) => (typeof value === 'string' && isPublicKey(value) ? value : undefined)),
  // Before June 2024 the token id was the number 1, and a daemon still accepts it.
  inputScalar('TokenId', (value) => (value === '1' ? minaToken : typeof value === 'string' ? value : undefined)),
  inputScalar('UInt32', (value) => {
    const integer = unsigned(value, 32n)
    return integer === undefined ? undefined : Number(integer)
  }),
  inputScalar('UInt64', (value) => unsigned(value, 64n)),
]
