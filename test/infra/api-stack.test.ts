import { describe, expect, test } from '@jest/globals'
import { endpoints } from '../../shared/endpoints/all.ts'
import { withOneNode } from './settings/every-setting.ts'
import { type StackTemplate, stageOf, templateOf } from './stack-template.ts'
import type { stages } from './stacks/stages.ts'
import { settings } from './stage-settings.ts'
import { callSynthesiser } from './synthesiser/call.ts'

const template = (await templateOf({ healthCheck: true })).toJSON()
const { Outputs: outputs, Resources: resources } = template

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
    TicketTopic: { Ref: idOf('AWS::SNS::Topic') },
    RollbackAlarms: expect.any(Object),
    HealthCheckId: { Ref: idOf('AWS::Route53::HealthCheck') },
    FirewallArn: { 'Fn::GetAtt': [idOf('AWS::WAFv2::WebACL'), 'Arn'] },
    FirewallRules: ['requests', 'broadcasts', 'costly', 'query'].map((rule) => `chain-explorer-dev-${rule}`).join(' '),
    PreviousVersion: { Ref: 'PreviousVersionGiven' },
    PreviousCommit: { Ref: 'PreviousCommitGiven' },
    Version: '1.2.3',
    Commit: '0123456789ab',
  })
})

test('the outputs of the previous release are absent unless a deployment names it', () => {
  const { Parameters: parameters, Conditions: conditions } = template
  const names = ['PreviousVersion', 'PreviousCommit']
  expect(names.map((name) => [outputs[name].Condition, parameters[`${name}Given`].Default])).toEqual(
    names.map((name) => [`${name}IsGiven`, '']),
  )
  expect(conditions).toEqual(
    Object.fromEntries(
      names.map((name) => [`${name}IsGiven`, { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: `${name}Given` }, ''] }] }]),
    ),
  )
})

test('another generation of the API replaces the API and its routes, and no function, log group or distribution', async () => {
  const idsIn = (from: Record<string, { Type: string }>) =>
    Object.entries(from).map(([id, { Type }]) => `${Type} ${id}`)
  const next = (await templateOf({ healthCheck: true, apiGeneration: 2 })).toJSON().Resources
  const replaced = idsIn(resources).filter((id) => !idsIn(next).includes(id))
  expect([...new Set(replaced.map((id) => id.split(' ')[0]))].toSorted()).toEqual([
    ...['Api', 'Integration', 'Route'].map((type) => `AWS::ApiGatewayV2::${type}`),
    'AWS::Lambda::Permission',
  ])
  expect(idsIn(next)).toHaveLength(idsIn(resources).length)
})

test('a stack warns of each address with which it cannot work, and of no setting that may be intended', async () => {
  const nodes = ['a', 'b'].map((name) => ({
    graphqlUrl: `https://${name}.example/graphql`,
    headers: { 'x-api-key': 'not a secret' },
    credential: null,
    sharedAddress: false,
  }))
  const customDomain = { ...withOneNode.customDomain, attached: false }
  const upstreams = { nodeGraphqlUrl: null, nodes, indexerGraphqlUrl: ['https://10.0.0.8/graphql'] }
  const { warnings } = await stageOf({ ...upstreams, customDomain, ipv6: true })
  expect(warnings).toEqual([
    expect.stringContaining('nodes: a.example is still a placeholder: set it before you deploy.'),
    expect.stringContaining('nodes: b.example is still a placeholder: set it before you deploy.'),
    expect.stringContaining('indexerGraphqlUrl: 10.0.0.8 is private, and there is no vpc: no function can reach it.'),
  ])
})

test('the tags of a stage stand beside those by which its costs are found', async () => {
  const { tags } = await stageOf({ tags: { CostCenter: '42' } })
  const own = { service: 'chain-explorer', stage: 'dev', deployment: 'chain-explorer-dev/us-east-1' }
  expect(tags).toEqual({ CostCenter: '42', ...own })
})

test('another commit changes two outputs and the environments of the functions, and no other resource', async () => {
  const synthesised = async (commit: string) => {
    const { template, tags } = await stageOf({ commit })
    expect(tags).toEqual({ service: 'chain-explorer', stage: 'dev', deployment: 'chain-explorer-dev/us-east-1' })
    return JSON.stringify(template.toJSON())
  }
  const [one, other] = ['0123456789ab', 'ba9876543210'] as const
  const named = `"RELEASE":"1.2.3+${one}"`
  const text = await synthesised(one)
  // Those of the endpoints and that of the docs page.
  expect(text.split(named)).toHaveLength(endpoints.length + 2)
  const renewed = text.replaceAll(named, `"RELEASE":"1.2.3+${other}"`).replace(`"Value":"${one}"`, `"Value":"${other}"`)
  expect(JSON.parse(renewed)).toEqual(JSON.parse(await synthesised(other)))
})

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

test.each([
  ['mainnet', null, true],
  ['mainnet', false, false],
  ['devnet', null, false],
  ['devnet', true, true],
] as const)('a stack of %s with terminationProtection %s is protected: %s', async (network, setting, expected) => {
  const { terminationProtection } = await stageOf({ network, terminationProtection: setting })
  expect(terminationProtection).toBe(expected)
})

/** The names that a template fixes, in properties or configuration objects of resources. Other names are references. */
const namesIn = ({ Resources }: ReturnType<StackTemplate['toJSON']>): readonly string[] =>
  Object.values<{ Type: string; Properties?: object }>(Resources).flatMap(({ Type, Properties = {} }) => {
    const [, configuration] = Object.entries(Properties).find(([key]) => key.endsWith('PolicyConfig')) ?? []
    return (
      Object.entries({ ...Properties, ...configuration })
        .map(([key, value]) => [key, JSON.stringify(value)] as const)
        .filter(([key, value]) => /(?<!Metric)Name$/.test(key) && !/"Fn::GetAtt"|"Ref":"(?!AWS)/.test(value))
        // An inline policy is known only within its role.
        .filter(() => Type !== 'AWS::IAM::Policy')
        .map(([key, value]) => `${Type} ${key} ${value}`)
    )
  })

const shared = (some: readonly string[] = [], others: readonly string[] = []) =>
  some.filter((name) => others.includes(name))

describe('the fixed names fit into one account', () => {
  test('two stages share no name', async () => {
    const both = await callSynthesiser<typeof stages>('stages.ts', 'stages', { stage: 'devnet' }, { stage: 'mainnet' })
    expect(both.map(({ name }) => name)).toEqual(['chain-explorer-devnet', 'chain-explorer-mainnet'])
    const [devnet = [], mainnet = []] = both.map(({ template }) => namesIn(template))
    expect(shared(devnet, mainnet)).toEqual(['AWS::ApiGatewayV2::Stage StageName "$default"'])
  })

  test('two regions share no name of CloudFront, whose names all regions share', async () => {
    const [here, there] = await Promise.all(
      ['us-east-1', 'eu-west-1'].map(async (region) => {
        const firewall = { ...settings.firewall, enabled: false }
        return namesIn((await templateOf({ region, firewall })).toJSON())
      }),
    )
    const ofCloudFront = here?.filter((name) => name.startsWith('AWS::CloudFront::'))
    expect(ofCloudFront).toHaveLength(6)
    expect(shared(ofCloudFront, there)).toEqual([])
  })
})
