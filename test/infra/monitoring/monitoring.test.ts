import { describe, expect, test } from '@jest/globals'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { metricsLine } from '../../../functions/runtime/metrics.ts'
import { serve } from '../../../functions/runtime/serve.ts'
import validateSummary from '../../../functions/runtime/validators/get-summary.js'
import { metrics } from '../../../shared/agreements/metrics.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'
import { lambdaContext } from '../../functions/event.ts'
import { replying } from '../../shared/endpoints/asking.ts'
import { blockWire } from '../../shared/mapping/node-wire.ts'
import type { StackTemplate } from '../stack-template.ts'
import type { selectSum } from '../stacks/monitored-stack.ts'
import { callSynthesiser } from '../synthesiser/call.ts'
import { monitored } from './monitored.ts'

/** A value of a template as text, with references as names. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if ('Fn::Join' in value && Array.isArray(value['Fn::Join'])) return value['Fn::Join'][1].map(textOf).join('')
  return Object.values(value).flat().join('.')
}

const template = await monitored()

describe('the topic', () => {
  test('allows only alarms of its own account to publish, and only over TLS', () => {
    const [topic] = Object.keys(template.findResources('AWS::SNS::Topic'))
    const policies = Object.values(template.findResources('AWS::SNS::TopicPolicy')).map(({ Properties }) => Properties)
    expect(policies).toEqual([
      {
        PolicyDocument: {
          Statement: [
            {
              Sid: 'AllowPublishThroughSSLOnly',
              Effect: 'Deny',
              Principal: '*',
              Action: 'sns:Publish',
              Resource: { Ref: topic },
              Condition: { Bool: { 'aws:SecureTransport': 'false' } },
            },
            {
              Sid: 'AlarmsOfThisAccount',
              Effect: 'Allow',
              Principal: { Service: 'cloudwatch.amazonaws.com' },
              Action: 'sns:Publish',
              Resource: { Ref: topic },
              Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
            },
          ],
          Version: '2012-10-17',
        },
        Topics: [{ Ref: topic }],
      },
    ])
  })

  test('has an e-mail subscription if the settings have an address', async () => {
    expect(template.findResources('AWS::SNS::Subscription')).toEqual({})
    const withAddress = await monitored({ alarmEmail: 'ops@example.org' })
    const [subscription] = Object.values(withAddress.findResources('AWS::SNS::Subscription'))
    expect(subscription?.Properties).toMatchObject({ Protocol: 'email', Endpoint: 'ops@example.org' })
  })

  test('is the one in the settings, if they have one', async () => {
    const alarmTopicArn = 'arn:aws:sns:us-east-1:123456789012:ops'
    const given = await monitored({ alarmTopicArn })
    expect(given.findResources('AWS::SNS::Topic')).toEqual({})
    const actions = Object.values(given.findResources('AWS::CloudWatch::Alarm')).map(
      ({ Properties }) => Properties.AlarmActions,
    )
    expect(new Set(actions.flat())).toEqual(new Set([alarmTopicArn]))
  })
})

describe('the heartbeat', () => {
  const heartbeat = (from: StackTemplate) => {
    const [rule] = Object.values(from.findResources('AWS::Events::Rule'))
    return rule?.Properties
  }

  test('invokes the function of the summary every five minutes, without retries by EventBridge', () => {
    expect(heartbeat(template)).toEqual({
      Description: 'Keeps the metrics of the chain alive without traffic',
      ScheduleExpression: 'rate(5 minutes)',
      State: 'ENABLED',
      Targets: [
        {
          Arn: { 'Fn::GetAtt': [expect.stringMatching(/^getSummary[0-9A-F]{8}$/), 'Arn'] },
          Id: 'Target0',
          Input: expect.any(String),
          RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
        },
      ],
    })
  })

  test('is not retried by Lambda', () => {
    const [config] = Object.values(template.findResources('AWS::Lambda::EventInvokeConfig'))
    expect(config?.Properties).toEqual({
      FunctionName: { Ref: expect.stringMatching(/^getSummary[0-9A-F]{8}$/) },
      Qualifier: '$LATEST',
      MaximumEventAgeInSeconds: 60,
      MaximumRetryAttempts: 0,
    })
  })

  test('is an event that the function answers', async () => {
    const event: APIGatewayProxyEventV2 = JSON.parse(heartbeat(template).Targets[0].Input)
    const data = { bestChain: [blockWire], daemonStatus: { chainId: 'a', consensusConfiguration: null } }
    const handler = serve(getSummary, validateSummary, { upstreams: replying({ data }), log: () => undefined })
    expect(await handler(event, lambdaContext())).toMatchObject({ statusCode: 200 })
  })

  test('has the headers that CloudFront adds', () => {
    const { Targets } = heartbeat(template)
    expect(JSON.parse(Targets[0].Input).headers).toEqual({ 'user-agent': 'heartbeat', 'x-origin-secret': 's3cret' })
  })
})

describe('the dashboard', () => {
  const [resource] = Object.values(template.findResources('AWS::CloudWatch::Dashboard'))
  const body = textOf(resource?.Properties.DashboardBody)

  interface Widget {
    readonly type: string
    readonly properties: {
      readonly markdown?: string
      readonly title?: string
      readonly metrics?: readonly (readonly unknown[])[]
      readonly alarms?: readonly string[]
    }
  }
  const { widgets }: { widgets: readonly Widget[] } = JSON.parse(body)

  test('has rows for users, CDN, chain, upstreams, nodes, broadcasts and functions, and shows all alarms', () => {
    const headings = widgets.flatMap(({ properties: { markdown } }) => markdown ?? [])
    expect(headings).toEqual(
      ['Users', 'CDN', 'Chain', 'Node and indexer', 'Several nodes', 'Broadcasts', 'Functions'].map(
        (row) => `## ${row}`,
      ),
    )
    const shown = widgets.find(({ type }) => type === 'alarm')?.properties.alarms
    expect(shown).toHaveLength(Object.keys(template.findResources('AWS::CloudWatch::Alarm')).length)
  })

  test('shows exactly the metrics that the functions write', () => {
    const graphed = widgets.flatMap(({ properties }) => properties.metrics ?? [])
    const named = graphed.flatMap(([namespace, name]) => (namespace === 'ChainExplorer' ? [name] : []))
    const searched = [...body.matchAll(/MetricName=\\"(\w+)\\"/g)].map(([, name]) => name)
    expect([...new Set([...named, ...searched])].toSorted()).toEqual(Object.keys(metrics).toSorted())
  })

  test('searches only for dimensions that the functions write', () => {
    const request = { route: 'POST /broadcast/delegation', status: 400, durationMs: 1, upstream: [] }
    const line = { ...request, broadcast: { outcome: 'refused', code: 'expired' }, missingFields: ['username'] }
    const written = JSON.parse(JSON.stringify(metricsLine(line, 'chain-explorer-test', 0)))
    const kept: readonly { Dimensions: string[][] }[] = written._aws.CloudWatchMetrics
    const schemas = kept.flatMap(({ Dimensions }) => Dimensions.map((set) => `{ChainExplorer,${set.join()}}`))
    const searches = [...body.matchAll(/SEARCH\('(\{[^}]+\}) MetricName=\\"\w+\\" Service=\\"([^"\\]+)\\"/g)]
    expect(searches).toHaveLength(3)
    for (const [, schema, service] of searches) {
      expect(schemas).toContain(schema)
      expect(service).toBe('chain-explorer-test')
    }
  })
})

test('the metrics of the functions have the name of the stack', () => {
  const environments = Object.values(template.findResources('AWS::Lambda::Function')).map(
    ({ Properties }) => Properties.Environment.Variables,
  )
  expect(environments).toEqual(endpoints.map(() => ({ SERVICE_NAME: 'chain-explorer-test' })))
})

test('a metric is refused with dimensions that the functions do not write', async () => {
  const select = (...selection: Parameters<typeof selectSum>) =>
    callSynthesiser<typeof selectSum>('monitored-stack.ts', 'selectSum', ...selection)
  await expect(select('TipHeight', { route: 'GET /summary' })).rejects.toThrow(
    'TipHeight is not written with Service,Route',
  )
  await expect(select('Requests', { outcome: 'unknown' })).rejects.toThrow(
    'Requests is not written with Service,Outcome',
  )
  await expect(select('Requests')).rejects.toThrow('Requests is not written with Service')
})
