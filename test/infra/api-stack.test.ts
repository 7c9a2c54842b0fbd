import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { Template } from 'aws-cdk-lib/assertions'
import { ApiStack } from '../../infra/api-stack.ts'
import type { StageSettings } from '../../infra/settings/schema.ts'
import { bareApp, release, settings, templateOf } from './stack-template.ts'

const { Outputs: outputs, Resources: resources } = templateOf().toJSON()

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
    ApiAddress: { 'Fn::GetAtt': [idOf('AWS::ApiGatewayV2::Api'), 'ApiEndpoint'] },
    LogGroups: { 'Fn::Join': ['', expect.arrayContaining([{ Ref: expect.stringMatching(/^getSummaryLogs/) }, ' '])] },
    AccessLog: { Ref: expect.stringMatching(/^ApiAccessLog/) },
    DashboardAddress: expect.any(Object),
    AlarmTopic: { Ref: idOf('AWS::SNS::Topic') },
  })
})

/** The warnings for which `cdk deploy --strict` refuses a stack. */
function warningsOf(changed: Partial<StageSettings>): readonly unknown[] {
  const app = bareApp()
  const { artifactId } = new ApiStack(app, { ...settings, ...changed }, release)
  const { messages } = app.synth().getStackArtifact(artifactId)
  return messages.filter(({ level }) => level !== 'info').map(({ entry: { data } }) => data)
}

describe('a stack', () => {
  // The CDK prints warnings there too.
  beforeEach(() => {
    jest.spyOn(console, 'error').mockReturnValue(undefined)
  })
  afterEach(() => {
    jest.restoreAllMocks()
  })

  test('warns of each placeholder in the settings', () => {
    const ofNode = 'https://node.example/graphql'
    const ofIndexer = 'https://indexer.example/graphql'
    expect(warningsOf({ nodeGraphqlUrl: ofNode, indexerGraphqlUrl: ofIndexer })).toEqual([
      expect.stringContaining(`nodeGraphqlUrl is still the placeholder ${ofNode}: set it before you deploy.`),
      expect.stringContaining(`indexerGraphqlUrl is still the placeholder ${ofIndexer}: set it before you deploy.`),
    ])
  })

  test('has no other warning', () => {
    expect(warningsOf({ indexerGraphqlUrl: 'https://indexer.example.org/graphql' })).toEqual([])
  })
})

test('all resources have the release in their tags', () => {
  const app = bareApp()
  const { artifactId } = new ApiStack(app, settings, release)
  expect(app.synth().getStackArtifact(artifactId).tags).toEqual({
    service: 'chain-explorer',
    stage: 'dev',
    version: '1.2.3',
    commit: '0123456789ab',
  })
})

/** Settings with which a stage has the most resources. */
const everything = { originSecretGeneration: 2 }

const policiesOf = (template: Template) =>
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
  ]
  return named.includes(type) ? [] : configurations.map((name) => [type, name] as const)
}

describe('when a stage is destroyed', () => {
  test('every resource is deleted', () => {
    const kept = policiesOf(templateOf(everything)).filter(({ policy }) => policy !== 'Delete')
    expect(kept).toEqual([])
  })

  test('and retains its logs, only the logs stay, except after a failed first deployment', () => {
    const policies = policiesOf(templateOf({ ...everything, retainLogs: true }))
    const byLog = (isLog: boolean) =>
      policies.filter(({ type }) => (type === 'AWS::Logs::LogGroup') === isLog).map(({ policy }) => policy)
    expect([...new Set(byLog(true))]).toEqual(['RetainExceptOnCreate'])
    expect([...new Set(byLog(false))]).toEqual(['Delete'])
  })
})

describe('two stages', () => {
  const app = bareApp()
  const stacks = ['devnet', 'mainnet'].map((stage) => new ApiStack(app, { ...settings, stage }, release))

  test('synthesise in one app', () => {
    expect(app.synth().stacks.map(({ stackName }) => stackName)).toEqual([
      'chain-explorer-devnet',
      'chain-explorer-mainnet',
    ])
  })

  test('fit into one account: required names contain the stage, AWS generates the others', () => {
    const [devnet = [], mainnet = []] = stacks.map((stack) =>
      Object.values(Template.fromStack(stack).toJSON().Resources).flatMap(physicalNames),
    )
    expect(devnet.map(([type]) => type).sort()).toEqual([
      'AWS::ApiGatewayV2::Api',
      'AWS::CloudFront::CachePolicy',
      'AWS::CloudFront::Function',
      'AWS::CloudFront::OriginRequestPolicy',
      'AWS::CloudFront::ResponseHeadersPolicy',
    ])
    const names = new Set(mainnet.map(([, name]) => name))
    expect(devnet.filter(([, name]) => names.has(name))).toEqual([])
  })
})
