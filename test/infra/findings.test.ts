// Every finding of cdk-nag and of the CDK's own rules is acknowledged with a reason.
import { expect, test } from '@jest/globals'
import type { StageSettings } from '../../infra/settings/schema.ts'
import { withOneNode, withOtherKeys, withSeveralNodes } from './settings/every-setting.ts'
import { read } from './settings/read-settings.ts'
import { templateOf } from './stack-template.ts'
import type { checkedStage } from './stacks/findings.ts'
import { settings } from './stage-settings.ts'
import { callSynthesiser } from './synthesiser/call.ts'

const firewall = { ...withOneNode.firewall, enabled: true }
const customDomain = { ...withOneNode.customDomain, attached: true }
const everything = read({ ...withOneNode, firewall, customDomain })

test.each<[string, Partial<StageSettings>, boolean]>([
  ['gives every setting', everything, true],
  ['keeps its keys elsewhere', read(withOtherKeys), false],
  [
    'has several nodes, and no firewall',
    { ...read(withSeveralNodes), firewall: { ...settings.firewall, enabled: false } },
    false,
  ],
])('cdk-nag has no finding without a reason in a stage that %s', async (_case, changed, withOwnRules) => {
  const stage = callSynthesiser<typeof checkedStage>('findings.ts', 'checkedStage', changed, withOwnRules)
  expect(await stage).toEqual(['chain-explorer-dev'])
})

test('IAM policies name each action, and allow every resource only to actions that cannot be limited to one', async () => {
  const policies = Object.values((await templateOf(everything)).findResources('AWS::IAM::Policy'))
  const statements: readonly { readonly Action: string | readonly string[]; readonly Resource: unknown }[] =
    policies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
  const actions = statements.flatMap(({ Action: action }) => action)
  expect(actions.filter((action) => action.includes('*'))).toEqual([])
  const onAll = statements.filter(({ Resource: resource }) => [resource].flat().includes('*'))
  expect([...new Set(onAll.flatMap(({ Action: action }) => action))].sort()).toEqual([
    ...['AssignPrivateIpAddresses', 'CreateNetworkInterface', 'DeleteNetworkInterface'].map((name) => `ec2:${name}`),
    ...['DescribeNetworkInterfaces', 'DescribeSubnets', 'UnassignPrivateIpAddresses'].map((name) => `ec2:${name}`),
    ...['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
  ])
})
