import { describe, expect, test } from '@jest/globals'
import { docsPolicy } from '../../../shared/agreements/docs-page.ts'
import { onlyResource, templateOf } from '../stack-template.ts'

const template = await templateOf({ longestCacheSeconds: 60 })
const { DistributionConfig: config } = onlyResource(template, 'AWS::CloudFront::Distribution').properties
const headers = (partOfId: string) => onlyResource(template, 'AWS::CloudFront::ResponseHeadersPolicy', partOfId)
const cache = onlyResource(template, 'AWS::CloudFront::CachePolicy', 'DocsCache')

describe('the docs page at the edge', () => {
  test('has its own behaviours beside that of the broadcasts, all with the API as their origin', () => {
    const shared = { ...config.DefaultCacheBehavior, CachePolicyId: { Ref: cache.id } }
    const ofPage = { ...shared, ResponseHeadersPolicyId: { Ref: headers('DocsHeaders').id } }
    expect(config.CacheBehaviors).toEqual([
      expect.objectContaining({ PathPattern: '/broadcast/*' }),
      { ...ofPage, PathPattern: '/docs' },
      { ...ofPage, PathPattern: '/docs/*' },
      // Pages of other origins read it, as they read answers.
      { ...shared, PathPattern: '/openapi.json', ResponseHeadersPolicyId: { Ref: headers('AddedHeaders').id } },
    ])
  })

  test('is cached for as long as its files say, even where the settings shorten the cache of answers', () => {
    const { CachePolicyConfig: ofAnswers } = onlyResource(
      template,
      'AWS::CloudFront::CachePolicy',
      'AnswerCache',
    ).properties
    expect(cache.properties.CachePolicyConfig).toEqual({
      ...ofAnswers,
      Name: expect.stringContaining('chainexplorerdev'),
      Comment: expect.any(String),
      MaxTTL: 31_536_000,
      ParametersInCacheKeyAndForwardedToOrigin: {
        ...ofAnswers.ParametersInCacheKeyAndForwardedToOrigin,
        QueryStringsConfig: { QueryStringBehavior: 'none' },
      },
    })
  })

  test('has the content security policy of the local docs page, and otherwise the security headers of the API', () => {
    const { SecurityHeadersConfig: ofAnswers } = headers('AddedHeaders').properties.ResponseHeadersPolicyConfig
    expect(headers('DocsHeaders').properties.ResponseHeadersPolicyConfig).toEqual({
      Name: expect.stringContaining('chainexplorerdev'),
      Comment: expect.any(String),
      SecurityHeadersConfig: {
        ...ofAnswers,
        ContentSecurityPolicy: { ContentSecurityPolicy: docsPolicy, Override: true },
      },
    })
    expect(docsPolicy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|https?:|\*/)
  })
})
