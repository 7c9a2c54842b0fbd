// The parts of a synthesised template that decide what CloudFront caches. Forms that the model does not cover are
// refused.
import { runInNewContext } from 'node:vm'

type Reference = string | { readonly Ref: string }

interface BehaviorProperties {
  readonly PathPattern?: string
  readonly AllowedMethods?: readonly string[]
  readonly CachedMethods?: readonly string[]
  readonly CachePolicyId: Reference
  readonly FunctionAssociations?: readonly {
    readonly EventType: string
    readonly FunctionARN: { readonly 'Fn::GetAtt': readonly [id: string, attribute: string] }
  }[]
}

interface DistributionResource {
  readonly Type: 'AWS::CloudFront::Distribution'
  readonly Properties: {
    readonly DistributionConfig: {
      readonly DefaultCacheBehavior: BehaviorProperties
      readonly CacheBehaviors?: readonly BehaviorProperties[]
      readonly CustomErrorResponses?: readonly { readonly ErrorCode: number; readonly ErrorCachingMinTTL?: number }[]
    }
  }
}

interface CachePolicyResource {
  readonly Type: 'AWS::CloudFront::CachePolicy'
  readonly Properties: {
    readonly CachePolicyConfig: {
      readonly MinTTL: number
      readonly DefaultTTL: number
      readonly MaxTTL: number
      readonly ParametersInCacheKeyAndForwardedToOrigin: {
        readonly CookiesConfig: { readonly CookieBehavior: string }
        readonly HeadersConfig: { readonly HeaderBehavior: string }
        readonly QueryStringsConfig: {
          readonly QueryStringBehavior: string
          readonly QueryStrings?: readonly string[]
        }
      }
    }
  }
}

interface FunctionResource {
  readonly Type: 'AWS::CloudFront::Function'
  readonly Properties: { readonly FunctionCode: string }
}

type Resource = DistributionResource | CachePolicyResource | FunctionResource

/** A CloudFormation template; other resources are ignored. */
export interface CloudFormation {
  readonly Resources: Readonly<Record<string, Resource>>
}

/** Seconds, and the query keys that are part of the cache key. */
export interface CachePolicy {
  readonly minTtl: number
  readonly defaultTtl: number
  readonly maxTtl: number
  readonly queryKeys: readonly string[] | 'all'
}

interface QueryValue {
  readonly value: string
}

/** A request as a viewer function receives and returns it. */
export interface ViewerRequest {
  readonly method: string
  /** The path as the client sent it. */
  readonly uri: string
  readonly querystring: Readonly<Record<string, QueryValue>>
  /** By name in lower case. */
  readonly headers?: Readonly<Record<string, QueryValue>>
}

/** An answer of the viewer function itself, after which CloudFront looks at neither cache nor origin. */
export interface ViewerResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, QueryValue>>
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

/** @throws Error for a template without exactly one distribution, and for what the model does not cover */
export function distributionOf(template: CloudFormation): Distribution {
  const [found, ...others] = Object.values(template.Resources).filter(
    (resource): resource is DistributionResource => resource.Type === 'AWS::CloudFront::Distribution',
  )
  if (found === undefined || others.length > 0) throw new Error('The template must have one distribution')
  const { DefaultCacheBehavior, CacheBehaviors = [], CustomErrorResponses = [] } = found.Properties.DistributionConfig
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
    errorTtls: new Map(
      CustomErrorResponses.flatMap(({ ErrorCode, ErrorCachingMinTTL }) =>
        ErrorCachingMinTTL === undefined ? [] : [[ErrorCode, ErrorCachingMinTTL] as const],
      ),
    ),
  }
}
