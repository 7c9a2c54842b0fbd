// Every finding of cdk-nag and of the CDK's own rules is acknowledged with a reason.
import { describe, expect, test } from '@jest/globals'
import type { StageSettings } from '../../infra/settings/schema.ts'
import { templateOf } from './stack-template.ts'
import type { carelessStack, checkedStage } from './stacks/findings.ts'
import { settings } from './stage-settings.ts'
import { callSynthesiser } from './synthesiser/call.ts'

const credential = { header: 'x-api-key', secret: 'explorer/node', parameter: null }
const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef'
const zone = { hostedZoneId: 'Z0123456789ABC', zoneName: 'example.org' }

/** Every optional part of a stage. */
const everything: Partial<StageSettings> = {
  nodeCredential: credential,
  indexerGraphqlUrl: 'https://indexer.example.org/graphql',
  indexerCredential: { ...credential, secret: null, parameter: '/explorer/indexer' },
  vpc: {
    vpcId: 'vpc-0a1b2c3d',
    subnetIds: ['subnet-0a1b2c3d'],
    availabilityZones: ['us-east-1a'],
    securityGroupIds: ['sg-0a1b2c3d'],
  },
  customDomain: { domainName: 'explorer.example.org', certificateArn, ...zone },
  broadcastReservedConcurrency: 20,
  originSecretGeneration: 2,
  alarmEmail: 'ops@example.org',
  retainLogs: true,
}

describe('cdk-nag', () => {
  test.each<[string, Partial<StageSettings>, boolean]>([
    ['has every optional part', everything, true],
    ['has only a node, and no firewall', { firewall: { ...settings.firewall, enabled: false } }, false],
  ])('has no finding without a reason in a stage that %s', async (_case, changed, withOwnRules) => {
    const stage = callSynthesiser<typeof checkedStage>('findings.ts', 'checkedStage', changed, withOwnRules)
    expect(await stage).toEqual(['chain-explorer-dev'])
  })

  test('has a finding for a careless stack', async () => {
    const stack = callSynthesiser<typeof carelessStack>('findings.ts', 'carelessStack')
    await expect(stack).rejects.toThrow('AwsSolutions-SMG4')
  })
})

const template = await templateOf(everything)

describe('rights', () => {
  interface Statement {
    readonly Action: string | readonly string[]
    readonly Resource: unknown
  }
  const policies = Object.values(template.findResources('AWS::IAM::Policy'))
  const statements: readonly Statement[] = policies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement)

  test('have no wildcard in an action', () => {
    const actions = statements.flatMap(({ Action: action }) => action)
    expect(actions.length).toBeGreaterThan(0)
    expect(actions.filter((action) => action.includes('*'))).toEqual([])
  })

  test('are for every resource only if the action takes none', () => {
    const onAll = statements.filter(({ Resource: resource }) => [resource].flat().includes('*'))
    expect([...new Set(onAll.flatMap(({ Action: action }) => action))].sort()).toEqual([
      'ec2:AssignPrivateIpAddresses',
      'ec2:CreateNetworkInterface',
      'ec2:DeleteNetworkInterface',
      'ec2:DescribeNetworkInterfaces',
      'ec2:DescribeSubnets',
      'ec2:UnassignPrivateIpAddresses',
      'xray:PutTelemetryRecords',
      'xray:PutTraceSegments',
    ])
  })
})
