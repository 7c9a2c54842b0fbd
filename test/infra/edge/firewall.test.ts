import { describe, expect, test } from '@jest/globals'
import { type StackTemplate, templateOf } from '../stack-template.ts'
import { settings } from '../stage-settings.ts'

const firewall = { enabled: true, requestsPerMinute: 500, broadcastsPerMinute: 20 }
const template = await templateOf({ firewall })

const aclsOf = (from: StackTemplate) => Object.entries(from.findResources('AWS::WAFv2::WebACL'))
const distributionOf = (from: StackTemplate) =>
  Object.values(from.findResources('AWS::CloudFront::Distribution'))[0]?.Properties.DistributionConfig

const [[aclId = '', acl] = []] = aclsOf(template)
const { Rules: rules, CustomResponseBodies: bodies, ...rest } = acl?.Properties ?? {}

interface FirewallRule {
  readonly Name: string
  readonly Priority: number
  readonly Statement: object
  readonly Action: { readonly Block: { readonly CustomResponse: Refusal } }
}

interface Refusal {
  readonly ResponseCode: number
  readonly CustomResponseBodyKey: string
  readonly ResponseHeaders: readonly { readonly Name: string; readonly Value: string }[]
}

const inWords = rules.map(({ Name: name, Priority: priority, Statement: statement, Action: action }: FirewallRule) => ({
  priority,
  name,
  statement,
  status: action.Block.CustomResponse.ResponseCode,
}))

const pathStartsWith = (path: string) => ({
  RegexMatchStatement: {
    FieldToMatch: { UriPath: {} },
    RegexString: path,
    TextTransformations: [
      { Priority: 0, Type: 'URL_DECODE' },
      { Priority: 1, Type: 'NORMALIZE_PATH' },
    ],
  },
})

test.each([
  ['/broadcast/transaction', true],
  ['//broadcast//transaction/', true],
  ['/broadcast/delegation', true],
  ['/blocks/broadcast/transaction', false],
])('the limit of broadcasts counts requests to %s: %s', (path, isUnder) => {
  const [, { statement }] = inWords
  const { RegexString: text } = statement.RateBasedStatement.ScopeDownStatement.RegexMatchStatement
  expect(new RegExp(text).test(path)).toBe(isUnder)
})

describe('the firewall', () => {
  test('protects CloudFront and allows requests that match no rule', () => {
    expect(rest).toMatchObject({ Scope: 'CLOUDFRONT', DefaultAction: { Allow: {} } })
    expect(rest).not.toHaveProperty('Name')
    expect(distributionOf(template).WebACLId).toEqual({ 'Fn::GetAtt': [aclId, 'Arn'] })
  })

  test('has metric names that contain the name of the stack', () => {
    const names = [rest, ...rules].map(({ VisibilityConfig: { MetricName } }) => MetricName)
    expect(names).toEqual([
      'chain-explorer-dev-firewall',
      'chain-explorer-dev-requests',
      'chain-explorer-dev-broadcasts',
    ])
  })

  test('limits requests and, more strictly, broadcasts per address and minute, and nothing else', () => {
    const rate = { AggregateKeyType: 'IP', EvaluationWindowSec: 60 }
    expect(inWords).toEqual([
      { priority: 0, name: 'requests', status: 429, statement: { RateBasedStatement: { ...rate, Limit: 500 } } },
      {
        priority: 1,
        name: 'broadcasts',
        status: 429,
        statement: { RateBasedStatement: { ...rate, Limit: 20, ScopeDownStatement: pathStartsWith('^/+broadcast') } },
      },
    ])
  })

  test('refuses in JSON with the fields of the endpoint', () => {
    const answers = Object.entries<{ Content: string; ContentType: string }>(bodies).map(([name, body]) => [
      name,
      body.ContentType,
      JSON.parse(body.Content),
    ])
    const message = 'Too many requests from your address. Wait a minute.'
    expect(answers).toEqual([
      ['requests', 'APPLICATION_JSON', { message }],
      ['broadcasts', 'APPLICATION_JSON', { message, error: 'Nothing was submitted.' }],
    ])
  })

  test('answers with cross-origin headers, without caching, and with the time to wait', () => {
    const headers = rules.map(({ Action: { Block } }: FirewallRule) => {
      const { CustomResponseBodyKey: key, ResponseHeaders: list } = Block.CustomResponse
      return [key, Object.fromEntries(list.map(({ Name: name, Value: value }) => [name, value]))]
    })
    const always = {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('retry-after'),
      'cache-control': 'no-store',
    }
    expect(headers).toEqual([
      ['requests', { ...always, 'retry-after': '60' }],
      ['broadcasts', { ...always, 'retry-after': '60' }],
    ])
  })

  test('is absent if the settings turn it off', async () => {
    const without = await templateOf({ firewall: { ...settings.firewall, enabled: false } })
    expect(aclsOf(without)).toEqual([])
    expect(distributionOf(without)).not.toHaveProperty('WebACLId')
  })
})
