import { expect, test } from '@jest/globals'
import { templateOf } from './stack-template.ts'

const { Outputs: outputs, Resources: resources } = templateOf().toJSON()

const idOf = (type: string): string | undefined =>
  Object.entries<{ Type: string }>(resources).find(([, resource]) => resource.Type === type)?.[0]

const cdnAddress = (before: string, ...after: readonly string[]) => ({
  'Fn::Join': ['', [before, { 'Fn::GetAtt': [idOf('AWS::CloudFront::Distribution'), 'DomainName'] }, ...after]],
})

test('a deployment tells where everything is', () => {
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
