// The parts of a synthesised template that decide what CloudFront caches. Forms that the model does not cover are
// refused.
import { runInNewContext } from 'node:vm'
import type { BehaviorProperties, CloudFormation, KnownResource, Reference } from './cloud-formation.ts'

/** Seconds, and the query keys that are part of the cache key. */
export interface CachePolicy {
  readonly minTtl: number
  readonly defaultTtl: number
  readonly maxTtl: number
  readonly queryKeys: readonly string[] | 'all'
}

interface Value {
  readonly value: string
}

/** A query value as the client sent it, with all of them where its key is repeated. */
interface QueryValue extends Value {
  readonly multiValue?: readonly Value[]
}

/** A request as a viewer function receives and returns it. */
export interface ViewerRequest {
  readonly method: string
  /** The path as the client sent it. */
  readonly uri: string
  readonly querystring: Readonly<Record<string, QueryValue>>
  /** By name in lower case. */
  readonly headers?: Readonly<Record<string, Value>>
}

/** An answer of the viewer function itself, after which CloudFront does not look at cache or origin. */
export interface ViewerResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, Value>>
}

export interface Behavior {
  matches(uri: string): boolean
  readonly allowedMethods: readonly string[]
  readonly cachedMethods: readonly string[]
  readonly policy: CachePolicy
  rewrite(request: ViewerRequest): ViewerRequest | ViewerResponse
}

export interface Distribution {
  /** In the order in which CloudFront tries them; the last one matches every path. */
  readonly behaviors: readonly Behavior[]
  /** Seconds by status, where the template sets them. */
  readonly errorTtls: ReadonlyMap<number, number>
  /** True if one cache stands between all edges and the origin. */
  readonly hasOriginShield: boolean
}

/** The limits of API Gateway for one route: requests a second in the long run, and at once. */
export interface Throttle {
  readonly rate: number
  readonly burst: number
}

const cachingDisabledId = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad'
const cachingDisabled: CachePolicy = { minTtl: 0, defaultTtl: 0, maxTtl: 0, queryKeys: [] }

function policyOf(id: Reference, { Resources }: CloudFormation): CachePolicy {
  if (id === cachingDisabledId) return cachingDisabled
  const resource = typeof id === 'string' ? undefined : Resources[id.Ref]
  if (resource?.Type !== 'AWS::CloudFront::CachePolicy') throw new Error(`Not modelled: cache policy ${String(id)}`)
  const {
    MinTTL,
    DefaultTTL,
    MaxTTL,
    ParametersInCacheKeyAndForwardedToOrigin: key,
  } = resource.Properties.CachePolicyConfig
  const { QueryStringBehavior, QueryStrings = [] } = key.QueryStringsConfig
  if (key.CookiesConfig.CookieBehavior !== 'none' || key.HeadersConfig.HeaderBehavior !== 'none') {
    throw new Error('Not modelled: cookies or headers in the cache key')
  }
  if (!['all', 'none', 'whitelist'].includes(QueryStringBehavior)) {
    throw new Error(`Not modelled: query strings by ${QueryStringBehavior}`)
  }
  const queryKeys = QueryStringBehavior === 'all' ? 'all' : QueryStrings
  return { minTtl: MinTTL, defaultTtl: DefaultTTL, maxTtl: MaxTTL, queryKeys }
}

function rewriteOf({ FunctionAssociations = [] }: BehaviorProperties, { Resources }: CloudFormation) {
  const association = FunctionAssociations.find(({ EventType }) => EventType === 'viewer-request')
  if (association === undefined) return (request: ViewerRequest) => request
  const resource = Resources[association.FunctionARN['Fn::GetAtt'][0]]
  if (resource?.Type !== 'AWS::CloudFront::Function') throw new Error('The viewer function is not in the template')
  const handler: (event: { readonly request: ViewerRequest }) => ViewerRequest | ViewerResponse = runInNewContext(
    `${resource.Properties.FunctionCode}\n;handler`,
  )
  return (request: ViewerRequest) => handler({ request: { headers: {}, ...request } })
}

/** `*` matches any text and `?` any character, slashes included; case matters. */
const matcherOf = (pattern = '*'): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  )

type ResourceOf<Type extends KnownResource['Type']> = Extract<KnownResource, { readonly Type: Type }>

/** @throws Error where there is not exactly one resource of the type */
function onlyOf<Type extends KnownResource['Type']>({ Resources }: CloudFormation, type: Type): ResourceOf<Type> {
  const [found, ...others] = Object.values(Resources).filter(
    (resource): resource is ResourceOf<Type> => resource.Type === type,
  )
  if (found === undefined || others.length > 0) throw new Error(`The template must have one ${type}`)
  return found
}

/**
 * The throttles by route, such as `GET /blocks/{state_hash}`.
 *
 * @throws Error for a template without exactly one stage of an HTTP API
 */
export const throttlesOf = (template: CloudFormation): ReadonlyMap<string, Throttle> =>
  new Map(
    Object.entries(onlyOf(template, 'AWS::ApiGatewayV2::Stage').Properties.RouteSettings).map(([route, settings]) => [
      route,
      { rate: settings.ThrottlingRateLimit, burst: settings.ThrottlingBurstLimit },
    ]),
  )

/** @throws Error for a template without exactly one distribution, and for what the model does not cover */
export function distributionOf(template: CloudFormation): Distribution {
  const config = onlyOf(template, 'AWS::CloudFront::Distribution').Properties.DistributionConfig
  const { DefaultCacheBehavior, CacheBehaviors = [], CustomErrorResponses = [], Origins } = config
  return {
    behaviors: [...CacheBehaviors, DefaultCacheBehavior].map((properties) => {
      const matcher = matcherOf(properties.PathPattern)
      return {
        matches: (uri) => matcher.test(uri),
        allowedMethods: properties.AllowedMethods ?? ['GET', 'HEAD'],
        cachedMethods: properties.CachedMethods ?? ['GET', 'HEAD'],
        policy: policyOf(properties.CachePolicyId, template),
        rewrite: rewriteOf(properties, template),
      }
    }),
    hasOriginShield: Origins.some(({ OriginShield }) => OriginShield?.Enabled === true),
    errorTtls: new Map(
      CustomErrorResponses.flatMap(({ ErrorCode, ErrorCachingMinTTL }) =>
        ErrorCachingMinTTL === undefined ? [] : [[ErrorCode, ErrorCachingMinTTL] as const],
      ),
    ),
  }
}
