import { Stack } from 'aws-cdk-lib'
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'
import { cors } from '../../shared/agreements/cors.ts'
import { largestBodyBytes } from '../../shared/agreements/limits.ts'
import { slowDown } from '../../shared/agreements/refusals.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import type { StageSettings } from '../settings/schema.ts'

/** The period of a rate limit; AWS offers no shorter one. */
const windowSeconds = 60

/** API Gateway decodes paths and the viewer function collapses slashes, so the rules must match such paths too. */
const textTransformations = [
  { priority: 0, type: 'URL_DECODE' },
  { priority: 1, type: 'NORMALIZE_PATH' },
]

/** Repeated slashes match, since the firewall runs before the function that collapses them. */
const pathStartsWith = (path: string): CfnWebACL.StatementProperty => ({
  regexMatchStatement: {
    fieldToMatch: { uriPath: {} },
    regexString: `^${path.replaceAll('/', '/+')}`,
    textTransformations,
  },
})

const bodyIsTooLarge: CfnWebACL.StatementProperty = {
  sizeConstraintStatement: {
    fieldToMatch: { body: { oversizeHandling: 'MATCH' } },
    comparisonOperator: 'GT',
    size: largestBodyBytes,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
}

/** Metric names are shared by all stacks of an account, and AWS reserves some, such as "All". */
const measured = (scope: Construct, name: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName: `${Stack.of(scope).stackName}-${name}`,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: true,
})

/** An answer of the firewall itself, with the cross-origin headers that a page needs to read it. */
const refusal = (status: number, bodyKey: string, retryAfterSeconds?: number): CfnWebACL.RuleActionProperty => ({
  block: {
    customResponse: {
      responseCode: status,
      customResponseBodyKey: bodyKey,
      responseHeaders: [
        { name: 'access-control-allow-origin', value: cors.allowOrigins.join() },
        { name: 'access-control-expose-headers', value: cors.exposeHeaders.join() },
        { name: 'cache-control', value: 'no-store' },
        ...(retryAfterSeconds === undefined ? [] : [{ name: 'retry-after', value: String(retryAfterSeconds) }]),
      ],
    },
  },
})

const jsonBody = (body: object): CfnWebACL.CustomResponseBodyProperty => ({
  contentType: 'APPLICATION_JSON',
  content: JSON.stringify(body),
})

/** Errors of broadcasts have both of these keys, errors of GETs the first one. */
const slowDownBroadcasts = { message: slowDown, error: 'Nothing was submitted.' }

/** A firewall for CloudFront: limits per IP address, and a limit for the bodies of broadcasts. */
export class Firewall extends Construct {
  readonly arn: string

  constructor(scope: Construct, id: string, { requestsPerMinute, broadcastsPerMinute }: StageSettings['firewall']) {
    super(scope, id)

    const perAddress = (
      name: string,
      limit: number,
      scopeDownStatement?: CfnWebACL.StatementProperty,
    ): Omit<CfnWebACL.RuleProperty, 'priority'> => ({
      name,
      statement: {
        rateBasedStatement: {
          limit,
          aggregateKeyType: 'IP',
          evaluationWindowSec: windowSeconds,
          ...(scopeDownStatement !== undefined && { scopeDownStatement }),
        },
      },
      action: refusal(429, name, windowSeconds),
      visibilityConfig: measured(this, name),
    })
    const broadcasts = endpoints.flatMap(({ name, path, failureMessage }) =>
      failureMessage === undefined ? [] : [{ path, ruleName: `${name}Body`, failureMessage }],
    )
    const rules: readonly Omit<CfnWebACL.RuleProperty, 'priority'>[] = [
      perAddress('requests', requestsPerMinute),
      perAddress('broadcasts', broadcastsPerMinute, pathStartsWith('/broadcast')),
      ...broadcasts.map(({ path, ruleName }) => ({
        name: ruleName,
        statement: { andStatement: { statements: [pathStartsWith(path), bodyIsTooLarge] } },
        action: refusal(400, ruleName),
        visibilityConfig: measured(this, ruleName),
      })),
    ]
    const bodies = broadcasts.map(({ ruleName, failureMessage }) => [
      ruleName,
      jsonBody({ message: failureMessage, error: `body must have at most ${largestBodyBytes} bytes` }),
    ])

    this.arn = new CfnWebACL(this, 'Acl', {
      description: 'Limits per IP address',
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: measured(this, 'firewall'),
      customResponseBodies: {
        requests: jsonBody({ message: slowDown }),
        broadcasts: jsonBody(slowDownBroadcasts),
        ...Object.fromEntries(bodies),
      },
      rules: rules.map((rule, priority) => ({ ...rule, priority })),
    }).attrArn
  }
}
