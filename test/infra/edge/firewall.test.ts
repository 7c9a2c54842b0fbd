import { describe, expect, test } from '@jest/globals'
import { onlyResource, type StackTemplate, templateOf } from '../stack-template.ts'
import { settings } from '../stage-settings.ts'

const firewall = { enabled: true, requestsPerMinute: 500, broadcastsPerMinute: 20, blockedIpSetArn: null }
const template = await templateOf({ firewall })

const { id: aclId, properties: acl } = onlyResource(template, 'AWS::WAFv2::WebACL')
const { Rules: rules, CustomResponseBodies: bodies, ...rest } = acl
const distributionOf = (from: StackTemplate) =>
  onlyResource(from, 'AWS::CloudFront::Distribution').properties.DistributionConfig

describe('the firewall', () => {
  test('protects CloudFront and allows requests that match no rule', () => {
    expect(rest).toMatchObject({ Scope: 'CLOUDFRONT', DefaultAction: { Allow: {} } })
    expect(rest).not.toHaveProperty('Name')
    expect(distributionOf(template).WebACLId).toEqual({ 'Fn::GetAtt': [aclId, 'Arn'] })
  })

  test('limits requests and, more strictly, broadcasts per address and minute, and the query of all others', () => {
    const limitOf = (limit: number, more: object = {}) => ({
      RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 60, Limit: limit, ...more },
    })
    const broadcasts = {
      RegexMatchStatement: {
        FieldToMatch: { UriPath: {} },
        RegexString: '^/+broadcast',
        TextTransformations: [
          { Priority: 0, Type: 'URL_DECODE' },
          { Priority: 1, Type: 'NORMALIZE_PATH' },
        ],
      },
    }
    const measured = (name: string) => ({
      MetricName: `chain-explorer-dev-${name}`,
      CloudWatchMetricsEnabled: true,
      SampledRequestsEnabled: true,
    })
    const answer = (status: number, name: string, ...more: readonly object[]) => ({
      Block: {
        CustomResponse: {
          ResponseCode: status,
          CustomResponseBodyKey: name,
          ResponseHeaders: [
            { Name: 'access-control-allow-origin', Value: '*' },
            { Name: 'access-control-expose-headers', Value: expect.stringContaining('retry-after') },
            { Name: 'cache-control', Value: 'no-store' },
            ...more,
          ],
        },
      },
    })
    const longQuery = {
      SizeConstraintStatement: {
        FieldToMatch: { QueryString: {} },
        ComparisonOperator: 'GT',
        Size: 1024,
        TextTransformations: [{ Priority: 0, Type: 'NONE' }],
      },
    }
    const noBroadcast = { NotStatement: { Statement: broadcasts } }
    const later = { Name: 'retry-after', Value: '60' }
    const actions = [answer(429, 'requests', later), answer(429, 'broadcasts', later), answer(400, 'query')]
    expect(rest.VisibilityConfig).toEqual(measured('firewall'))
    expect(rules).toEqual(
      [
        { Name: 'requests', Priority: 1, Statement: limitOf(500) },
        { Name: 'broadcasts', Priority: 2, Statement: limitOf(20, { ScopeDownStatement: broadcasts }) },
        { Name: 'query', Priority: 3, Statement: { AndStatement: { Statements: [longQuery, noBroadcast] } } },
      ].map((rule) => ({ ...rule, VisibilityConfig: measured(rule.Name), Action: actions[rule.Priority - 1] })),
    )
  })

  test('refuses in JSON with the fields of the endpoint', () => {
    const message = 'Too many requests from your address. Wait a minute.'
    const body = (fields: object) => ({ ContentType: 'APPLICATION_JSON', Content: JSON.stringify(fields) })
    expect(bodies).toEqual({
      requests: body({ message }),
      broadcasts: body({ message, error: 'Nothing was submitted.' }),
      query: body({ message: 'the query must have at most 1024 bytes' }),
    })
  })

  test('first refuses the addresses of the operator, where the settings name a list, and is otherwise the same', async () => {
    const blockedIpSetArn = 'arn:aws:wafv2:us-east-1:123456789012:global/ipset/b/01234567-89ab-cdef-0123-456789abcdef'
    const withList = await templateOf({ firewall: { ...firewall, blockedIpSetArn } })
    const { Rules: all, CustomResponseBodies: texts } = onlyResource(withList, 'AWS::WAFv2::WebACL').properties
    const [blocked, ...others] = all
    expect(others).toEqual(rules)
    expect(blocked).toMatchObject({
      Name: 'blocked',
      Priority: 0,
      Statement: { IPSetReferenceStatement: { Arn: blockedIpSetArn } },
      Action: { Block: { CustomResponse: { ResponseCode: 403, CustomResponseBodyKey: 'blocked' } } },
    })
    const text = { message: 'Requests from your address are refused.', error: 'Nothing was submitted.' }
    expect(JSON.parse(texts.blocked.Content)).toEqual(text)
    expect(withList.toJSON().Outputs.FirewallRules.Value).toMatch(/^chain-explorer-dev-blocked /)
  })

  test('is absent if the settings turn it off', async () => {
    const without = await templateOf({ firewall: { ...settings.firewall, enabled: false } })
    expect(without.findResources('AWS::WAFv2::WebACL')).toEqual({})
    expect(distributionOf(without)).not.toHaveProperty('WebACLId')
  })
})
