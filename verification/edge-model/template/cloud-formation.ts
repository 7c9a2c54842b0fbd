// The resources of a synthesised template that decide what CloudFront caches and what API Gateway lets through.

interface Resource<Type extends string, Properties> {
  readonly Type: `AWS::${Type}`
  readonly Properties: Properties
}

export type Reference = string | { readonly Ref: string }

export interface BehaviorProperties {
  readonly PathPattern?: string
  readonly AllowedMethods?: readonly string[]
  readonly CachedMethods?: readonly string[]
  readonly CachePolicyId: Reference
  readonly FunctionAssociations?: readonly {
    readonly EventType: string
    readonly FunctionARN: { readonly 'Fn::GetAtt': readonly [id: string, attribute: string] }
  }[]
}

interface DistributionConfig {
  readonly DefaultCacheBehavior: BehaviorProperties
  readonly CacheBehaviors?: readonly BehaviorProperties[]
  readonly CustomErrorResponses?: readonly { readonly ErrorCode: number; readonly ErrorCachingMinTTL?: number }[]
  readonly Origins: readonly { readonly OriginShield?: { readonly Enabled: boolean } }[]
}

interface CachePolicyConfig {
  readonly MinTTL: number
  readonly DefaultTTL: number
  readonly MaxTTL: number
  readonly ParametersInCacheKeyAndForwardedToOrigin: {
    readonly CookiesConfig: { readonly CookieBehavior: string }
    readonly HeadersConfig: { readonly HeaderBehavior: string }
    readonly QueryStringsConfig: { readonly QueryStringBehavior: string; readonly QueryStrings?: readonly string[] }
  }
}

type RouteSettings = Readonly<
  Record<string, { readonly ThrottlingRateLimit: number; readonly ThrottlingBurstLimit: number }>
>

export type KnownResource =
  | Resource<'CloudFront::Distribution', { readonly DistributionConfig: DistributionConfig }>
  | Resource<'CloudFront::CachePolicy', { readonly CachePolicyConfig: CachePolicyConfig }>
  | Resource<'CloudFront::Function', { readonly FunctionCode: string }>
  | Resource<'ApiGatewayV2::Stage', { readonly RouteSettings: RouteSettings }>

/** A CloudFormation template; other resources are ignored. */
export interface CloudFormation {
  readonly Resources: Readonly<Record<string, KnownResource>>
}
