// Each setting of a stage that an endpoint's function reads, in one row. The fields of the stage files, the functions'
// environment, its reader and `npm start -- --help` derive from the rows.
import { type Range, timeoutRange } from './settings.ts'

/** The functions that have a setting: those that ask nodes, those that ask an indexer, or those of the endpoints in a list. */
type Readers = 'nodes' | 'indexer'

/** A setting that an endpoint can read itself; the others concern the upstreams. */
type OwnRow<Name extends string> = { readonly of: Readers | readonly Name[] } & (
  | { readonly kind: 'switch'; readonly default: boolean }
  | { readonly kind: 'wholeNumber'; readonly range: Range; readonly default: number }
)

type UpstreamRow = { readonly of: Readers } & (
  | { readonly kind: 'headers'; readonly default: Readonly<Record<string, never>> }
  | {
      readonly kind: 'credential' | 'nodeAddress' | 'nodeList' | 'indexerAddresses' | 'genesisBlocks' | 'chainIds'
      readonly default: null
    }
)

/** @typeParam Name the endpoints that `of` may list */
export type Row<Name extends string = string> = (OwnRow<Name> | UpstreamRow) & {
  readonly variable: string
  /** The setting that replaces it. */
  readonly unless?: 'nodes'
}

const milliseconds = { kind: 'wholeNumber', range: timeoutRange } as const

/** In the order in which settings are printed. */
export const stageSettings = {
  chainId: { variable: 'CHAIN_ID', kind: 'chainIds', default: null, of: 'nodes' },
  genesisStateHash: { variable: 'GENESIS_STATE_HASH', kind: 'genesisBlocks', default: null, of: 'nodes' },
  nodeGraphqlUrl: { variable: 'NODE_GRAPHQL_URL', kind: 'nodeAddress', default: null, of: 'nodes', unless: 'nodes' },
  nodes: { variable: 'NODES', kind: 'nodeList', default: null, of: 'nodes' },
  upstreamTimeoutMs: { variable: 'UPSTREAM_TIMEOUT_MS', ...milliseconds, default: 8000, of: 'nodes' },
  upstreamHeaders: { variable: 'UPSTREAM_HEADERS', kind: 'headers', default: {}, of: 'nodes', unless: 'nodes' },
  nodeCredential: { variable: 'NODE_CREDENTIAL', kind: 'credential', default: null, of: 'nodes', unless: 'nodes' },
  indexerGraphqlUrl: { variable: 'INDEXER_GRAPHQL_URL', kind: 'indexerAddresses', default: null, of: 'indexer' },
  indexerHeaders: { variable: 'INDEXER_HEADERS', kind: 'headers', default: {}, of: 'indexer' },
  indexerCredential: { variable: 'INDEXER_CREDENTIAL', kind: 'credential', default: null, of: 'indexer' },
  indexerTimeoutMs: { variable: 'INDEXER_TIMEOUT_MS', ...milliseconds, default: 1500, of: 'indexer' },
  indexerStakesTimeoutMs: { variable: 'INDEXER_STAKES_TIMEOUT_MS', ...milliseconds, default: 8000, of: 'indexer' },
  indexerStakes: { variable: 'INDEXER_STAKES', kind: 'switch', default: true, of: 'indexer' },
  lenientPayload: {
    variable: 'LENIENT_PAYLOAD',
    kind: 'switch',
    default: false,
    of: ['broadcastTransaction', 'broadcastDelegation'],
  },
} as const satisfies Readonly<Record<string, Row>>

export type RowsByName = typeof stageSettings
export type StageSettingName = keyof RowsByName

/**
 * The meaning of each setting: for docs/operations.md, for messages about wrong values and for `npm start -- --help`.
 * Apart from the rows, so that the functions' bundles leave it out.
 */
export const settingWords: { readonly [Name in StageSettingName]: string } = {
  chainId: 'chain ids of the networks, in the order of their genesis blocks: pins them',
  genesisStateHash: 'genesis block of the network: pins it; before a hard fork two, with a comma, the old one first',
  nodeGraphqlUrl: 'the node, or several with commas; several daemons may answer at a single address',
  nodes: 'nodes in place of that, each with its own headers: a single daemon is asked less here',
  upstreamTimeoutMs: 'time-out of a call to the node, in milliseconds',
  upstreamHeaders: 'HTTP headers of each request to the node',
  nodeCredential: 'key of the node, as a secret',
  indexerGraphqlUrl: "the indexer, or several with commas: first the one that follows the node's chain",
  indexerHeaders: 'HTTP headers of each request to the indexer',
  indexerCredential: 'key of the indexer, as a secret',
  indexerTimeoutMs: 'time-out of a call to the indexer, in milliseconds',
  indexerStakesTimeoutMs: 'time-out of a call to the indexer that walks a staking ledger, in milliseconds',
  indexerStakes: 'whether accounts have the staking fields, for which the indexer walks whole ledgers',
  lenientPayload: 'whether broadcasts read `payload` as leniently as `data`, for wallets of the old service',
}

/** Every row by the key of its setting in a stage file. */
export const stageRows = /* @__PURE__ */ Object.entries(stageSettings) as readonly (readonly [StageSettingName, Row])[]

/** The stack's facts about itself. */
type StackVariable = 'ORIGIN_SECRETS' | 'RELEASE' | 'SERVICE_NAME' | 'ROUTE_METRICS' | 'BROADCAST_ADDRESS' | 'NETWORK'

type Variable = RowsByName[StageSettingName]['variable'] | StackVariable

/** The variables that the stack sets: a name that no function reads does not compile. */
export type FunctionEnvironment = { readonly [Name in Variable]?: string }

/** The variables that a function reads: these, and two variables that Lambda sets. */
export type Environment = {
  readonly [Name in Variable | 'AWS_LAMBDA_FUNCTION_NAME' | 'AWS_SESSION_TOKEN']?: string | undefined
}

type OwnName = {
  [Name in StageSettingName]: RowsByName[Name]['of'] extends readonly string[] ? Name : never
}[StageSettingName]

/** The settings that endpoints read themselves. */
export type EndpointSettings = {
  readonly [Name in OwnName]: RowsByName[Name]['kind'] extends 'switch' ? boolean : number
}

type SettingsByEndpoint = {
  readonly [Endpoint in RowsByName[OwnName]['of'][number]]: {
    readonly [Name in OwnName as Endpoint extends RowsByName[Name]['of'][number] ? Name : never]: EndpointSettings[Name]
  }
} & { readonly [other: string]: object }

/** Those that an endpoint reads: any other does not compile, since its function would not have it. */
export type SettingsOf<Endpoint extends string> = SettingsByEndpoint[Endpoint]

export const endpointSettingsIn = (all: Readonly<Record<string, unknown>>): EndpointSettings =>
  Object.fromEntries(
    stageRows.filter(([, { of }]) => typeof of === 'object').map(([name]) => [name, all[name]]),
  ) as EndpointSettings

const defaults = (): EndpointSettings =>
  endpointSettingsIn(Object.fromEntries(stageRows.map(([name, row]) => [name, row.default])))

/** The settings of a stage that sets none. */
export const defaultSettings = /* @__PURE__ */ defaults()
