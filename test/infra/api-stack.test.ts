import { describe, expect, test } from '@jest/globals'
import { endpoints } from '../../shared/endpoints/all.ts'
import { withOneNode } from './settings/every-setting.ts'
import { type StackTemplate, stageOf, templateOf } from './stack-template.ts'
import type { committedStage, stages } from './stacks/stages.ts'
import { callSynthesiser } from './synthesiser/call.ts'

const { Outputs: outputs, Resources: resources } = (await templateOf()).toJSON()

const idOf = (type: string): string | undefined =>
  Object.entries<{ Type: string }>(resources).find(([, resource]) => resource.Type === type)?.[0]

const cdnAddress = (before: string, ...after: readonly string[]) => ({
  'Fn::Join': ['', [before, { 'Fn::GetAtt': [idOf('AWS::CloudFront::Distribution'), 'DomainName'] }, ...after]],
})

test('the outputs are the addresses and names that operators need', () => {
  const values = Object.entries<{ Value: unknown; Description: string }>(outputs).map(([name, { Value }]) => [
    name,
    Value,
  ])
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

describe('a stack', () => {
  test('warns of each address with which it cannot work', async () => {
    const nodes = ['a', 'b'].map((name) => ({
      graphqlUrl: `https://${name}.example/graphql`,
      headers: {},
      credential: null,
      sharedAddress: false,
    }))
    const indexerGraphqlUrl = 'https://10.0.0.8/graphql'
    const { warnings } = await stageOf({ nodeGraphqlUrl: null, nodes, indexerGraphqlUrl })
    expect(warnings).toEqual([
      expect.stringContaining('nodes: a.example is still a placeholder: set it before you deploy.'),
      expect.stringContaining('nodes: b.example is still a placeholder: set it before you deploy.'),
      expect.stringContaining('indexerGraphqlUrl: 10.0.0.8 is private, and there is no vpc: no function can reach it.'),
    ])
  })

  test('has no other warning, and none for what may be meant so', async () => {
    const indexerGraphqlUrl = 'https://indexer.example.org/graphql'
    const customDomain = { ...withOneNode.customDomain, attached: false }
    const suspicious = { customDomain, ipv6: true, upstreamHeaders: { 'x-api-key': 'not a secret' } }
    const { warnings } = await stageOf({ indexerGraphqlUrl, ...suspicious })
    expect(warnings).toEqual([])
  })
})

test('another commit changes two outputs and the environments of the functions, and no other resource', async () => {
  const synthesised = async (commit: string) => {
    const { template, tags } = await callSynthesiser<typeof committedStage>('stages.ts', 'committedStage', commit)
    return { tags, text: JSON.stringify(template) }
  }
  const [one, other] = await Promise.all(['0123456789ab', 'ba9876543210'].map(synthesised))
  expect([one?.tags, other?.tags]).toEqual([
    { service: 'chain-explorer', stage: 'dev' },
    { service: 'chain-explorer', stage: 'dev' },
  ])
  const named = '"RELEASE":"1.2.3+0123456789ab"'
  const [, ...environments] = one?.text.split(named) ?? []
  // And that of the docs page.
  expect(environments).toHaveLength(endpoints.length + 1)
  const renewed = one?.text
    .replaceAll(named, '"RELEASE":"1.2.3+ba9876543210"')
    .replace('"Value":"0123456789ab"', '"Value":"ba9876543210"')
  expect(JSON.parse(renewed ?? '')).toEqual(JSON.parse(other?.text ?? ''))
})

/** Settings with which a stage has the most resources. */
const everything = { originSecretGeneration: 2 }

const policiesOf = (template: StackTemplate) =>
  Object.values<{ Type: string; DeletionPolicy?: string }>(template.toJSON().Resources).map(
    ({ Type: type, DeletionPolicy: policy = 'Delete' }) => ({ type, policy }),
  )

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

describe('when a stage is destroyed', () => {
  test('every resource is deleted', async () => {
    const kept = policiesOf(await templateOf(everything)).filter(({ policy }) => policy !== 'Delete')
    expect(kept).toEqual([])
  })

  test('and retains its logs, only the logs stay, except after a failed first deployment', async () => {
    const policies = policiesOf(await templateOf({ ...everything, retainLogs: true }))
    const byLog = (isLog: boolean) =>
      policies.filter(({ type }) => (type === 'AWS::Logs::LogGroup') === isLog).map(({ policy }) => policy)
    expect([...new Set(byLog(true))]).toEqual(['RetainExceptOnCreate'])
    expect([...new Set(byLog(false))]).toEqual(['Delete'])
  })
})

const both = await callSynthesiser<typeof stages>('stages.ts', 'stages', { stage: 'devnet' }, { stage: 'mainnet' })

describe('two stages', () => {
  test('synthesise in one app', () => {
    expect(both.map(({ name }) => name)).toEqual(['chain-explorer-devnet', 'chain-explorer-mainnet'])
  })

  test('fit into one account: required names contain the stage, AWS generates the others', () => {
    const [devnet = [], mainnet = []] = both.map(({ template }) =>
      Object.values(template.Resources).flatMap(physicalNames),
    )
    expect(devnet.map(([type]) => type).sort()).toEqual([
      'AWS::ApiGatewayV2::Api',
      'AWS::CloudFront::CachePolicy',
      'AWS::CloudFront::CachePolicy',
      'AWS::CloudFront::Function',
      'AWS::CloudFront::OriginRequestPolicy',
      'AWS::CloudFront::ResponseHeadersPolicy',
      'AWS::CloudFront::ResponseHeadersPolicy',
      'AWS::Logs::LogGroup',
    ])
    const names = new Set(mainnet.map(([, name]) => name))
    expect(devnet.filter(([, name]) => names.has(name))).toEqual([])
  })
})
