// CloudFront's policies: its cache, the forwarded requests and the added headers.
import { Duration, Stack } from 'aws-cdk-lib'
import {
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  type ErrorResponse,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  ResponseHeadersPolicy,
  type ResponseSecurityHeadersBehavior,
} from 'aws-cdk-lib/aws-cloudfront'
import type { Construct } from 'constructs'
import { failureCaching } from '../../shared/http/answer-headers.ts'
import { cors } from '../../shared/http/cors.ts'

/** Every error status with a cache time in CloudFront. */
const errorStatuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]

/**
 * Without these CloudFront caches each error for 10 s, whatever its Cache-Control. An outage costs one call a second for
 * each key, even where API Gateway or CloudFront itself answers without a Cache-Control. Errors of callers are not kept.
 */
export const errorResponses: ErrorResponse[] = errorStatuses.map((httpStatus) => ({
  httpStatus,
  ttl: Duration.seconds(httpStatus < 500 ? 0 : failureCaching.maxAgeSeconds),
}))

/**
 * Caches only responses that set Cache-Control. The cache key is the path with the whole query, which is forwarded too: only for
 * behaviours whose viewer function leaves nothing in a query but an endpoint's options, each in its one spelling. It puts them
 * in one order; no document says that CloudFront keeps that order.
 */
export const answerCache = (scope: Construct, maxSeconds: number): CachePolicy =>
  new CachePolicy(scope, 'AnswerCache', {
    comment: 'As long as the answer says; by path and query',
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.seconds(maxSeconds),
    queryStringBehavior: CacheQueryStringBehavior.all(),
    headerBehavior: CacheHeaderBehavior.none(),
    cookieBehavior: CacheCookieBehavior.none(),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  })

/** Unlike those of caches, the CDK names such policies without the region; all regions of an account share them. */
export function policyName(scope: Construct, name: string): string {
  const { stackName, region } = Stack.of(scope)
  return `${stackName}-${name}-${region}`
}

/** Forwards the headers of a preflight and the content type. None of them changes an answer, so the cache key has none. */
export const forwardedRequest = (scope: Construct): OriginRequestPolicy =>
  new OriginRequestPolicy(scope, 'PassedOn', {
    originRequestPolicyName: policyName(scope, 'PassedOn'),
    comment: 'Preflight headers and content type; what the cache key has is forwarded anyway',
    headerBehavior: OriginRequestHeaderBehavior.allowList(
      'Origin',
      'Access-Control-Request-Method',
      'Access-Control-Request-Headers',
      'Content-Type',
    ),
    queryStringBehavior: OriginRequestQueryStringBehavior.none(),
    cookieBehavior: OriginRequestCookieBehavior.none(),
  })

/** @param contentSecurityPolicy limits a browser that shows an answer as a page */
export const securityHeaders = (contentSecurityPolicy: string): ResponseSecurityHeadersBehavior => ({
  // Subdomains of a custom domain may serve something else.
  strictTransportSecurity: { accessControlMaxAge: Duration.days(365), includeSubdomains: false, override: true },
  contentTypeOptions: { override: true },
  frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
  referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
  contentSecurityPolicy: { contentSecurityPolicy, override: true },
})

/**
 * Cross-origin headers on every answer, since it may have been cached for a caller without an origin. Security headers
 * that keep browsers from showing an answer as a page.
 */
export const addedHeaders = (scope: Construct): ResponseHeadersPolicy =>
  new ResponseHeadersPolicy(scope, 'AddedHeaders', {
    responseHeadersPolicyName: policyName(scope, 'AddedHeaders'),
    comment: 'Cross-origin and security headers',
    corsBehavior: {
      accessControlAllowCredentials: false,
      accessControlAllowOrigins: [...cors.allowOrigins],
      accessControlAllowMethods: [...cors.allowMethods],
      accessControlAllowHeaders: [...cors.allowHeaders],
      accessControlExposeHeaders: [...cors.exposeHeaders],
      accessControlMaxAge: Duration.seconds(cors.maxAgeSeconds),
      originOverride: true,
    },
    securityHeadersBehavior: securityHeaders("default-src 'none'; frame-ancestors 'none'"),
  })
