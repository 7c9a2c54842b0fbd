import { describe, expect, test } from '@jest/globals'
import { Template } from 'aws-cdk-lib/assertions'
import { ApiStack } from '../../infra/api-stack.ts'
import { bareApp, release, settings, templateOf } from './stack-template.ts'

/** Everything that may differ between stages, so that the most resources are there. */
const everything = { originSecretGeneration: 2 }

const policiesOf = (template: Template) =>
  Object.values<{ Type: string; DeletionPolicy?: string }>(template.toJSON().Resources).map(
    ({ Type: type, DeletionPolicy: policy = 'Delete' }) => ({ type, policy }),
  )

interface Resource {
  readonly Type: string
  readonly Properties?: Readonly<Record<string, unknown>>
}

/** Names that a resource has itself, or in its one configuration object. */
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
  test('everything goes', () => {
    const kept = policiesOf(templateOf(everything)).filter(({ policy }) => policy !== 'Delete')
    expect(kept).toEqual([])
  })

  test('that keeps its logs, every log stays, unless the first deployment failed, and everything else goes', () => {
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

  test('synthesise side by side', () => {
    expect(app.synth().stacks.map(({ stackName }) => stackName)).toEqual([
      'chain-explorer-devnet',
      'chain-explorer-mainnet',
    ])
  })

  test('fit into one account: what must be named is named after the stage, all else by AWS', () => {
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
