import { describe, expect, test } from '@jest/globals'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { onlyResource, type StackTemplate, templateOf } from '../stack-template.ts'
import { settings } from '../stage-settings.ts'

const firewall = { ...settings.firewall, enabled: true, requestsPerMinute: 500, broadcastsPerMinute: 20 }
const ipSet = (name: string) =>
  `arn:aws:wafv2:us-east-1:123456789012:global/ipset/${name}/01234567-89ab-cdef-0123-456789abcdef`
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
    const [requests, broadcasts, , query] = rules.map(({ Statement: statement }: { Statement: object }) => statement)
    const perMinute = { AggregateKeyType: 'IP', EvaluationWindowSec: 60 }
    const toBroadcast = broadcasts.RateBasedStatement.ScopeDownStatement
    expect([requests, broadcasts]).toEqual([
      { RateBasedStatement: { ...perMinute, Limit: 500 } },
      { RateBasedStatement: { ...perMinute, Limit: 20, ScopeDownStatement: toBroadcast } },
    ])
    const { RegexString: pattern, FieldToMatch: field, TextTransformations: read } = toBroadcast.RegexMatchStatement
    const paths = ['/broadcast/transaction', '//broadcast/delegation', '/blocks', '/x/broadcast']
    expect(paths.map((path) => new RegExp(pattern).test(path))).toEqual([true, true, false, false])
    expect([field, read.map(({ Type }: { Type: string }) => Type)]).toEqual([
      { UriPath: {} },
      ['URL_DECODE', 'NORMALIZE_PATH'],
    ])
    const [{ SizeConstraintStatement: size }, others] = query.AndStatement.Statements
    expect(size).toMatchObject({ FieldToMatch: { QueryString: {} }, ComparisonOperator: 'GT', Size: 1024 })
    expect(others).toEqual({ NotStatement: { Statement: toBroadcast } })
  })

  test('answers by its rule, which is counted, so that a page of another site can read it and no cache keeps it', () => {
    const shown = rules.map(({ Name, Priority, Action, VisibilityConfig }: Readonly<Record<string, never>>) => {
      const { ResponseCode, CustomResponseBodyKey, ResponseHeaders } = Object(Action).Block.CustomResponse
      const headers = ResponseHeaders.map((header: { Name: string; Value: string }) => [header.Name, header.Value])
      return [Priority, Name, CustomResponseBodyKey, ResponseCode, Object.fromEntries(headers), VisibilityConfig]
    })
    const counted = (name: string) => ({
      MetricName: `chain-explorer-dev-${name}`,
      ...{ CloudWatchMetricsEnabled: true, SampledRequestsEnabled: true },
    })
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('retry-after'),
      'cache-control': 'no-store',
    }
    const later = { ...headers, 'retry-after': '60' }
    expect(shown).toEqual([
      [1, 'requests', 'requests', 429, later, counted('requests')],
      [2, 'broadcasts', 'broadcasts', 429, later, counted('broadcasts')],
      [3, 'costly', 'costly', 429, later, counted('costly')],
      [4, 'query', 'query', 400, headers, counted('query')],
    ])
    expect(rest.VisibilityConfig).toEqual(counted('firewall'))
  })

  test('refuses in JSON with the fields of the endpoint', () => {
    const message = 'Too many requests from your address. Wait a minute.'
    const body = (fields: object) => ({ ContentType: 'APPLICATION_JSON', Content: JSON.stringify(fields) })
    expect(bodies).toEqual({
      requests: body({ message }),
      broadcasts: body({ message, error: 'Nothing was submitted.' }),
      costly: body({
        message:
          'Too many requests for transactions, histories, the pool or older blocks from your address. Wait a minute.',
      }),
      query: body({ message: 'the query must have at most 1024 bytes' }),
    })
  })

  test('first refuses the addresses of the operator, where the settings name a list, and is otherwise the same', async () => {
    const blockedIpSetArn = ipSet('b')
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

  test('limits each address on the routes whose throttle is lower, as callers may write their paths', async () => {
    const costly = rules[2].Statement.RateBasedStatement
    expect(costly).toEqual({
      AggregateKeyType: 'IP',
      EvaluationWindowSec: 60,
      Limit: 120,
      ScopeDownStatement: { RegexMatchStatement: expect.objectContaining({ FieldToMatch: { UriPath: {} } }) },
    })
    const pattern = new RegExp(costly.ScopeDownStatement.RegexMatchStatement.RegexString)
    const isLimited = (path: string) => pattern.test(path) && pattern.test(`/${path.replaceAll('/', '//')}`)
    const filled = endpoints.map(({ path, ...each }) => ({ ...each, path: path.replaceAll(/\{\w+\}/g, 'B62q') }))
    expect(filled.filter(({ path }) => isLimited(path))).toEqual(filled.filter(({ isCostly }) => isCostly))
    expect(filled.filter(({ isCostly }) => isCostly).length).toBeGreaterThan(3)
  })

  test('leaves others nine tenths of a costly route that twelve addresses use as much as they may', async () => {
    const usual = await templateOf({ firewall: settings.firewall })
    const { Rules } = onlyResource(usual, 'AWS::WAFv2::WebACL').properties
    const { RouteSettings } = onlyResource(usual, 'AWS::ApiGatewayV2::Stage').properties
    const perSecond =
      Rules.find(({ Name }: { Name: string }) => Name === 'costly').Statement.RateBasedStatement.Limit / 60
    const asked = 12 * perSecond + 2
    const answered = endpoints
      .filter(({ isCostly }) => isCostly)
      .map(({ method, path }) => Math.min(1, RouteSettings[`${method} ${path}`].ThrottlingRateLimit / asked))
    expect(Math.min(...answered)).toBeGreaterThanOrEqual(0.9)
  })

  test('does not hold the addresses of the operator to the limit of the costly routes, and has none where it is null', async () => {
    const rulesWith = async (changed: object) =>
      onlyResource(await templateOf({ firewall: { ...firewall, ...changed } }), 'AWS::WAFv2::WebACL').properties.Rules
    const [requests, broadcasts, costly, query] = rules
    const limited = costly.Statement.RateBasedStatement
    expect(await rulesWith({ freeIpSetArn: ipSet('f') })).toEqual([
      requests,
      broadcasts,
      {
        ...costly,
        Statement: {
          RateBasedStatement: {
            ...limited,
            ScopeDownStatement: {
              AndStatement: {
                Statements: [
                  limited.ScopeDownStatement,
                  { NotStatement: { Statement: { IPSetReferenceStatement: { Arn: ipSet('f') } } } },
                ],
              },
            },
          },
        },
      },
      query,
    ])
    expect(await rulesWith({ costlyRequestsPerMinute: null })).toEqual([requests, broadcasts, query])
  })

  test('is absent if the settings turn it off', async () => {
    const without = await templateOf({ firewall: { ...settings.firewall, enabled: false } })
    expect(without.findResources('AWS::WAFv2::WebACL')).toEqual({})
    expect(distributionOf(without)).not.toHaveProperty('WebACLId')
  })
})
