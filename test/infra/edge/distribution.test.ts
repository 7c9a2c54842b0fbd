import { describe, expect, test } from '@jest/globals'
import { attackedTargets } from '../../../packages/proofs/attacked-targets.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { cors } from '../../../shared/http/cors.ts'
import { docsPolicy } from '../../../shared/http/docs-page.ts'
import { originHeader } from '../../../shared/http/routes.ts'
import { withOneNode } from '../settings/every-setting.ts'
import { onlyResource, templateOf } from '../stack-template.ts'
import { edgeOf } from './edge-of-stack.ts'

const template = await templateOf({ longestCacheSeconds: 60 })
const only = (type: string, partOfId?: string) => onlyResource(template, type, partOfId)

const config = only('AWS::CloudFront::Distribution').properties.DistributionConfig
const api = only('AWS::ApiGatewayV2::Api')
const addedHeaders = only('AWS::CloudFront::ResponseHeadersPolicy', 'AddedHeaders')
const viewerFunction = only('AWS::CloudFront::Function')

test('the distribution connects to the API over TLS 1.2 only, and waits longer than a function runs', () => {
  expect(config.HttpVersion).toBe('http2and3')
  expect(config.Origins).toEqual([
    {
      Id: expect.any(String),
      DomainName: { 'Fn::Select': [2, { 'Fn::Split': ['/', { 'Fn::GetAtt': [api.id, 'ApiEndpoint'] }] }] },
      CustomOriginConfig: {
        OriginProtocolPolicy: 'https-only',
        OriginSSLProtocols: ['TLSv1.2'],
        OriginReadTimeout: 26,
        OriginKeepaliveTimeout: 60,
      },
      OriginCustomHeaders: [{ HeaderName: originHeader, HeaderValue: expect.any(Object) }],
    },
  ])
  const functions = Object.values(template.findResources('AWS::Lambda::Function'))
  expect(Math.max(...functions.map(({ Properties }) => Properties.Timeout))).toBeLessThan(26)
})

const ipv4 = 'A explorer.example.org. in Z0123456789ABC'
const cdn = { 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [expect.stringMatching(/^EdgeDist/), 'DomainName'] }]] }
const named = { Aliases: ['explorer.example.org'], base: 'https://explorer.example.org' }

test.each([
  [
    'has TLS 1.2 or later, and two records with IPv6',
    true,
    {},
    { ...named, records: [ipv4, ipv4.replace('A', 'AAAA')] },
  ],
  ['has no record without a hosted zone', false, { hostedZoneId: null, zoneName: null }, { ...named, records: [] }],
  [
    'that another distribution still has is prepared with its certificate alone',
    false,
    { attached: false },
    { Aliases: undefined, base: cdn, records: [] },
  ],
])('a custom domain %s', async (_case, ipv6, changed, expected) => {
  const customDomain = { ...withOneNode.customDomain, attached: true, ...changed }
  const stage = await templateOf({ ipv6, customDomain })
  const { DistributionConfig: config } = onlyResource(stage, 'AWS::CloudFront::Distribution').properties
  const { Aliases, ViewerCertificate, IPV6Enabled } = config
  expect(ViewerCertificate).toEqual({
    AcmCertificateArn: customDomain.certificateArn,
    MinimumProtocolVersion: 'TLSv1.2_2021',
    SslSupportMethod: 'sni-only',
  })
  const records = Object.values(stage.findResources('AWS::Route53::RecordSet')).map(
    ({ Properties: { Type, Name, HostedZoneId } }) => `${Type} ${Name} in ${HostedZoneId}`,
  )
  const base = stage.toJSON().Outputs.BaseAddress.Value
  expect({ Aliases, IPV6Enabled, records, base }).toEqual({ ...expected, IPV6Enabled: ipv6 })
})

describe('the cache', () => {
  test('keeps an answer for as long as it says, by path and query', () => {
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
        QueryStringsConfig: { QueryStringBehavior: 'all' },
        EnableAcceptEncodingBrotli: true,
        EnableAcceptEncodingGzip: true,
      },
    })
  })

  test('is keyed by the whole query only where the viewer function has left nothing in it but options', () => {
    const keyedByQuery = Object.entries(template.findResources('AWS::CloudFront::CachePolicy'))
      .filter(([, { Properties }]) => {
        const { QueryStringsConfig } = Properties.CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin
        return QueryStringsConfig.QueryStringBehavior !== 'none'
      })
      .map(([id]) => id)
    const behaviors = [config.DefaultCacheBehavior, ...config.CacheBehaviors]
    const keyed = behaviors.filter(({ CachePolicyId }) => keyedByQuery.includes(CachePolicyId.Ref))
    expect(keyed).toEqual([config.DefaultCacheBehavior])
    expect(keyed[0].FunctionAssociations).toEqual([
      { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [viewerFunction.id, 'FunctionARN'] } },
    ])
  })

  test('never keeps a broadcast: the behaviour of broadcasts has the managed policy CachingDisabled', () => {
    expect(config.CacheBehaviors[0]).toEqual({
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

  test('logs each request where the settings say so, with nothing that tells who asked, or for which account', async () => {
    const withLog = await templateOf({ cdnAccessLog: true, retainLogs: true })
    const kinds = ['DeliverySource', 'DeliveryDestination', 'Delivery'] as const
    const [source, destination, delivery] = kinds.map((kind) => onlyResource(withLog, `AWS::Logs::${kind}`))
    expect([source?.properties, destination?.properties, delivery?.properties]).toEqual([
      {
        Name: expect.stringMatching(/^[\w-]{1,60}$/),
        LogType: 'ACCESS_LOGS',
        ResourceArn: { 'Fn::Join': ['', expect.arrayContaining([{ Ref: only('AWS::CloudFront::Distribution').id }])] },
      },
      { Name: source?.properties.Name, OutputFormat: 'json', DestinationResourceArn: expect.anything() },
      {
        DeliverySourceName: source?.properties.Name,
        DeliveryDestinationArn: { 'Fn::GetAtt': [destination?.id, 'Arn'] },
        RecordFields: expect.arrayContaining(['date', 'time', 'sc-status', 'x-edge-result-type', 'time-taken']),
      },
    ])
    expect(delivery?.properties.RecordFields.join(' ')).not.toMatch(/c-ip|c-port|uri|cs\(|forwarded|host|cookie/)
    expect(template.findResources('AWS::Logs::Delivery')).toEqual({})
  })

  test('has one layer behind all edges where the settings name a region for Origin Shield', async () => {
    const withShield = await templateOf({ originShieldRegion: 'eu-west-1' })
    const { Origins } = onlyResource(withShield, 'AWS::CloudFront::Distribution').properties.DistributionConfig
    expect(Origins).toEqual([
      { ...config.Origins[0], OriginShield: { Enabled: true, OriginShieldRegion: 'eu-west-1' } },
    ])
  })
})

describe('every behaviour', () => {
  test('forwards all methods, compresses, and has the viewer function and the policies', () => {
    expect(config.DefaultCacheBehavior).toMatchObject({
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
      Compress: true,
      FunctionAssociations: [
        { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [viewerFunction.id, 'FunctionARN'] } },
      ],
      OriginRequestPolicyId: { Ref: only('AWS::CloudFront::OriginRequestPolicy').id },
      ResponseHeadersPolicyId: { Ref: addedHeaders.id },
      TargetOriginId: config.Origins[0].Id,
      ViewerProtocolPolicy: 'redirect-to-https',
    })
  })

  test('forwards the headers of preflights and bodies, and no cookie', () => {
    expect(only('AWS::CloudFront::OriginRequestPolicy').properties.OriginRequestPolicyConfig).toMatchObject({
      HeadersConfig: {
        HeaderBehavior: 'whitelist',
        Headers: ['Origin', 'Access-Control-Request-Method', 'Access-Control-Request-Headers', 'Content-Type'],
      },
      QueryStringsConfig: { QueryStringBehavior: 'none' },
      CookiesConfig: { CookieBehavior: 'none' },
    })
  })

  test('adds the cross-origin headers of the API, and security headers', () => {
    expect(addedHeaders.properties.ResponseHeadersPolicyConfig).toMatchObject({
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
        ContentSecurityPolicy: { ContentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'", Override: true },
      },
    })
  })
})

describe('the docs page at the edge', () => {
  const cache = only('AWS::CloudFront::CachePolicy', 'DocsCache')
  const headers = only('AWS::CloudFront::ResponseHeadersPolicy', 'DocsHeaders')

  test('has behaviours beside that of the broadcasts, all with the API as their origin', () => {
    const shared = { ...config.DefaultCacheBehavior, CachePolicyId: { Ref: cache.id } }
    const ofPage = { ...shared, ResponseHeadersPolicyId: { Ref: headers.id } }
    expect(config.CacheBehaviors).toEqual([
      expect.objectContaining({ PathPattern: '/broadcast/*' }),
      { ...ofPage, PathPattern: '/docs' },
      { ...ofPage, PathPattern: '/docs/*' },
      // Pages of other origins read it, as they read answers.
      { ...shared, PathPattern: '/openapi.json', ResponseHeadersPolicyId: { Ref: addedHeaders.id } },
    ])
  })

  test('is cached for as long as its files say, even where the settings shorten the cache of answers', () => {
    const { ParametersInCacheKeyAndForwardedToOrigin: key, ...others } = cache.properties.CachePolicyConfig
    expect(others).toMatchObject({ MinTTL: 0, DefaultTTL: 0, MaxTTL: 31_536_000 })
    expect(key).toMatchObject({ EnableAcceptEncodingBrotli: true, QueryStringsConfig: { QueryStringBehavior: 'none' } })
  })

  test('has the content security policy of the local docs page, and otherwise the security headers of the API', () => {
    expect(headers.properties.ResponseHeadersPolicyConfig).toEqual({
      Name: expect.any(String),
      Comment: expect.any(String),
      SecurityHeadersConfig: {
        ...addedHeaders.properties.ResponseHeadersPolicyConfig.SecurityHeadersConfig,
        ContentSecurityPolicy: { ContentSecurityPolicy: docsPolicy, Override: true },
      },
    })
    expect(docsPolicy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|https?:|\*/)
  })
})

describe('the origin secret', () => {
  const referenceForm = /\{\{resolve:secretsmanager:(\w+):SecretString:::\}\}/g

  /** Text with the logical ids of secrets in its references. */
  const textOf = (value: { 'Fn::Join': [string, readonly unknown[]] }): string =>
    value['Fn::Join'][1].map((part) => Object(part).Ref ?? part).join('')

  /** What a stage says of its secrets, in texts that CloudFormation resolves. */
  const stageOf = async (originSecretGeneration: number) => {
    const everything = { healthCheck: true, broadcastHeartbeat: true, cdnAccessLog: true }
    const stage = await templateOf({ originSecretGeneration, ...everything })
    const { properties, dependsOn } = onlyResource(stage, 'AWS::CloudFront::Distribution')
    const functions = Object.entries(stage.findResources('AWS::Lambda::Function')).filter(
      ([, { Properties }]) => Properties.Environment.Variables.ORIGIN_SECRETS !== undefined,
    )
    const secrets = Object.entries(stage.findResources('AWS::SecretsManager::Secret'))
    const joined = JSON.stringify(stage.toJSON())
    return {
      secrets: secrets.map(([id, { Properties }]) => [id, Properties.SecretString && textOf(Properties.SecretString)]),
      sent: textOf(properties.DistributionConfig.Origins[0].OriginCustomHeaders[0].HeaderValue),
      accepted: functions.map(([, { Properties }]) => textOf(Properties.Environment.Variables.ORIGIN_SECRETS)),
      isSentLast: functions.every(([id]) => dependsOn.includes(id)),
      references: joined.split('{{resolve:').length - 1,
    } as const
  }
  type Stage = Awaited<ReturnType<typeof stageOf>>

  test.each([1, 2, 3])(
    'of generation %i needs at most 30 dynamic references, of which CloudFormation takes 60',
    async (generation) => {
      const { references, accepted, isSentLast } = await stageOf(generation)
      expect(references).toBeLessThanOrEqual(30)
      expect(accepted).toHaveLength(endpoints.length + 1)
      expect(isSentLast).toBe(true)
    },
  )

  test('is sent only while every function accepts it, before and after each resource changes: 1, 2, 3 and back', async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(stageOf))
    const path = [one, two, three, two, one] as readonly Stage[]
    /** By logical id. A secret gets a new value each time that it is made. */
    const values = new Map<string, string>()
    const resolved = (text: string) => text.replaceAll(referenceForm, (_all, id) => String(values.get(id)))
    const make = ({ secrets }: Stage) =>
      secrets
        .filter(([id]) => !values.has(id))
        .toSorted(([, left], [, right]) => Number(left !== undefined) - Number(right !== undefined))
        .forEach(([id, text], index) => {
          values.set(id, text === undefined ? `secret ${values.size}.${index} of ${id}` : resolved(text))
        })
    let before: Stage | undefined
    let sent = ''
    let accepted: string[] = []
    const refused: string[] = []
    const look = (moment: string) => {
      if (sent !== '' && accepted.some((list) => !list.split(',').includes(sent))) refused.push(moment)
    }
    for (const [step, stage] of path.entries()) {
      make(stage)
      for (const [index, text] of stage.accepted.entries()) {
        // CloudFormation resolves a reference again only where the resource's text differs.
        expect(text).not.toBe(before?.accepted[index])
        accepted[index] = resolved(text)
        look(`step ${step}, function ${index}`)
      }
      if (stage.sent !== before?.sent) sent = resolved(stage.sent)
      look(`step ${step}, CloudFront`)
      // A rollback at this moment goes the other way: functions first again, CloudFront last.
      const others = accepted
      accepted = (before ?? stage).accepted.map(resolved)
      look(`step ${step}, rolled back`)
      accepted = others
      const kept = new Set(stage.secrets.map(([id]) => id))
      for (const id of values.keys()) if (!kept.has(id)) values.delete(id)
      before = stage
    }
    expect(refused).toEqual([])
    expect(new Set(accepted.flatMap((list) => list.split(','))).size).toBe(2)
  })
})

test('the edge of the stack has one key for each meaning, and answers itself what has none', () => {
  const one = ['/blocks', '/blocks?limit=1', '/blocks?limit=001&_=1', '//blocks/?t=2']
  const ten = ['/blocks?limit=10', '/blocks?limit=11', '/blocks?t=2&limit=0010', '//blocks/?limit=99999999']
  const edge = edgeOf(template)
  const keysOf = (targets: readonly string[]) =>
    new Set(targets.map(edge).map((viewed) => ('key' in viewed ? viewed.key : viewed.statusCode)))
  expect([keysOf(one), keysOf(ten)]).toEqual([
    new Set(['["/blocks",{}]']),
    new Set(['["/blocks",{"limit":{"value":"10"}}]']),
  ])
  const none = ['/blocks?limit=0', '/blocks?limit=1&limit=2', '/%62locks', '/nowhere', '/blocks/x', '/accounts/x']
  const refused = none.map(edge).map((viewed) => {
    if ('key' in viewed) return viewed.key
    return [viewed.statusCode, viewed.headers['cache-control']?.value]
  })
  const forSeconds = (seconds: number) => `public, max-age=${seconds}, stale-if-error=0`
  expect(refused).toEqual([
    [400, 'no-store'],
    [400, 'no-store'],
    [404, 'no-store'],
    [404, 'no-store'],
    [404, forSeconds(5)],
    [404, forSeconds(2)],
  ])
})

test('the edge admits every GET of the service with ids that nobody has, and all its options', () => {
  const viewed = [0, 1].flatMap((turn) => attackedTargets(turn).map(([, target]) => target)).map(edgeOf(template))
  const admitted = viewed.filter((each) => 'key' in each)
  expect(admitted).toHaveLength(viewed.length)
  const reads = endpoints.filter(({ method }) => method === 'GET')
  const asked = reads.map(({ path }) => {
    const form = new RegExp(`^${path.replace(/\{\w+\}/, '[^/]+')}$`)
    const names = admitted.flatMap(({ uri, querystring }) => (form.test(uri) ? Object.keys(querystring) : []))
    return [path, [...new Set(names)].sort()]
  })
  expect(asked).toEqual(reads.map(({ path, query }) => [path, Object.keys(query?.options ?? {}).sort()]))
})
