import { Stack } from 'aws-cdk-lib'
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'
import { endpoints } from '../../shared/endpoints/all.ts'
import { cors } from '../../shared/http/cors.ts'
import { blockedAddress, slowDown, slowDownCostly } from '../../shared/http/routes.ts'
import type { StageSettings } from '../settings/schema.ts'

/** The period of a rate limit: the shortest that AWS offers. */
const windowSeconds = 60

/** API Gateway decodes paths and the viewer function collapses slashes, so the rules must match such paths too. */
const textTransformations = [
  { priority: 0, type: 'URL_DECODE' },
  { priority: 1, type: 'NORMALIZE_PATH' },
]

/**
 * Repeated slashes match, since the firewall runs before the function that collapses them.
 *
 * @param paths of routes, or beginnings of paths
 */
const pathStartsWith = (...paths: readonly string[]): CfnWebACL.StatementProperty => ({
  regexMatchStatement: {
    fieldToMatch: { uriPath: {} },
    regexString: `^(${paths.map((path) => path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('/', '/+')).join('|')})`,
    textTransformations,
  },
})

/** Names under which CloudWatch keeps the metrics of a firewall. */
export interface FirewallMetricNames {
  readonly acl: string
  readonly rules: Readonly<Record<string, string>>
}

/** Metric names are shared by all stacks of an account, and AWS reserves some, such as "All". */
const metricName = (scope: Construct, name: string): string => `${Stack.of(scope).stackName}-${name}`

const measured = (scope: Construct, name: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName: metricName(scope, name),
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: true,
})

/** An answer of the firewall itself, with the cross-origin headers that a page needs to read it. */
const answer = (status: number, bodyKey: string, retryAfter?: number): CfnWebACL.RuleActionProperty => ({
  block: {
    customResponse: {
      responseCode: status,
      customResponseBodyKey: bodyKey,
      responseHeaders: [
        { name: 'access-control-allow-origin', value: cors.allowOrigins.join() },
        { name: 'access-control-expose-headers', value: cors.exposeHeaders.join() },
        { name: 'cache-control', value: 'no-store' },
        ...(retryAfter === undefined ? [] : [{ name: 'retry-after', value: String(retryAfter) }]),
      ],
    },
  },
})

const jsonBody = (body: object): CfnWebACL.CustomResponseBodyProperty => ({
  contentType: 'APPLICATION_JSON',
  content: JSON.stringify(body),
})

/** No request with an answer needs a tenth of it. */
const maxQueryBytes = 1024

/** Errors of broadcasts have both of these keys, errors of GETs the first one. */
const slowDownBroadcasts = { message: slowDown, error: 'Nothing was submitted.' }

/** A firewall for CloudFront: limits per IP address, and of a query's length. The functions check the size of a body. */
export class Firewall extends Construct {
  readonly arn: string
  /** The names of its metrics: its own, and those of its rules by what they limit. */
  readonly metricNames: FirewallMetricNames

  constructor(scope: Construct, id: string, settings: StageSettings['firewall']) {
    super(scope, id)
    const { requestsPerMinute, broadcastsPerMinute, costlyRequestsPerMinute, blockedIpSetArn, freeIpSetArn } = settings

    const perAddress = (
      name: string,
      priority: number,
      limit: number,
      scopeDownStatement?: CfnWebACL.StatementProperty,
    ): CfnWebACL.RuleProperty => ({
      name,
      priority,
      statement: {
        rateBasedStatement: {
          limit,
          aggregateKeyType: 'IP',
          evaluationWindowSec: windowSeconds,
          ...(scopeDownStatement !== undefined && { scopeDownStatement }),
        },
      },
      action: answer(429, name, windowSeconds),
      visibilityConfig: measured(this, name),
    })
    const longQuery: CfnWebACL.StatementProperty = {
      sizeConstraintStatement: {
        fieldToMatch: { queryString: {} },
        comparisonOperator: 'GT',
        size: maxQueryBytes,
        textTransformations: [{ priority: 0, type: 'NONE' }],
      },
    }
    const broadcasts = pathStartsWith('/broadcast')
    const costlyPaths = pathStartsWith(...endpoints.flatMap(({ isCostly, path }) => (isCostly ? [path] : [])))
    const isFree = freeIpSetArn !== null && { ipSetReferenceStatement: { arn: freeIpSetArn } }
    const costly = isFree
      ? { andStatement: { statements: [costlyPaths, { notStatement: { statement: isFree } }] } }
      : costlyPaths
    this.arn = new CfnWebACL(this, 'Acl', {
      description: 'Limits per IP address, and of the query',
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: measured(this, 'firewall'),
      customResponseBodies: {
        requests: jsonBody({ message: slowDown }),
        broadcasts: jsonBody(slowDownBroadcasts),
        ...(blockedIpSetArn !== null && { blocked: jsonBody({ ...slowDownBroadcasts, message: blockedAddress }) }),
        ...(costlyRequestsPerMinute !== null && { costly: jsonBody({ message: slowDownCostly }) }),
        query: jsonBody({ message: `the query must have at most ${maxQueryBytes} bytes` }),
      },
      rules: [
        // Before all others, at a priority that stays free without it, so that the other rules stay as they are.
        ...(blockedIpSetArn === null
          ? []
          : [
              {
                name: 'blocked',
                priority: 0,
                statement: { ipSetReferenceStatement: { arn: blockedIpSetArn } },
                action: answer(403, 'blocked'),
                visibilityConfig: measured(this, 'blocked'),
              },
            ]),
        perAddress('requests', 1, requestsPerMinute),
        perAddress('broadcasts', 2, broadcastsPerMinute, broadcasts),
        ...(costlyRequestsPerMinute === null ? [] : [perAddress('costly', 3, costlyRequestsPerMinute, costly)]),
        // Last, so that these requests count for the limits too. Broadcasts ignore their query.
        {
          name: 'query',
          priority: 4,
          statement: { andStatement: { statements: [longQuery, { notStatement: { statement: broadcasts } }] } },
          action: answer(400, 'query'),
          visibilityConfig: measured(this, 'query'),
        },
      ],
    }).attrArn
    const names = [
      ...(blockedIpSetArn === null ? [] : ['blocked']),
      'requests',
      'broadcasts',
      ...(costlyRequestsPerMinute === null ? [] : ['costly']),
      'query',
    ]
    this.metricNames = {
      acl: metricName(this, 'firewall'),
      rules: Object.fromEntries(names.map((name) => [name, metricName(this, name)])),
    }
  }
}
