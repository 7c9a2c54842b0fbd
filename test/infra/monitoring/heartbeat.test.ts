import { describe, expect, test } from '@jest/globals'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { serve } from '../../../functions/runtime/serve.ts'
import { readersOf } from '../../../local/start/routes.ts'
import { parametersOf, unheldValues } from '../../../shared/contract/parameters.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { lambdaContext } from '../../functions/event.ts'
import { chainOf, recording } from '../../shared/endpoints/asking.ts'
import { withOneNode } from '../settings/every-setting.ts'
import { onlyResource, templateOf } from '../stack-template.ts'
import { textOf } from './alarm-text.ts'

const template = await templateOf()

describe('the heartbeat', () => {
  const reads = endpoints.filter(({ method }) => method === 'GET')
  const rules = Object.values(template.findResources('AWS::Events::Rule')).map(({ Properties }) => Properties)
  const targets: readonly { Arn: unknown; Input: unknown }[] = rules.flatMap(({ Targets }) => Targets)
  const events: readonly APIGatewayProxyEventV2[] = targets.map(({ Input }) => JSON.parse(textOf(Input)))
  const functionOf = (name: string) => expect.stringMatching(`^${name}Function[0-9A-F]{8}$`)

  test('invokes the function of each GET every five minutes, without retries by EventBridge or Lambda', () => {
    const schedule = { ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' }
    expect(rules).toMatchObject([schedule, schedule])
    expect(targets).toMatchObject(
      reads.map(({ name }) => ({
        Arn: { 'Fn::GetAtt': [functionOf(name), 'Arn'] },
        Input: expect.any(Object),
        RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
      })),
    )
    // EventBridge takes no more for one rule.
    expect(rules.map(({ Targets }) => Targets.length)).toEqual([5, 2])
    const configs = Object.values(template.findResources('AWS::Lambda::EventInvokeConfig'))
    expect(configs.map(({ Properties }) => [Properties.FunctionName, Properties.MaximumRetryAttempts])).toEqual(
      reads.map(({ name }) => [{ Ref: functionOf(name) }, 0]),
    )
  })

  test('is an event of its route, with the secret header of CloudFront', () => {
    const headers = {
      'user-agent': 'heartbeat',
      'x-origin-secret': '{{resolve:secretsmanager:OriginSecretGeneration1:SecretString:::}}',
    }
    expect(events).toMatchObject(reads.map(({ path }) => ({ routeKey: `GET ${path}`, headers })))
  })

  test('makes each function ask its node', async () => {
    const asked = await Promise.all(
      reads.map(async (endpoint, index) => {
        const { context, asked } = recording({ data: null, errors: ['Daemon is bootstrapping'] })
        const handler = serve(endpoint, {
          ...(await readersOf(endpoint)),
          chain: chainOf(context),
          log: () => undefined,
        })
        const { statusCode } = await handler(events[index] as APIGatewayProxyEventV2, lambdaContext())
        return [
          endpoint.name,
          statusCode,
          asked.slice(0, 1).map(({ variables }) => Object.values(variables).map(String)),
        ]
      }),
    )
    const values = { ...unheldValues, limit: '1', blocks: '20' }
    expect(asked).toEqual(
      reads.map(({ name, path }) => {
        const further = { getBlocks: ['limit'], getAccountTransactions: ['blocks'] } as const
        const parameters = [...parametersOf(path), ...(further[name as keyof typeof further] ?? [])]
        return [name, 503, [parameters.map((parameter) => values[parameter])]]
      }),
    )
  })
})

describe('the heartbeat of broadcasts', () => {
  test('posts the payment of its network to the public address every five minutes, outside any VPC', async () => {
    const { attached: _, ...domain } = withOneNode.customDomain
    const withHeartbeat = await templateOf({
      broadcastHeartbeat: true,
      vpc: withOneNode.vpc,
      network: 'mainnet',
      customDomain: { ...domain, attached: true },
    })
    const { id, properties: poster } = onlyResource(withHeartbeat, 'AWS::Lambda::Function', 'BroadcastHeartbeat')
    expect(poster.Environment.Variables).toEqual({
      BROADCAST_ADDRESS: 'https://explorer.example.org/broadcast/transaction',
      NETWORK: 'mainnet',
    })
    expect(poster).not.toHaveProperty('VpcConfig')
    expect(onlyResource(withHeartbeat, 'AWS::Events::Rule', 'BroadcastHeartbeat').properties).toMatchObject({
      ScheduleExpression: 'rate(5 minutes)',
      State: 'ENABLED',
      Targets: [{ Arn: { 'Fn::GetAtt': [id, 'Arn'] }, RetryPolicy: { MaximumRetryAttempts: 0 } }],
    })
  })

  test('is absent unless the settings ask for it', () => {
    expect(Object.keys(template.findResources('AWS::Events::Rule'))).toHaveLength(2)
  })
})
