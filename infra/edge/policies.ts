// What CloudFront keeps, passes on and adds.
import { Duration } from 'aws-cdk-lib'
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
} from 'aws-cdk-lib/aws-cloudfront'
import type { Construct } from 'constructs'
import { requests } from '../../shared/contract/requests.ts'
import { cors } from '../../shared/cors.ts'

/** The query keys of all endpoints. */
export const queryKeys: readonly string[] = [
  ...new Set(Object.values(requests).flatMap(({ query = {} }) => Object.keys(query))),
]

/** Every status for which CloudFront takes a time. */
const errorStatuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]

/** Without these CloudFront keeps each error for 10 s, whatever the answer says. */
export const errorResponses: ErrorResponse[] = errorStatuses.map((httpStatus) => ({
  httpStatus,
  ttl: Duration.seconds(0),
}))

/** Keeps what an answer's cache-control says, and nothing that says nothing. The key is the path and the known query. */
export const answerCache = (scope: Construct, longestSeconds: number): CachePolicy =>
  new CachePolicy(scope, 'AnswerCache', {
    comment: 'As long as the answer says; by path and known query keys',
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.seconds(longestSeconds),
    queryStringBehavior: CacheQueryStringBehavior.allowList(...queryKeys),
    headerBehavior: CacheHeaderBehavior.none(),
    cookieBehavior: CacheCookieBehavior.none(),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  })

/** Passes on what a preflight needs and what a body is; none of it changes an answer, so none of it is in a cache key. */
export const passedOn = (scope: Construct): OriginRequestPolicy =>
  new OriginRequestPolicy(scope, 'PassedOn', {
    comment: 'Preflight headers and content type, known query keys, no cookies',
    headerBehavior: OriginRequestHeaderBehavior.allowList(
      'Origin',
      'Access-Control-Request-Method',
      'Access-Control-Request-Headers',
      'Content-Type',
    ),
    queryStringBehavior: OriginRequestQueryStringBehavior.allowList(...queryKeys),
    cookieBehavior: OriginRequestCookieBehavior.none(),
  })

/**
 * Cross-origin headers on every answer, for an answer may have been cached for a caller without an origin, and security
 * headers for an API: nothing of it is ever to be shown as a page.
 */
export const addedHeaders = (scope: Construct): ResponseHeadersPolicy =>
  new ResponseHeadersPolicy(scope, 'AddedHeaders', {
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
    securityHeadersBehavior: {
      // Of this name only: what is below a zone's own name is not ours to decide.
      strictTransportSecurity: { accessControlMaxAge: Duration.days(365), includeSubdomains: false, override: true },
      contentTypeOptions: { override: true },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      contentSecurityPolicy: {
        contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
        override: true,
      },
    },
  })
