// Every finding of cdk-nag and of the CDK's own rules is acknowledged with a reason.
import { describe, expect, test } from '@jest/globals'
import { type App, Stack, Validations } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { ApiStack } from '../../infra/api-stack.ts'
import type { StageSettings } from '../../infra/settings/schema.ts'
import { bareApp, release, settings } from './stack-template.ts'

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

/** @param withOwnRules whether to check the CDK's own rules too, which take seconds to load */
function checked(withOwnRules: boolean): App {
  const app = bareApp(withOwnRules)
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
  return app
}

describe('cdk-nag', () => {
  test.each<[string, Partial<StageSettings>, boolean]>([
    ['has every optional part', everything, true],
    ['has only a node, and no firewall', { firewall: { ...settings.firewall, enabled: false } }, false],
  ])('has no finding without a reason in a stage that %s', (_case, changed, withOwnRules) => {
    const app = checked(withOwnRules)
    new ApiStack(app, { ...settings, ...changed }, release)
    expect(() => app.synth()).not.toThrow()
  })

  test('has a finding for a careless stack', () => {
    const app = checked(false)
    new Secret(new Stack(app, 'careless'), 'Unrotated')
    expect(() => app.synth()).toThrow('AwsSolutions-SMG4')
  })
})

describe('rights', () => {
  interface Statement {
    readonly Action: string | readonly string[]
    readonly Resource: unknown
  }
  const template = Template.fromStack(new ApiStack(bareApp(), { ...settings, ...everything }, release))
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
