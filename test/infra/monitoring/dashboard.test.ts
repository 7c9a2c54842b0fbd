import { describe, expect, test } from '@jest/globals'
import { keptUnder, type MetricName, metrics } from '../../../shared/deployment/metrics.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { routeOf } from '../../../shared/http/routes.ts'
import { countsOf } from '../../../tools/generate/cost/at-rest.ts'
import { freeDashboardMetrics } from '../../../tools/generate/cost/prices.ts'
import type { CloudFormation } from '../../../tools/synthesise.ts'
import { onlyResource, type StackTemplate, templateOf } from '../stack-template.ts'
import { settings } from '../stage-settings.ts'
import { textOf } from './alarm-text.ts'

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

const bodyOf = (stage: StackTemplate): string =>
  textOf(onlyResource(stage, 'AWS::CloudWatch::Dashboard').properties.DashboardBody)
const widgetsOf = (stage: StackTemplate): readonly Widget[] => JSON.parse(bodyOf(stage)).widgets
/** The rows of all graphs: a metric with its dimensions, or an expression. */
const graphedIn = (stage: StackTemplate) => widgetsOf(stage).flatMap(({ properties }) => properties.metrics ?? [])

const template = await templateOf({ healthCheck: true })
const widgets = widgetsOf(template)

describe('the dashboard', () => {
  test('has rows for users, CDN, API, chain, upstreams, nodes, broadcasts and functions, and shows all alarms', () => {
    const rows = ['Users', 'CDN', 'API', 'Chain', 'Node and indexer', 'Several nodes', 'Broadcasts', 'Functions']
    expect(widgets.flatMap(({ properties: { markdown } }) => markdown ?? [])).toEqual(rows.map((row) => `## ${row}`))
    const shown = widgets.find(({ type }) => type === 'alarm')?.properties.alarms
    const alarms = ['Alarm', 'CompositeAlarm'].flatMap((type) =>
      Object.values(template.findResources(`AWS::CloudWatch::${type}`)),
    )
    expect(shown).toHaveLength(alarms.filter(({ Properties }) => Properties.AlarmActions).length)
  })

  test('shows the thresholds of alarms as lines', () => {
    const lines = widgets.flatMap(({ properties: { title, annotations } }) =>
      (annotations?.horizontal ?? []).map(({ value }) => `${title}: ${value}`),
    )
    expect(lines).toEqual([
      ...[
        'Failed, %: 7.2',
        'Failed, %: 3',
        'Latency p99, ms: 15000',
        'Latency p99, ms: 5000',
        'Latency p99, ms: 10000',
      ],
      ...[
        'Errors, %: 5',
        'Viewer function, errors and throttles: 10',
        'Shares that have an alarm, %: 5',
        'Age of the tip, slots: 30',
        'Age of the tip, slots: 20',
        'Blocks that the indexer lies behind: 10',
        'Blocks that one lies behind: 2',
      ],
      ...['Concurrent executions: 800', 'Ended in a bug: 0', 'Refused past the CDN: 10'],
    ])
  })

  test('shows how much of its time the viewer function takes', () => {
    const metrics = widgets.flatMap(({ properties }) => properties.metrics ?? [])
    expect(metrics.find(([, name]) => name === 'FunctionComputeUtilization')).toEqual([
      ...['AWS/CloudFront', 'FunctionComputeUtilization', 'FunctionName', expect.any(String), 'Region', 'Global'],
      expect.objectContaining({ stat: 'Maximum' }),
    ])
  })

  test('shows the refusals of the firewall, and if the public address answers, on stages that have them', async () => {
    const titles = ['Turned away by the firewall', 'Public address answers']
    const metricsOf = (shown: readonly Widget[]) =>
      titles.map((title) => shown.find(({ properties }) => properties.title === title)?.properties.metrics)
    const ofRule = (label: string, rule = `chain-explorer-dev-${label}`) => [
      ...['AWS/WAFV2', 'BlockedRequests', 'Rule', rule],
      ...['WebACL', 'chain-explorer-dev-firewall', expect.objectContaining({ label, stat: 'Sum' })],
    ]
    expect(metricsOf(widgets)).toEqual([
      ['requests', 'broadcasts', 'costly', 'query'].map((label) => ofRule(label)),
      [['AWS/Route53', 'HealthCheckStatus', 'HealthCheckId', expect.any(String), expect.anything()]],
    ])
    const [blocked] = metricsOf(widgetsOf(await templateOf({ routeMetrics: false })))
    expect(blocked).toEqual([ofRule('all rules', 'ALL')])
    const firewall = { ...settings.firewall, enabled: false }
    expect(metricsOf(widgetsOf(await templateOf({ firewall })))).toEqual([undefined, undefined])
  })

  test.each([
    [true, 'each route'],
    [false, 'the service as a whole'],
  ])(
    'shows exactly the metrics that the functions write, with dimensions that they write: routeMetrics %s, of %s',
    async (routeMetrics) => {
      const stage = await templateOf({ healthCheck: true, routeMetrics })
      const written = (Object.keys(metrics) as MetricName[]).flatMap((name) =>
        keptUnder(name, routeMetrics).map((set) => `${name} ${[...set].sort()}`),
      )
      const graphed = graphedIn(stage)
      const plain = graphed.flatMap(([namespace, name, ...others]) => {
        const dimensions = others.filter((text, index) => index % 2 === 0 && typeof text === 'string')
        return namespace === 'ChainExplorer' ? [`${name} ${dimensions.sort()}`] : []
      })
      const ofStage = /\{ChainExplorer,([\w,]+)\} MetricName=\\"(\w+)\\" Service=\\"chain-explorer-dev\\"/g
      const searched = [...bodyOf(stage).matchAll(ofStage)].map(
        ([, set = '', name]) => `${name} ${set.split(',').sort()}`,
      )
      const shown = [...plain, ...searched]
      expect(written).toEqual(expect.arrayContaining(shown))
      const names = (texts: readonly string[]) => new Set(texts.map((text) => text.split(' ')[0]))
      expect(names(shown)).toEqual(names(written))
    },
  )

  test('shows no single route or function on a stage without metrics of routes, and so few metrics that it is free', async () => {
    const small = await templateOf({ healthCheck: true, routeMetrics: false })
    const text = bodyOf(small)
    expect(
      endpoints.filter((endpoint) => text.includes(routeOf(endpoint)) || text.includes(`${endpoint.name}Function`)),
    ).toEqual([])
    expect(countsOf(small.toJSON() as CloudFormation).dashboardMetrics).toBeLessThanOrEqual(freeDashboardMetrics)
  })
})
