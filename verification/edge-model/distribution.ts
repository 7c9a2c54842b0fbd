// The parts of a synthesised template that decide what CloudFront caches and what API Gateway lets through. Forms that
// the model does not cover are refused.
import { runInNewContext } from 'node:vm'

/** A CloudFormation template. */
export interface CloudFormation {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: unknown }>>
}

interface BehaviorProperties {
  readonly PathPattern?: string
  readonly AllowedMethods?: readonly string[]
  readonly CachedMethods?: readonly string[]
  readonly CachePolicyId: string | { readonly Ref: string }
  readonly FunctionAssociations?: readonly {
    readonly EventType: string
    readonly FunctionARN: { readonly 'Fn::GetAtt': readonly [id: string, attribute: string] }
  }[]
}

/** The properties that the model reads, by type of resource. */
interface Properties {
  'AWS::CloudFront::Distribution': {
    readonly DistributionConfig: {
      readonly DefaultCacheBehavior: BehaviorProperties
      readonly CacheBehaviors?: readonly BehaviorProperties[]
      readonly CustomErrorResponses?: readonly { readonly ErrorCode: number; readonly ErrorCachingMinTTL?: number }[]
      readonly Origins: readonly { readonly OriginShield?: { readonly Enabled: boolean } }[]
    }
  }
  'AWS::CloudFront::CachePolicy': {
    readonly CachePolicyConfig: Readonly<Record<'MinTTL' | 'DefaultTTL' | 'MaxTTL', number>> & {
      readonly ParametersInCacheKeyAndForwardedToOrigin: {
        readonly CookiesConfig: { readonly CookieBehavior: string }
        readonly HeadersConfig: { readonly HeaderBehavior: string }
        readonly QueryStringsConfig: { readonly QueryStringBehavior: string; readonly QueryStrings?: readonly string[] }
      }
    }
  }
  'AWS::CloudFront::Function': { readonly FunctionCode: string }
  'AWS::ApiGatewayV2::Stage': {
    readonly RouteSettings: Readonly<Record<string, Record<'ThrottlingRateLimit' | 'ThrottlingBurstLimit', number>>>
  }
}

/** Seconds, and the query keys that are part of the cache key. */
export interface CachePolicy {
  readonly minTtl: number
  readonly defaultTtl: number
  readonly maxTtl: number
  readonly queryKeys: readonly string[]
}

interface Value {
  readonly value: string
}

/** A request as a viewer function receives and returns it. */
export interface ViewerRequest {
  readonly method: string
  /** The path as the client sent it. */
  readonly uri: string
  /** As the client sent them, with all values of a repeated key. */
  readonly querystring: Readonly<Record<string, Value & { readonly multiValue?: readonly Value[] }>>
  /** By name in lower case. */
  readonly headers?: Readonly<Record<string, Value>>
}

/** An answer of the viewer function itself, after which CloudFront does not look at cache or origin. */
interface ViewerResponse {
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

/** @throws Error if the template has no such resource, or several where no `id` names one */
function propertiesOf<Type extends keyof Properties>({ Resources }: CloudFormation, type: Type, id?: string) {
  const [found, ...others] = Object.entries(Resources).filter(
    ([name, { Type }]) => Type === type && (id === undefined || name === id),
  )
  if (found === undefined || others.length > 0) throw new Error(`The template must have one ${type}`)
  return found[1].Properties as Properties[Type]
}

const cachingDisabledId = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad'

function policyOf(id: BehaviorProperties['CachePolicyId'], template: CloudFormation): CachePolicy {
  if (id === cachingDisabledId) return { minTtl: 0, defaultTtl: 0, maxTtl: 0, queryKeys: [] }
  if (typeof id === 'string') throw new Error(`Not modelled: cache policy ${id}`)
  const { CachePolicyConfig } = propertiesOf(template, 'AWS::CloudFront::CachePolicy', id.Ref)
  const { MinTTL, DefaultTTL, MaxTTL, ParametersInCacheKeyAndForwardedToOrigin: key } = CachePolicyConfig
  const { QueryStringBehavior, QueryStrings = [] } = key.QueryStringsConfig
  if (key.CookiesConfig.CookieBehavior !== 'none' || key.HeadersConfig.HeaderBehavior !== 'none') {
    throw new Error('Not modelled: cookies or headers in the cache key')
  }
  if (!['none', 'whitelist'].includes(QueryStringBehavior)) {
    throw new Error(`Not modelled: query strings by ${QueryStringBehavior}`)
  }
  return { minTtl: MinTTL, defaultTtl: DefaultTTL, maxTtl: MaxTTL, queryKeys: QueryStrings }
}

function rewriteOf({ FunctionAssociations = [] }: BehaviorProperties, template: CloudFormation): Behavior['rewrite'] {
  const association = FunctionAssociations.find(({ EventType }) => EventType === 'viewer-request')
  if (association === undefined) return (request) => request
  const [id] = association.FunctionARN['Fn::GetAtt']
  const { FunctionCode } = propertiesOf(template, 'AWS::CloudFront::Function', id)
  const handler = runInNewContext(`${FunctionCode}\n;handler`)
  return (request) => handler({ request: { headers: {}, ...request } })
}

/** `*` matches any text and `?` any character, slashes included; case matters. */
function matcherOf(pattern = '*'): RegExp {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's')
}

/** The throttles by route, such as `GET /blocks/{state_hash}`. */
export function throttlesOf(template: CloudFormation): ReadonlyMap<string, Throttle> {
  const { RouteSettings } = propertiesOf(template, 'AWS::ApiGatewayV2::Stage')
  const throttleOf = ({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst }: (typeof RouteSettings)[string]) => ({
    rate,
    burst,
  })
  return new Map(Object.entries(RouteSettings).map(([route, settings]) => [route, throttleOf(settings)]))
}

/** @throws Error for a template without exactly one distribution, and for what the model does not cover */
export function distributionOf(template: CloudFormation): Distribution {
  const config = propertiesOf(template, 'AWS::CloudFront::Distribution').DistributionConfig
  const { DefaultCacheBehavior, CacheBehaviors = [], CustomErrorResponses = [], Origins } = config
  const errorTtls = new Map<number, number>()
  for (const { ErrorCode, ErrorCachingMinTTL } of CustomErrorResponses)
    if (ErrorCachingMinTTL !== undefined) errorTtls.set(ErrorCode, ErrorCachingMinTTL)
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
    errorTtls,
  }
}
