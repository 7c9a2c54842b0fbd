// The resources of a synthesised template that decide what CloudFront caches and what API Gateway lets through.

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

interface DistributionResource {
  readonly Type: 'AWS::CloudFront::Distribution'
  readonly Properties: {
    readonly DistributionConfig: {
      readonly DefaultCacheBehavior: BehaviorProperties
      readonly CacheBehaviors?: readonly BehaviorProperties[]
      readonly CustomErrorResponses?: readonly { readonly ErrorCode: number; readonly ErrorCachingMinTTL?: number }[]
      readonly Origins: readonly { readonly OriginShield?: { readonly Enabled: boolean } }[]
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

interface StageResource {
  readonly Type: 'AWS::ApiGatewayV2::Stage'
  readonly Properties: {
    readonly RouteSettings: Readonly<
      Record<string, { readonly ThrottlingRateLimit: number; readonly ThrottlingBurstLimit: number }>
    >
  }
}

export type Resource = DistributionResource | CachePolicyResource | FunctionResource | StageResource

/** A CloudFormation template; other resources are ignored. */
export interface CloudFormation {
  readonly Resources: Readonly<Record<string, Resource>>
}
