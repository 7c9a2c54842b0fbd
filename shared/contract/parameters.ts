// Parameters of requests, and sample values of path parameters for heartbeat, doctor, examples, greeting and tests.
import { heightForm } from './forms.ts'
import { documented } from './query/kinds.ts'

/** A path parameter, which arrives as text. Its endpoint says which texts it takes. */
export interface ParameterSchema {
  readonly type: 'string'
  readonly description: string
  /** The schema for people and generated clients, if it is not any text. */
  readonly documented?: { readonly type: string } & Readonly<Record<string, unknown>>
}

/** Contract gap: the formats are not shown. */
export const pathParameters = {
  state_hash: { type: 'string', description: 'State hash: base58check, 52 characters, 3N…' },
  public_key: { type: 'string', description: 'Public key: base58check, 55 characters, B62…' },
  hash: { type: 'string', description: 'Transaction hash: base58check, 52 characters, 5J…; before June 2024 53, Ckp…' },
  height: {
    type: 'string',
    description: 'Height, counted over hard forks: digits without leading zeros',
    documented: { type: 'integer', format: 'int64', minimum: heightForm.min, maximum: heightForm.max },
  },
  cursor: {
    type: 'string',
    description: 'A block by its height and its state hash, HEIGHT-STATEHASH: any that the caller has, or `next`',
    documented: documented.cursor({ kind: 'cursor' }),
  },
} as const satisfies Readonly<Record<string, ParameterSchema>>

type PathParameter = keyof typeof pathParameters

/** A value for each path parameter. */
export type PathValues = Readonly<Record<PathParameter, string>>

/** JSON pointers into an answer of `GET /blocks`: they lead to the value of a path parameter, or to its parts. */
export const pointersInBlocks = {
  state_hash: ['/blocks/0/stateHash'],
  public_key: ['/blocks/0/creator'],
  hash: ['/blocks/0/transactions/userCommands/0/hash'],
  height: ['/blocks/0/blockHeight'],
  cursor: ['/blocks/0/blockHeight', '/blocks/0/stateHash'],
} as const satisfies Readonly<Record<PathParameter, readonly string[]>>

type SomePathValues = Readonly<Record<PathParameter, string | undefined>>

/**
 * Of the right form and checksum, so that a node is asked on any network: the zero hash, which no block or command can
 * have, the zero key, which cannot sign, and a height that no chain reaches. Below a cursor of height 1 there is
 * nothing on any network.
 */
export const unheldValues = {
  state_hash: '3NK2tkzqqK5spR2sZ7tujjqPksL45M3UUrcA4WhCkeiPtnugyE2x',
  public_key: 'B62qiTKpEPjGTSHZrtM8uXiKgn8So916pLmNJKDhKeyBQL9TDb3nvBG',
  hash: '5JtVQKsT6jBdWKdscCzm4a1JzuUdBwQ3jzX3fyqkvgpraPizUzqw',
  height: String(heightForm.max),
  cursor: '1-3NK2tkzqqK5spR2sZ7tujjqPksL45M3UUrcA4WhCkeiPtnugyE2x',
} as const satisfies PathValues

/** Malformed, so that the answer is 404 on any network, and 400 for a cursor. */
export const impossibleValues = {
  state_hash: 'unknown',
  public_key: 'unknown',
  hash: 'unknown',
  height: 'unknown',
  cursor: 'unknown',
} as const satisfies PathValues

/** The values of a request that is answered with 404; a history is a 404 only for a malformed key. */
export const missingValues = ({ isMalformed = false }: { readonly isMalformed?: boolean }): PathValues =>
  isMalformed ? impossibleValues : unheldValues

export interface NamedInBlock {
  readonly stateHash: string
  readonly creator: string
  readonly transactionHash: string
  readonly blockHeight: number
}

/** Values that a chain holds, as far as they are known. */
export function heldValues(named: NamedInBlock): PathValues
export function heldValues(named: Partial<NamedInBlock>): SomePathValues
export function heldValues(named: Partial<NamedInBlock>): SomePathValues {
  const { stateHash, creator, transactionHash, blockHeight } = named
  const height = blockHeight?.toString()
  const cursor = height === undefined || stateHash === undefined ? undefined : `${height}-${stateHash}`
  return { state_hash: stateHash, public_key: creator, hash: transactionHash, height, cursor }
}

const isPathParameter = (name: string): name is PathParameter => Object.hasOwn(pathParameters, name)

/**
 * @param path of an endpoint: `/blocks/{state_hash}`
 * @throws Error for a parameter that has no row here
 */
export const parametersOf = (path: string): readonly PathParameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    if (!isPathParameter(name)) throw new Error(`shared/contract/parameters.ts has no ${name}, which ${path} takes`)
    return name
  })

/**
 * @returns the path of an endpoint with its values in place of the parameters; undefined if one is missing
 * @example
 * filledPath('/blocks/{state_hash}', unheldValues) // '/blocks/3NK2tkzqqK5spR2sZ7tujjqPksL45M3UUrcA4WhCkeiPtnugyE2x'
 */
export function filledPath(path: string, values: PathValues): string
export function filledPath(path: string, values: SomePathValues): string | undefined
export function filledPath(path: string, values: SomePathValues) {
  const names = parametersOf(path)
  if (names.some((name) => values[name] === undefined)) return undefined
  return names.reduce((filled, name) => filled.replace(`{${name}}`, values[name] ?? ''), path)
}

/** A value in the type that its documentation gives it. */
export const documentedValue = (
  { documented }: ParameterSchema,
  text: string | undefined,
): string | number | undefined => (text !== undefined && documented?.type === 'integer' ? Number(text) : text)

/** A query as part of an address, its `?` included; empty without one. */
export const queryText = (query: Readonly<Record<string, string | number>> = {}): string => {
  const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
