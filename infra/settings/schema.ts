// The settings of a stage. The types, the checks, the printed settings and the table in docs/operations.md follow from
// this schema.
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import { z } from 'zod'
import { minReserved } from '../../shared/deployment/settings.ts'
import { customDomain, vpc } from './groups/network.ts'
import { tags } from './groups/tags.ts'
import { watching } from './groups/watching.ts'
import { oneNumberOf, oneOf, optional, text, trueOrFalse, wholeNumber, wholeNumberOrNone } from './kinds.ts'
import { lockedSupplyTable } from './locked-supply-file.ts'
import type { nodeOfList } from './node-list.ts'
import { stageFields } from './stage-fields.ts'

const perRoute = (what: string, fallback: number) => wholeNumber({ min: 1, max: 10_000 }, what).default(fallback)

/** Of the firewall. */
const addressRange = { min: 10, max: 2_000_000_000 }
const perAddress = (what: string) => `${what} a minute from one IP address`

const ipSetArn = (what: string, name: string) =>
  optional(
    text(
      /^arn:aws:wafv2:us-east-1:\d{12}:global\/ipset\/[\w-]{1,128}\/[0-9a-f-]{36}$/,
      `the ARN of an IP set of yours, ${what}`,
      `arn:aws:wafv2:us-east-1:123456789012:global/ipset/${name}/01234567-89ab-cdef-0123-456789abcdef`,
    ),
  )

/** AWS reserves executions for a function; they are its maximum too. */
const reserved = (functions: string, example: number) =>
  optional(
    wholeNumber(
      { min: minReserved, max: 10_000 },
      `executions reserved for each ${functions} function, and its maximum at a time`,
      example,
    ),
  )

/** Where AWS offers it: the regions with a regional cache of CloudFront. */
const originShieldRegion = oneOf(
  'the region of Origin Shield, the one closest to the API (see Caching)',
  ...(['us-east-1', 'us-east-2', 'us-west-2', 'sa-east-1', 'eu-central-1', 'eu-west-1', 'eu-west-2'] as const),
  ...(['me-central-1', 'ap-south-1', 'ap-southeast-1', 'ap-southeast-2'] as const),
  ...(['ap-northeast-1', 'ap-northeast-2'] as const),
)

const retentionDays = Object.values(RetentionDays).flatMap((days) => (Number(days) <= 3653 ? [Number(days)] : []))

/** In the order in which settings are printed. */
export const stageSchema = z.object({
  region: text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'the region of the stack', 'us-east-1').default('us-east-1'),
  network: oneOf('the network of the node, which `doctor` checks', 'mainnet', 'devnet'),
  ...stageFields,
  lockedSupplyTable: lockedSupplyTable.default(''),
  vpc: optional(vpc),
  customDomain: optional(customDomain),
  ipv6: trueOrFalse('whether CloudFront has IPv6 addresses too (see Architecture)').default(false),
  longestCacheSeconds: wholeNumber(
    { min: 1, max: 86_400 },
    'maximum seconds that CloudFront keeps an answer, expired ones included',
  ).default(86_400),
  originShieldRegion: optional(originShieldRegion),
  throttles: z.object({
    reads: z.object({
      rate: perRoute('requests a second, for each GET route', 100),
      burst: perRoute('requests at once, for each GET route', 200),
    }),
    fates: z.object({
      rate: perRoute('requests a second, for each costly route (see Limits)', 25),
      burst: perRoute('requests at once, for each costly route', 50),
    }),
    broadcasts: z.object({
      rate: perRoute('requests a second, for each broadcast route', 20),
      burst: perRoute('requests at once, for each broadcast route', 40),
    }),
  }),
  reservedConcurrency: z.object({ reads: reserved('GET', 100), broadcasts: reserved('broadcast', 40) }),
  accountConcurrency: wholeNumber(
    { min: 10, max: 1_000_000 },
    'the quota "Concurrent executions" of the account',
  ).default(1000),
  firewall: z.object({
    enabled: trueOrFalse('whether CloudFront has a firewall').default(true),
    requestsPerMinute: wholeNumber(addressRange, perAddress('requests')).default(1000),
    broadcastsPerMinute: wholeNumber(addressRange, perAddress('broadcasts')).default(30),
    costlyRequestsPerMinute: wholeNumberOrNone(
      addressRange,
      perAddress('requests for the costly routes together'),
    ).default(120),
    blockedIpSetArn: ipSetArn('whose addresses are refused (see Block an address)', 'blocked'),
    freeIpSetArn: ipSetArn('whose addresses costlyRequestsPerMinute does not limit (see Limits)', 'free'),
  }),
  apiGeneration: wholeNumber(
    { min: 1, max: 1_000_000 },
    'generation of the HTTP API; another one replaces it (see Replace the API)',
  ).default(1),
  originSecretGeneration: wholeNumber(
    { min: 1, max: 1_000_000 },
    'generation of the secret that CloudFront sends (see Rotation)',
  ).default(1),
  ...watching,
  tracing: trueOrFalse('whether functions send X-Ray traces, which can cost more than all else of a request').default(
    false,
  ),
  logRetentionDays: oneNumberOf(retentionDays, 'days that logs are kept').default(30),
  retainLogs: trueOrFalse('whether logs stay when the stack is removed').default(false),
  terminationProtection: optional(
    trueOrFalse('whether AWS refuses to delete the stack; by default where network is mainnet', false),
  ),
  tags: tags.default({}),
})

/** The settings of a stage, checked and complete. */
export type StageSettings = Readonly<z.infer<typeof stageSchema>> & {
  /** The name of the file in config/, part of the stack's name. */
  readonly stage: string
}

export type VpcAttributes = z.infer<typeof vpc>
export type CustomDomain = z.infer<typeof customDomain>

/** With every part optional, at every depth. */
export type Partly<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Partly<T[K]> }
    : T

type NodesOfFile =
  | { readonly nodeGraphqlUrl: string }
  | { readonly nodeGraphqlUrl?: null; readonly nodes: readonly z.input<typeof nodeOfList>[] }

/** A list with one item may be that item. */
type ListOrOne = 'indexerGraphqlUrl' | 'genesisStateHash' | 'chainId'

/** The default export of a file in config/. */
export type StageFile = Pick<StageSettings, 'network'> &
  Omit<Partly<StageSettings>, 'stage' | 'nodes' | ListOrOne> &
  NodesOfFile & { readonly [Name in ListOrOne]?: string | readonly string[] | null }
