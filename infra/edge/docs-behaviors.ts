// The CloudFront behaviours of the docs page and the OpenAPI document.
import { Duration } from 'aws-cdk-lib'
import {
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import type { Construct } from 'constructs'
import { docsPolicy, docsRoutes } from '../../shared/http/docs-page.ts'
import { policyName, securityHeaders } from './policies.ts'

/** Keeps a file for as long as it says, by path and the caller's compressed form. No setting shortens that. */
const filesCache = (scope: Construct): CachePolicy =>
  new CachePolicy(scope, 'DocsCache', {
    comment: 'Files of the docs page: as long as they say, by path',
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.days(365),
    queryStringBehavior: CacheQueryStringBehavior.none(),
    headerBehavior: CacheHeaderBehavior.none(),
    cookieBehavior: CacheCookieBehavior.none(),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  })

/** The policy of the API's answers would leave the page blank. */
const pageHeaders = (scope: Construct): ResponseHeadersPolicy =>
  new ResponseHeadersPolicy(scope, 'DocsHeaders', {
    responseHeadersPolicyName: policyName(scope, 'DocsHeaders'),
    comment: 'Security headers of the docs page',
    securityHeadersBehavior: securityHeaders(docsPolicy),
  })

/**
 * The behaviours of the routes beside the contract's, by path pattern. The OpenAPI document is read across origins, so it
 * has the headers of the API's answers.
 *
 * @param shared options of all behaviours
 */
export function docsBehaviors(
  scope: Construct,
  shared: Omit<BehaviorOptions, 'cachePolicy'>,
): Readonly<Record<string, BehaviorOptions>> {
  const behavior = {
    ...shared,
    cachePolicy: filesCache(scope),
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
  }
  const ofPage = { ...behavior, responseHeadersPolicy: pageHeaders(scope) }
  return {
    [docsRoutes.page]: ofPage,
    [docsRoutes.file.replace('{file}', '*')]: ofPage,
    [docsRoutes.description]: behavior,
  }
}
