// The settings of a stage that a function reads, as rows in `shared/deployment/stage-settings.ts`: the field of each kind
// in a stage file, and its text in the function's variable.
import { z } from 'zod'
import { chainIdForm, maxPins } from '../../shared/deployment/pins.ts'
import {
  type Row,
  type RowsByName,
  type StageSettingName,
  settingWords,
  stageRows,
} from '../../shared/deployment/stage-settings.ts'
import { isStateHash } from '../../shared/mapping/base58check.ts'
import { type Credential, credential } from './credential.ts'
import { indexerList } from './indexer-list.ts'
import { descriptions, graphqlUrl, headers, listFrom, optional, trueOrFalse, wholeNumber } from './kinds.ts'
import { nodeList } from './node-list.ts'

const genesisBlocks = z
  .preprocess(listFrom, z.array(z.string().refine(isStateHash)).min(1).max(maxPins))
  .refine((pins) => new Set(pins).size === pins.length)
  .register(descriptions, {
    wants: `the state hash of the network's genesis block, which \`doctor\` prints: nodes of another network are not used, unless all name one possible successor; before a hard fork a list, oldest first, of at most ${maxPins}, each once, in a variable separated by commas`,
    example: [
      '3NKMm4LzpDEAp8ZqDdYxH5Hgd4Fb2fMR1cSz6mfJdwKeKjghCzWS',
      '3NKsU2tSaeru4Eypyt7McBmeLDcFgo1cYwPLK1g93jUrLi13K29c',
    ],
  })

const chainIds = z
  .preprocess(listFrom, z.array(z.string().regex(chainIdForm)).min(1).max(maxPins))
  .register(descriptions, {
    wants:
      "the network's chain id, 64 hexadecimal digits, which `doctor` prints: nodes of another one are not used; a list as long as that of genesisStateHash, in its order, in a variable separated by commas",
    example: ['0123456789abcdef'.repeat(4)],
  })

/** `{ header, secret }`, or with `parameter` instead. */
const named = ({ header, secret, parameter }: Credential): object =>
  secret === null ? { header, parameter } : { header, secret }

const hasAny = (fields: object): boolean => Object.keys(fields).length > 0

const textOfNodes = (nodes: z.infer<typeof nodeList>): string =>
  JSON.stringify(
    nodes.map(({ graphqlUrl, headers, credential, sharedAddress }) => ({
      graphqlUrl,
      ...(hasAny(headers) && { headers }),
      ...(credential !== null && { credential: named(credential) }),
      ...(sharedAddress && { sharedAddress }),
    })),
  )

type Kind = Row['kind']
type RowOf<K extends Kind> = Extract<Row, { readonly kind: K }>

interface StackKind<K extends Kind, Field extends z.ZodType> {
  field(row: RowOf<K>, words: string): Field
  /** Undefined where the function reads the same from an absent variable. */
  text(value: z.infer<Field>, row: RowOf<K>): string | undefined
}

const kind = <K extends Kind, Field extends z.ZodType>(
  field: StackKind<K, Field>['field'],
  text: StackKind<K, Field>['text'],
): StackKind<K, Field> => ({ field, text })

const kinds = {
  switch: kind(
    (row: RowOf<'switch'>, words) => trueOrFalse(words).default(row.default),
    (value, row) => (value === row.default ? undefined : String(value)),
  ),
  wholeNumber: kind((row: RowOf<'wholeNumber'>, words) => wholeNumber(row.range, words).default(row.default), String),
  headers: kind(
    (row: RowOf<'headers'>, words) => headers(words).default(row.default),
    (value) => (hasAny(value) ? JSON.stringify(value) : undefined),
  ),
  credential: kind(
    (_row: RowOf<'credential'>) => optional(credential),
    (value) => (value === null ? undefined : JSON.stringify(named(value))),
  ),
  nodeAddress: kind(
    (_row: RowOf<'nodeAddress'>) => optional(graphqlUrl("a node's", 'https://node.example/graphql')),
    (value) => value ?? undefined,
  ),
  nodeList: kind(
    (_row: RowOf<'nodeList'>) => optional(nodeList),
    (value) => (value === null ? undefined : textOfNodes(value)),
  ),
  indexerAddresses: kind(
    (_row: RowOf<'indexerAddresses'>) => optional(indexerList),
    (value) => value?.join(),
  ),
  genesisBlocks: kind(
    (_row: RowOf<'genesisBlocks'>) => optional(genesisBlocks),
    (value) => value?.join(),
  ),
  chainIds: kind(
    (_row: RowOf<'chainIds'>) => optional(chainIds),
    (value) => value?.join(),
  ),
}

type Fields = { readonly [Name in StageSettingName]: ReturnType<(typeof kinds)[RowsByName[Name]['kind']]['field']> }

/** A kind for a row of it: the compiler does not pair them by itself. */
const kindOf = (row: Row) => kinds[row.kind] as StackKind<Kind, z.ZodType>

/** The fields of a stage file, in the order of the rows. */
export const stageFields = Object.fromEntries(
  stageRows.map(([name, row]) => [name, kindOf(row).field(row, settingWords[name])]),
) as unknown as Fields

/** The text of a checked value in the variable of its row. */
export const textOf = (row: Row, value: unknown): string | undefined => kindOf(row).text(value, row)
