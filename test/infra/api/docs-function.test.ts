import { expect, test } from '@jest/globals'
import { docsByRoute, functionsByRoute } from '../route-functions.ts'
import { templateOf } from '../stack-template.ts'

const vpc = {
  vpcId: 'vpc-0a1b2c3d',
  subnetIds: ['subnet-0a1b2c3d'],
  availabilityZones: ['us-east-1a'],
  securityGroupIds: ['sg-0a1b2c3d'],
}

test('the function of the docs page is like the others, but knows no upstream and is in no VPC', async () => {
  const template = await templateOf({ vpc })
  const [docs, ...others] = Object.values(docsByRoute(template))
  const summary = functionsByRoute(template)['GET /summary']
  expect(others).toEqual(others.map(() => docs))
  const { VpcConfig: _, ...ofSummary } = summary?.properties ?? {}
  expect(docs?.properties).toEqual({
    ...ofSummary,
    Description: 'GET /docs and /openapi.json: the docs page with try-it',
    Environment: {
      Variables: {
        RELEASE: '1.2.3+0123456789ab',
        ORIGIN_SECRETS: ofSummary.Environment.Variables.ORIGIN_SECRETS,
        SERVICE_NAME: 'chain-explorer-dev',
      },
    },
    Role: { 'Fn::GetAtt': [expect.stringMatching(/^docsRole/), 'Arn'] },
    LoggingConfig: { ...ofSummary.LoggingConfig, LogGroup: { Ref: expect.stringMatching(/^docsLogs/) } },
    Code: expect.any(Object),
  })
})

test('it may write its log and do nothing else', async () => {
  const policies = Object.entries((await templateOf({ vpc })).findResources('AWS::IAM::Policy'))
  const own = policies.filter(([id]) => id.startsWith('docs')).map(([, { Properties }]) => Properties)
  expect(
    own.flatMap(({ PolicyDocument: { Statement } }) => Statement.map(({ Action }: { Action: unknown }) => Action)),
  ).toEqual([['logs:CreateLogStream', 'logs:PutLogEvents']])
})
