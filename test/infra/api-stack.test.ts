import { expect, test } from '@jest/globals'
import { endpoints } from '../../shared/endpoints/all.ts'
import { withOneNode } from './settings/every-setting.ts'
import { stageOf, templateOf } from './stack-template.ts'
import type { committedStage, stages } from './stacks/stages.ts'
import { callSynthesiser } from './synthesiser/call.ts'

const { Outputs: outputs, Resources: resources } = (await templateOf()).toJSON()

const idOf = (type: string): string | undefined =>
  Object.entries<{ Type: string }>(resources).find(([, resource]) => resource.Type === type)?.[0]

const cdnAddress = (before: string, ...after: readonly string[]) => ({
  'Fn::Join': ['', [before, { 'Fn::GetAtt': [idOf('AWS::CloudFront::Distribution'), 'DomainName'] }, ...after]],
})

test('the outputs are the addresses and names that operators need', () => {
  const values = Object.entries<{ Value: unknown }>(outputs).map(([name, { Value }]) => [name, Value])
  expect(Object.fromEntries(values)).toEqual({
    BaseAddress: cdnAddress('https://'),
    TryIt: cdnAddress('curl -i https://', '/summary'),
    CdnAddress: cdnAddress('https://'),
    DistributionId: { Ref: idOf('AWS::CloudFront::Distribution') },
    ApiAddress: { 'Fn::GetAtt': [idOf('AWS::ApiGatewayV2::Api'), 'ApiEndpoint'] },
    LogGroups: { 'Fn::Join': ['', expect.arrayContaining([{ Ref: expect.stringMatching(/^getSummaryLogs/) }, ' '])] },
    AccessLog: { Ref: expect.stringMatching(/^ApiAccessLog/) },
    DashboardAddress: expect.any(Object),
    AlarmTopic: { Ref: idOf('AWS::SNS::Topic') },
    Version: '1.2.3',
    Commit: '0123456789ab',
  })
})

test('a stack warns of each address with which it cannot work, and of no setting that may be intended', async () => {
  const nodes = ['a', 'b'].map((name) => ({
    graphqlUrl: `https://${name}.example/graphql`,
    headers: { 'x-api-key': 'not a secret' },
    credential: null,
    sharedAddress: false,
  }))
  const customDomain = { ...withOneNode.customDomain, attached: false }
  const upstreams = { nodeGraphqlUrl: null, nodes, indexerGraphqlUrl: 'https://10.0.0.8/graphql' }
  const { warnings } = await stageOf({ ...upstreams, customDomain, ipv6: true })
  expect(warnings).toEqual([
    expect.stringContaining('nodes: a.example is still a placeholder: set it before you deploy.'),
    expect.stringContaining('nodes: b.example is still a placeholder: set it before you deploy.'),
    expect.stringContaining('indexerGraphqlUrl: 10.0.0.8 is private, and there is no vpc: no function can reach it.'),
  ])
})

test('another commit changes two outputs and the environments of the functions, and no other resource', async () => {
  const synthesised = async (commit: string) => {
    const { template, tags } = await callSynthesiser<typeof committedStage>('stages.ts', 'committedStage', commit)
    expect(tags).toEqual({ service: 'chain-explorer', stage: 'dev' })
    return JSON.stringify(template)
  }
  const [one, other] = ['0123456789ab', 'ba9876543210'] as const
  const named = `"RELEASE":"1.2.3+${one}"`
  const text = await synthesised(one)
  // Those of the endpoints and that of the docs page.
  expect(text.split(named)).toHaveLength(endpoints.length + 2)
  const renewed = text.replaceAll(named, `"RELEASE":"1.2.3+${other}"`).replace(`"Value":"${one}"`, `"Value":"${other}"`)
  expect(JSON.parse(renewed)).toEqual(JSON.parse(await synthesised(other)))
})

interface Resource {
  readonly Type: string
  readonly Properties?: Readonly<Record<string, unknown>>
}

/** The names in a resource's properties or in its configuration object. */
function physicalNames(resource: unknown): readonly (readonly [type: string, name: unknown])[] {
  const { Type: type, Properties: properties = {} } = resource as Resource
  const configurations = Object.entries(properties).flatMap(([key, value]) =>
    key === 'Name' || /^\w+(?<!Policy|Metric)Name$/.test(key)
      ? [value]
      : key.endsWith('PolicyConfig')
        ? [(value as Record<string, unknown>).Name]
        : [],
  )
  const named = [
    'AWS::ApiGatewayV2::Stage',
    'AWS::Lambda::Permission',
    'AWS::Lambda::EventInvokeConfig',
    'AWS::IAM::Policy',
    'AWS::Route53::RecordSet',
    'AWS::Logs::MetricFilter',
  ]
  return named.includes(type) ? [] : configurations.map((name) => [type, name] as const)
}

test.each([
  [false, ['Delete']],
  [true, ['RetainExceptOnCreate']],
])('a destroyed stage deletes every resource, but its logs if retainLogs is %s', async (retainLogs, ofLogs) => {
  const template = await templateOf({ originSecretGeneration: 2, retainLogs })
  const policies = (isLog: boolean) => [
    ...new Set(
      Object.values<{ Type: string; DeletionPolicy?: string }>(template.toJSON().Resources)
        .filter(({ Type }) => (Type === 'AWS::Logs::LogGroup') === isLog)
        .map(({ DeletionPolicy }) => DeletionPolicy ?? 'Delete'),
    ),
  ]
  expect([policies(true), policies(false)]).toEqual([ofLogs, ['Delete']])
})

const both = await callSynthesiser<typeof stages>('stages.ts', 'stages', { stage: 'devnet' }, { stage: 'mainnet' })

test('two stages fit into one account: required names contain the stage, AWS generates the others', () => {
  expect(both.map(({ name }) => name)).toEqual(['chain-explorer-devnet', 'chain-explorer-mainnet'])
  const [devnet = [], mainnet = []] = both.map(({ template }) =>
    Object.values(template.Resources).flatMap(physicalNames),
  )
  expect(devnet.map(([type]) => type).sort()).toEqual([
    'AWS::ApiGatewayV2::Api',
    ...[
      'CachePolicy',
      'CachePolicy',
      'Function',
      'OriginRequestPolicy',
      'ResponseHeadersPolicy',
      'ResponseHeadersPolicy',
    ].map((type) => `AWS::CloudFront::${type}`),
    'AWS::Logs::LogGroup',
  ])
  const names = new Set(mainnet.map(([, name]) => name))
  expect(devnet.filter(([, name]) => names.has(name))).toEqual([])
})
