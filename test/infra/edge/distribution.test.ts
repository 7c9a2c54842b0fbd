import { describe, expect, test } from '@jest/globals'
import { cors } from '../../../shared/agreements/cors.ts'
import { originHeader } from '../../../shared/agreements/names.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { onlyResource } from '../only-resource.ts'
import { templateOf } from '../stack-template.ts'

const template = await templateOf({ longestCacheSeconds: 60 })
const only = (type: string, partOfId?: string) => onlyResource(template, type, partOfId)

const config = only('AWS::CloudFront::Distribution').properties.DistributionConfig
const broadcasts = config.CacheBehaviors[0]
const viewerFunction = only('AWS::CloudFront::Function')

const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef'
const customDomain = {
  domainName: 'explorer.example.org',
  hostedZoneId: 'Z0123456789ABC',
  zoneName: 'example.org',
  certificateArn,
  attached: true,
}

describe('the distribution', () => {
  test('supports HTTP/2 and HTTP/3, connects to the API over TLS 1.2 only, and waits longer than a function runs', () => {
    expect(config.HttpVersion).toBe('http2and3')
    expect(config.Origins).toEqual([
      {
        Id: expect.any(String),
        DomainName: {
          'Fn::Select': [
            2,
            {
              'Fn::Split': ['/', { 'Fn::GetAtt': [only('AWS::ApiGatewayV2::Api').id, 'ApiEndpoint'] }],
            },
          ],
        },
        CustomOriginConfig: {
          OriginProtocolPolicy: 'https-only',
          OriginSSLProtocols: ['TLSv1.2'],
          OriginReadTimeout: 26,
          OriginKeepaliveTimeout: 60,
        },
        OriginCustomHeaders: [{ HeaderName: originHeader, HeaderValue: expect.any(Object) }],
      },
    ])
    const timeouts = Object.values(template.findResources('AWS::Lambda::Function')).map(
      ({ Properties }) => Properties.Timeout,
    )
    expect(Math.max(...timeouts)).toBeLessThan(26)
  })

  test('has the custom domain of the settings, with TLS 1.2 or later', async () => {
    const withDomain = await templateOf({ customDomain })
    expect(onlyResource(withDomain, 'AWS::CloudFront::Distribution').properties.DistributionConfig).toMatchObject({
      Aliases: ['explorer.example.org'],
      ViewerCertificate: {
        AcmCertificateArn: certificateArn,
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
      },
    })
    const records = Object.values(withDomain.findResources('AWS::Route53::RecordSet')).map(
      ({ Properties }) => Properties,
    )
    expect(records.map(({ Type: type, Name: name, HostedZoneId: zone }) => ({ type, name, zone }))).toEqual([
      { type: 'A', name: 'explorer.example.org.', zone: 'Z0123456789ABC' },
    ])
    expect(withDomain.toJSON().Outputs.BaseAddress.Value).toBe('https://explorer.example.org')
  })
})

describe('a custom domain', () => {
  const stageWith = async (changed: object) => {
    const stage = await templateOf({ customDomain: { ...customDomain, ...changed } })
    const { Aliases, ViewerCertificate } = onlyResource(stage, 'AWS::CloudFront::Distribution').properties
      .DistributionConfig
    const records = Object.keys(stage.findResources('AWS::Route53::RecordSet')).length
    const { BaseAddress } = stage.toJSON().Outputs
    return { Aliases, certificate: ViewerCertificate.AcmCertificateArn, records, base: BaseAddress.Value }
  }
  const domainAddress = 'https://explorer.example.org'

  test('without a hosted zone has name and certificate, and no record', async () => {
    expect(await stageWith({ hostedZoneId: null, zoneName: null })).toEqual({
      Aliases: ['explorer.example.org'],
      certificate: certificateArn,
      records: 0,
      base: domainAddress,
    })
  })

  test('that another distribution still has is prepared with its certificate alone', async () => {
    expect(await stageWith({ attached: false })).toEqual({
      Aliases: undefined,
      certificate: certificateArn,
      records: 0,
      base: { 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [expect.stringMatching(/^EdgeDist/), 'DomainName'] }]] },
    })
  })
})

describe('IPv6', () => {
  const shown = async (ipv6: boolean) => {
    const stage = await templateOf({ ipv6, customDomain })
    const { IPV6Enabled } = onlyResource(stage, 'AWS::CloudFront::Distribution').properties.DistributionConfig
    const records = Object.values(stage.findResources('AWS::Route53::RecordSet'))
    return [IPV6Enabled, records.map(({ Properties }) => Properties.Type)]
  }

  test('is off, since limits per address mean little there', async () => {
    expect(config.IPV6Enabled).toBe(false)
    expect(await shown(false)).toEqual([false, ['A']])
  })

  test('has a record of its own if the settings turn it on', async () => {
    expect(await shown(true)).toEqual([true, ['A', 'AAAA']])
  })
})

describe('the cache', () => {
  test('caches an answer for as long as it says, by path and known query keys', () => {
    const cachePolicy = only('AWS::CloudFront::CachePolicy', 'AnswerCache')
    expect(config.DefaultCacheBehavior.CachePolicyId).toEqual({ Ref: cachePolicy.id })
    expect(cachePolicy.properties.CachePolicyConfig).toEqual({
      Name: expect.stringContaining('chainexplorerdev'),
      Comment: expect.any(String),
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 60,
      ParametersInCacheKeyAndForwardedToOrigin: {
        CookiesConfig: { CookieBehavior: 'none' },
        HeadersConfig: { HeaderBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'whitelist', QueryStrings: ['limit'] },
        EnableAcceptEncodingBrotli: true,
        EnableAcceptEncodingGzip: true,
      },
    })
  })

  test('never caches a broadcast: their behaviour has the managed policy CachingDisabled', () => {
    expect(broadcasts).toEqual({
      ...config.DefaultCacheBehavior,
      PathPattern: '/broadcast/*',
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      ViewerProtocolPolicy: 'https-only',
    })
    const paths = endpoints.filter(({ method }) => method === 'POST').map(({ path }) => path)
    expect(paths.every((path) => path.startsWith('/broadcast/'))).toBe(true)
  })

  test('keeps a failure for one second, and no mistake of a caller longer than its Cache-Control says', () => {
    const forSeconds = (seconds: number, ...statuses: readonly number[]) =>
      statuses.map((status) => ({ ErrorCode: status, ErrorCachingMinTTL: seconds }))
    expect(config.CustomErrorResponses).toEqual([
      ...forSeconds(0, 400, 403, 404, 405, 414, 416),
      ...forSeconds(1, 500, 501, 502, 503, 504),
    ])
  })

  test('is one behind all edges where the settings name a region for Origin Shield', async () => {
    const withShield = await templateOf({ originShieldRegion: 'eu-west-1' })
    const { Origins } = onlyResource(withShield, 'AWS::CloudFront::Distribution').properties.DistributionConfig
    expect(Origins).toEqual([
      { ...config.Origins[0], OriginShield: { Enabled: true, OriginShieldRegion: 'eu-west-1' } },
    ])
  })
})

describe('every behaviour', () => {
  test.each([
    ['default', config.DefaultCacheBehavior],
    ['broadcasts', broadcasts],
  ])('(%s) forwards all methods, compresses, and has the viewer function and the policies', (_name, behavior) => {
    expect(behavior).toMatchObject({
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
      Compress: true,
      FunctionAssociations: [
        { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [viewerFunction.id, 'FunctionARN'] } },
      ],
      OriginRequestPolicyId: { Ref: only('AWS::CloudFront::OriginRequestPolicy').id },
      ResponseHeadersPolicyId: { Ref: only('AWS::CloudFront::ResponseHeadersPolicy', 'AddedHeaders').id },
      TargetOriginId: config.Origins[0].Id,
    })
    expect(['https-only', 'redirect-to-https']).toContain(behavior.ViewerProtocolPolicy)
  })

  test('forwards the headers of preflights and bodies, and no cookie', () => {
    expect(only('AWS::CloudFront::OriginRequestPolicy').properties.OriginRequestPolicyConfig).toMatchObject({
      HeadersConfig: {
        HeaderBehavior: 'whitelist',
        Headers: ['Origin', 'Access-Control-Request-Method', 'Access-Control-Request-Headers', 'Content-Type'],
      },
      QueryStringsConfig: { QueryStringBehavior: 'whitelist', QueryStrings: ['limit'] },
      CookiesConfig: { CookieBehavior: 'none' },
    })
  })

  test('adds the cross-origin headers of the API, and security headers', () => {
    expect(
      only('AWS::CloudFront::ResponseHeadersPolicy', 'AddedHeaders').properties.ResponseHeadersPolicyConfig,
    ).toMatchObject({
      CorsConfig: {
        AccessControlAllowCredentials: false,
        AccessControlAllowOrigins: { Items: cors.allowOrigins },
        AccessControlAllowMethods: { Items: cors.allowMethods },
        AccessControlAllowHeaders: { Items: cors.allowHeaders },
        AccessControlExposeHeaders: { Items: cors.exposeHeaders },
        AccessControlMaxAgeSec: cors.maxAgeSeconds,
        OriginOverride: true,
      },
      SecurityHeadersConfig: {
        StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, IncludeSubdomains: false, Override: true },
        ContentTypeOptions: { Override: true },
        FrameOptions: { FrameOption: 'DENY', Override: true },
        ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
        ContentSecurityPolicy: {
          ContentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
          Override: true,
        },
      },
    })
  })
})
