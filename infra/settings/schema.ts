// All that differs from stage to stage: what a file in config/ may hold, and what the stack is given.

/** How many requests a route takes, all callers together. */
interface Throttle {
  /** A second, in the long run. */
  readonly rate: number
  /** At once. */
  readonly burst: number
}

/** A header of each request to an upstream, its text kept in a secret or in a parameter, of which one is named. */
export interface Credential {
  readonly header: string
  /** Name or ARN of a Secrets Manager secret that holds the header's text and nothing else. */
  readonly secret: string | null
  /** Name of an SSM parameter, best a SecureString, that holds the same. */
  readonly parameter: string | null
}

/** A VPC by its attributes, which must exist: nothing is looked up. */
export interface VpcAttributes {
  readonly vpcId: string
  readonly subnetIds: readonly string[]
  /** Of the subnets, in their order. */
  readonly availabilityZones: readonly string[]
  readonly securityGroupIds: readonly string[]
}

/** An address of one's own for the service. */
export interface CustomDomain {
  readonly domainName: string
  readonly hostedZoneId: string
  /** The domain that the hosted zone is for. */
  readonly zoneName: string
  readonly certificateArn: string
}

export interface FirewallSettings {
  readonly enabled: boolean
  /** Of one IP address, all paths together. */
  readonly requestsPerMinute: number
  /** Of one IP address, both broadcasts together. */
  readonly broadcastsPerMinute: number
}

/** The settings of a stage, checked and complete. */
export interface StageSettings {
  /** The name of the file in config/, part of the stack's name. */
  readonly stage: string
  /** Of the whole stack. A firewall in front of CloudFront exists in us-east-1 only. */
  readonly region: string
  /** The network that the node should be on. */
  readonly network: 'mainnet' | 'devnet'
  /** What the node's `daemonStatus` should give; null where nobody checks it. */
  readonly chainId: string | null
  /** http only together with a VPC. */
  readonly nodeGraphqlUrl: string
  /** For one call to the node, in milliseconds. */
  readonly upstreamTimeoutMs: number
  /** Sent with each request to the node. Readable in the stack, so a key belongs into `nodeCredential`. */
  readonly upstreamHeaders: Readonly<Record<string, string>>
  readonly nodeCredential: Credential | null
  /** null on a stage that has a node only; the other settings of the indexer then mean nothing. */
  readonly indexerGraphqlUrl: string | null
  /** Sent with each request to the indexer, readable like `upstreamHeaders`. */
  readonly indexerHeaders: Readonly<Record<string, string>>
  readonly indexerCredential: Credential | null
  /** For one call to the indexer, in milliseconds. */
  readonly indexerTimeoutMs: number
  /** For one look into a staking ledger, which the indexer has to walk. */
  readonly indexerStakesTimeoutMs: number
  /** What is locked by slot, as CSV text; empty for no table. A stage file gives the path of the CSV file. */
  readonly lockedSupplyTable: string
  /** null for functions outside of any VPC. */
  readonly vpc: VpcAttributes | null
  /** null for an address of CloudFront's. */
  readonly customDomain: CustomDomain | null
  /** The longest that CloudFront keeps an answer, whatever the answer says. Answers say 60 s at most. */
  readonly longestCacheSeconds: number
  /** Of each route. */
  readonly throttles: { readonly reads: Throttle; readonly broadcasts: Throttle }
  /** How many calls of one broadcast function run at once; null for as many as the account allows. */
  readonly broadcastReservedConcurrency: number | null
  /** How many functions the account may run at once, all of its stacks together: the quota, which an alarm watches. */
  readonly accountConcurrency: number
  readonly firewall: FirewallSettings
  /** One more renews the header by which functions know CloudFront; they accept this one and its neighbours. */
  readonly originSecretGeneration: number
  /** Who is told of alarms; null for nobody. */
  readonly alarmEmail: string | null
  /** A topic of one's own to tell of alarms; null for one that the stack makes. */
  readonly alarmTopicArn: string | null
  readonly logRetentionDays: number
  /** Whether logs outlive the stack. */
  readonly retainLogs: boolean
}

/** A value with all of its parts left to choice. */
type Partly<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [Key in keyof T]?: Partly<T[Key]> }
    : T

/** What a file in config/ exports. What is left out has a default, which the synthesis prints. */
export type StageFile = Pick<StageSettings, 'network' | 'nodeGraphqlUrl'> & Omit<Partly<StageSettings>, 'stage'>

/** Settings that cannot be used. The message is for the person who synthesises, and shows no secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}
