import { describe, expect, test } from '@jest/globals'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { metricsLine } from '../../../functions/runtime/metrics.ts'
import type { CompiledSchema } from '../../../functions/runtime/request-check.ts'
import { serve } from '../../../functions/runtime/serve.ts'
import { metrics } from '../../../shared/agreements/metrics.ts'
import { fileNameOf } from '../../../shared/agreements/names.ts'
import { parametersOf, unheldValues } from '../../../shared/contract/parameters.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { lambdaContext } from '../../functions/event.ts'
import { chainOf, recording } from '../../shared/endpoints/asking.ts'
import { type StackTemplate, templateOf } from '../stack-template.ts'
import type { heartbeatOf, selectSum } from '../stacks/monitored-stack.ts'
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
  const reads = endpoints.filter(({ method }) => method === 'GET')
  const [rule] = Object.values(template.findResources('AWS::Events::Rule'))
  const targets: readonly { Arn: unknown; Input: string }[] = rule?.Properties.Targets
  const events: readonly APIGatewayProxyEventV2[] = targets.map(({ Input }) => JSON.parse(Input))
  const functionOf = (name: string) => expect.stringMatching(`^${name}[0-9A-F]{8}$`)

  test('invokes the function of each GET every five minutes, without retries by EventBridge', () => {
    expect(rule?.Properties).toEqual({
      Description: 'Keeps the metrics of chain and functions alive without traffic',
      ScheduleExpression: 'rate(5 minutes)',
      State: 'ENABLED',
      Targets: reads.map(({ name }, index) => ({
        Arn: { 'Fn::GetAtt': [functionOf(name), 'Arn'] },
        Id: `Target${index}`,
        Input: expect.any(String),
        RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
      })),
    })
    // EventBridge takes no more for one rule.
    expect(targets.length).toBeLessThanOrEqual(5)
  })

  test('is not retried by Lambda', () => {
    const configs = Object.values(template.findResources('AWS::Lambda::EventInvokeConfig'))
    expect(configs.map(({ Properties }) => Properties)).toEqual(
      reads.map(({ name }) => ({
        FunctionName: { Ref: functionOf(name) },
        Qualifier: '$LATEST',
        MaximumEventAgeInSeconds: 60,
        MaximumRetryAttempts: 0,
      })),
    )
  })

  test('is an event of its route, with the headers that CloudFront adds', () => {
    expect(events.map(({ routeKey, headers }) => ({ routeKey, headers }))).toEqual(
      reads.map(({ path }) => ({
        routeKey: `GET ${path}`,
        headers: { 'user-agent': 'heartbeat', 'x-origin-secret': 's3cret' },
      })),
    )
  })

  test('makes each function ask its node', async () => {
    const asked = await Promise.all(
      reads.map(async (endpoint, index) => {
        const event = events[index]
        if (event === undefined) throw new Error(`no event for ${endpoint.name}`)
        const { default: schema }: { default: CompiledSchema } = await import(
          `../../../functions/runtime/validators/${fileNameOf(endpoint.name)}.js`
        )
        const { context, asked } = recording({ data: null, errors: ['Daemon is bootstrapping'] })
        const handler = serve(endpoint, schema, { chain: chainOf(context), log: () => undefined })
        const { statusCode } = await handler(event, lambdaContext())
        return [endpoint.name, statusCode, asked.slice(0, 1).map(({ variables }) => Object.values(variables))]
      }),
    )
    const values = { ...unheldValues, limit: 1 }
    expect(asked).toEqual(
      reads.map(({ name, path }) => {
        const parameters = name === 'getBlocks' ? (['limit'] as const) : parametersOf(path)
        return [name, 503, [parameters.map((parameter) => values[parameter])]]
      }),
    )
  })

  test('needs a value for each parameter of a path', async () => {
    const heartbeat = callSynthesiser<typeof heartbeatOf>('monitored-stack.ts', 'heartbeatOf', '/blocks/{height}')
    await expect(heartbeat).rejects.toThrow('shared/contract/parameters.ts has no height, which /blocks/{height} takes')
  })
})

interface FirewallRule {
  readonly VisibilityConfig: { readonly MetricName: string }
}

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
      readonly annotations?: { readonly horizontal?: readonly { readonly value: number; readonly label: string }[] }
    }
  }
  const { widgets }: { widgets: readonly Widget[] } = JSON.parse(body)

  test('has rows for users, CDN, API, chain, upstreams, nodes, broadcasts and functions, and shows all alarms', () => {
    const headings = widgets.flatMap(({ properties: { markdown } }) => markdown ?? [])
    expect(headings).toEqual(
      ['Users', 'CDN', 'API', 'Chain', 'Node and indexer', 'Several nodes', 'Broadcasts', 'Functions'].map(
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

  test('shows the thresholds of alarms as lines', () => {
    const lines = widgets.flatMap(({ properties: { title, annotations } }) =>
      (annotations?.horizontal ?? []).map(({ value, label }) => [title, value, label]),
    )
    expect(lines).toEqual([
      ['Latency p99, ms', 15_000, expect.stringMatching(/^threshold: broadcastTransaction, broadcastDelegation\b/)],
      ['Latency p99, ms', 5000, expect.stringMatching(/^threshold: getBlocks, getSummary\b/)],
      ['Latency p99, ms', 10_000, expect.stringMatching(/^threshold: getBlock, getAccount\b/)],
      ['Errors, %', 5, 'threshold'],
      ['Shares that have an alarm, %', 5, 'threshold'],
      ['Age of the tip, slots', 10, 'threshold'],
      ['Concurrent executions', 800, 'threshold'],
      ['Refused past the CDN', 10, 'threshold'],
    ])
  })

  test('shows what the firewall turns away and whether the public address answers, where a stage has them', async () => {
    const metricsOf = (from: StackTemplate, shown: string) => {
      const [resource] = Object.values(from.findResources('AWS::CloudWatch::Dashboard'))
      const shownWidgets: readonly Widget[] = JSON.parse(textOf(resource?.Properties.DashboardBody)).widgets
      return shownWidgets.find(({ properties: { title } }) => title === shown)?.properties.metrics
    }
    const complete = await templateOf({ healthCheck: true })
    const [blocked, address] = ['Turned away by the firewall', 'Public address answers']
    const ofRule = (rule: string, ...more: readonly object[]) => [
      'AWS/WAFV2',
      'BlockedRequests',
      'Rule',
      `chain-explorer-dev-${rule}`,
      'WebACL',
      'chain-explorer-dev-firewall',
      ...more,
    ]
    expect(metricsOf(complete, blocked)).toEqual([
      ofRule('requests', expect.objectContaining({ label: 'requests', stat: 'Sum' })),
      ofRule('broadcasts', expect.objectContaining({ label: 'broadcasts', stat: 'Sum' })),
    ])
    const [acl] = Object.values(complete.findResources('AWS::WAFv2::WebACL'))
    const { Rules, VisibilityConfig } = acl?.Properties ?? {}
    expect([
      VisibilityConfig.MetricName,
      ...Rules.map((rule: FirewallRule) => rule.VisibilityConfig.MetricName),
    ]).toEqual(['firewall', 'requests', 'broadcasts'].map((name) => `chain-explorer-dev-${name}`))
    expect(metricsOf(complete, address)).toEqual([
      ['AWS/Route53', 'HealthCheckStatus', 'HealthCheckId', expect.any(String), expect.anything()],
    ])
    expect([metricsOf(template, blocked), metricsOf(template, address)]).toEqual([undefined, undefined])
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
  expect(environments).toEqual([...endpoints, 'docs'].map(() => ({ SERVICE_NAME: 'chain-explorer-test' })))
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
