// The alarms, and those that roll a deployment back.
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { pathsOf } from '../../../shared/http/routes.ts'
import { withOneNode } from '../settings/every-setting.ts'
import { onlyResource, templateOf } from '../stack-template.ts'
import { everyUpstream, settings } from '../stage-settings.ts'
import { alarmsOf, allAlarms, pairsOf, textOf } from './alarm-text.ts'

const { nodes, indexerGraphqlUrl, genesisStateHash } = everyUpstream
const checks = { healthCheck: true, broadcastHeartbeat: true, ticketEmail: 'team@example.org' }
const everything = { ...checks, ...everyUpstream }
const template = await templateOf(everything)
const alarms = alarmsOf(template)

const runbook = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8')

const service = 'Service=chain-explorer-dev'
const lasting = '(2 of 3, missing: notBreaching)'
const once = '(1 of 1, missing: notBreaching)'
const routeOfEndpoint = ({ method, path }: (typeof endpoints)[number]) => `Route=${method} ${path}, ${service}`

/** An expression over metrics, one for each name, and how CloudWatch is to get them. */
const largestOf = <Name>(names: readonly Name[], condition: string, metric: (name: Name) => string) => [
  `MAX([${names.map((_, index) => `FILL(m${index}, 0)`).join(', ')}]) ${condition}`,
  ...names.map((name, index) => `m${index}: ${metric(name)}`),
]

/** CloudWatch takes ten metrics in one alarm, so that each ten have one. */
const inTens = <Name>(id: string, names: readonly Name[], condition: string, metric: (name: Name) => string) =>
  Object.fromEntries(
    [names.slice(0, 10), names.slice(10)].flatMap((part, index) =>
      part.length === 0 ? [] : [[index === 0 ? id : `${id}2`, largestOf(part, condition, metric)]],
    ),
  )

const posts = endpoints.filter(({ method }) => method === 'POST')
const gets = endpoints.filter(({ method }) => method === 'GET')
const isPatient = ({ operations }: (typeof endpoints)[number]) => operations.some((each) => each.isPatient)

/** p99: of a look-up, of what may wait for a walk through a ledger as accounts do, and of a broadcast. */
const slow = (id: string, routes: typeof endpoints, ms: number) =>
  inTens(id, routes, `> ${ms} (3 of 3, missing: notBreaching)`, (each) => {
    return `p99 of ChainExplorer Latency {${routeOfEndpoint(each)}} in 300 s`
  })

const ofRoutes = {
  ...inTens('RouteFaults', endpoints, '> 0.5 (6 of 6, missing: notBreaching)', (each) => {
    return `Average of ChainExplorer Faults {${routeOfEndpoint(each)}} in 300 s`
  }),
  ...slow(
    'SlowerThan5s',
    gets.filter((each) => !isPatient(each)),
    5000,
  ),
  ...slow('SlowerThan10s', gets.filter(isPatient), 10_000),
  ...slow('SlowerThan15s', posts, 15_000),
  ...inTens(
    'RouteRefusals',
    endpoints.flatMap((each) => pathsOf(each).map((path) => `${each.method} ${path}`)),
    '> 0.5 (3 of 3, missing: notBreaching)',
    (route) => `Average of ChainExplorer/AccessLog chain-explorer-dev-Refused {Route=${route}} in 300 s`,
  ),
  UnknownBroadcasts: largestOf(posts, `> 0 ${once}`, (each) => {
    return `Sum of ChainExplorer Requests {Outcome=unknown, ${routeOfEndpoint(each)}} in 300 s`
  }),
}

const viewer = onlyResource(template, 'AWS::CloudFront::Function').properties.Name
const functions = [...endpoints.map(({ name }) => name), 'docs']
const concurrency = 'Maximum of AWS/Lambda ConcurrentExecutions'

const ofFunctions = (id: string, metric: string) =>
  inTens(id, functions, `> 0 ${once}`, (name) => `Sum of AWS/Lambda ${metric} {FunctionName=${name}Function} in 300 s`)

const failedShare = (window: number, percent: number) => [
  `100 * faults / requests > ${percent} ${once}`,
  `faults: Sum of ChainExplorer Faults {${service}} in ${window} s`,
  `requests: Sum of ChainExplorer Requests {${service}} in ${window} s`,
]

/** Those on no single route or function. */
const ofService = {
  ErrorBudgetFastLong: failedShare(3600, 7.2),
  ErrorBudgetFastShort: failedShare(300, 7.2),
  ErrorBudgetSlowLong: failedShare(21_600, 3),
  ErrorBudgetSlowShort: failedShare(1800, 3),
  TipAge: [`Maximum of ChainExplorer TipAgeSlots {${service}} in 300 s > 30 (2 of 2, missing: breaching)`],
  TipOld: [`Maximum of ChainExplorer TipAgeSlots {${service}} in 300 s > 20 ${once}`],
  NodeLag: [`Minimum of ChainExplorer NodeLag {${service}} in 300 s > 2 ${once}`],
  IndexerLag: [`Minimum of ChainExplorer IndexerLag {${service}} in 300 s > 10 ${once}`],
  NodesOut: [`Maximum of ChainExplorer NodesOut {${service}} in 300 s > 0 (3 of 3, missing: notBreaching)`],
  IndexerFaults: [`Sum of ChainExplorer IndexerFaults {${service}} in 300 s > 0 (3 of 3, missing: notBreaching)`],
  PinStale: [`Sum of ChainExplorer PinStale {${service}} in 300 s > 0 (3 of 3, missing: notBreaching)`],
  OtherNetworkFresh: [`Sum of ChainExplorer OtherNetworkFresh {${service}} in 300 s > 0 ${once}`],
  TipAhead: [`Minimum of ChainExplorer TipAgeSlots {${service}} in 300 s < 0 (2 of 2, missing: notBreaching)`],
  ClockBehind: [`Sum of ChainExplorer ClockBehind {${service}} in 300 s > 0 ${once}`],
  OriginRefusals: [`Sum of ChainExplorer OriginRefused {${service}} in 300 s > 10 ${once}`],
  InternalErrors: [`Sum of ChainExplorer InternalErrors {${service}} in 300 s > 0 ${once}`],
  BroadcastHeartbeat: [
    'Sum of AWS/Lambda Errors {FunctionName=BroadcastHeartbeatFunction} in 300 s > 0 (2 of 3, missing: breaching)',
  ],
  Concurrency: [`${concurrency} {} in 60 s > 800 ${once}`],
  ApiFaults: [
    `IF(requests >= 20, 100 * FILL(failed, 0) / requests, 0) > 5 ${lasting}`,
    'requests: SampleCount of AWS/ApiGateway Count {ApiId=ApiHttp} in 300 s',
    'failed: Sum of ChainExplorer/AccessLog chain-explorer-dev-Failed {} in 300 s',
  ],
  ThrottledRequests: [
    `IF(requests >= 20, 100 * FILL(throttled, 0) / requests, 0) > 5 ${lasting}`,
    'requests: SampleCount of AWS/ApiGateway Count {ApiId=ApiHttp} in 300 s',
    'throttled: Sum of ChainExplorer/AccessLog chain-explorer-dev-Throttled {} in 300 s',
  ],
  EdgeFaults: [
    `IF(requests >= 20, share, 0) > 5 ${lasting}`,
    'requests: Sum of AWS/CloudFront Requests {DistributionId=EdgeDistribution, Region=Global} in 300 s',
    'share: Average of AWS/CloudFront 5xxErrorRate {DistributionId=EdgeDistribution, Region=Global} in 300 s',
  ],
  ViewerFunction: [
    `SUM([FILL(m0, 0), FILL(m1, 0), FILL(m2, 0)]) > 10 ${once}`,
    ...['FunctionExecutionErrors', 'FunctionValidationErrors', 'FunctionThrottles'].map(
      (name, index) => `m${index}: Sum of AWS/CloudFront ${name} {FunctionName=${viewer}, Region=Global} in 300 s`,
    ),
  ],
  PublicAddress: [
    'Minimum of AWS/Route53 HealthCheckStatus {HealthCheckId=WatchingPublicAddressSummary} in 60 s < 1 (3 of 3, missing: breaching)',
  ],
}

/** The alarms that roll a deployment back. */
const rollingBack = (stage: typeof template): readonly string[] =>
  stage
    .toJSON()
    .Outputs.RollbackAlarms.Value['Fn::Join'][1].filter((part: unknown) => part !== ' ')
    .map((part: object) => textOf(part).replace(/^WatchingAlarms(\w+)[0-9A-F]{8}\.Arn$/, '$1'))

const budgetPairs = {
  ErrorBudgetFast: '(ALARM(ErrorBudgetFastLong) AND ALARM(ErrorBudgetFastShort))',
  ErrorBudgetSlow: '(ALARM(ErrorBudgetSlowLong) AND ALARM(ErrorBudgetSlowShort))',
}

test('the alarms are exactly these', () => {
  expect(alarms).toEqual({
    ...ofRoutes,
    ...ofFunctions('Throttles', 'Throttles'),
    ...ofFunctions('Crashes', 'Errors'),
    ...ofService,
  })
  expect(pairsOf(template)).toEqual(budgetPairs)
})

test.each([
  ['several nodes', { ...everyUpstream, nodes: nodes.slice(0, 1) }, ['NodesOut', 'NodeLag', 'OtherNetworkFresh']],
  ['an indexer', { nodes, genesisStateHash }, ['IndexerFaults', 'IndexerLag']],
  ['a pin', { nodes, indexerGraphqlUrl }, ['PinStale']],
])('a stage without %s has no alarm about it', async (_what, upstreams, missing) => {
  const fewer = alarmsOf(await templateOf({ ...checks, ...upstreams }))
  expect(Object.keys(alarms).filter((id) => !Object.hasOwn(fewer, id))).toEqual(expect.arrayContaining(missing))
  expect(Object.keys(fewer).length).toBe(Object.keys(alarms).length - missing.length)
})

test('a stage without metrics of routes has the alarms on the service', async () => {
  const reservedConcurrency = { reads: 20, broadcasts: 20 }
  const small = await templateOf({ ...everything, routeMetrics: false, reservedConcurrency })
  expect(alarmsOf(small)).toEqual(ofService)
  expect(pairsOf(small)).toEqual(budgetPairs)
  expect(rollingBack(small)).toEqual(['InternalErrors', 'ApiFaults', 'EdgeFaults', 'ViewerFunction'])
})

test.each([
  ['throttled requests', 'Throttled', '{ $.status = "429" }'],
  ['5xx of all routes but GET /health', 'Failed', '{ ($.status = "5*") && ($.route != "* /health") }'],
])('the %s are counted in the access log of the API', (_what, name, FilterPattern) => {
  expect(onlyResource(template, 'AWS::Logs::MetricFilter', `Watching${name}`).properties).toMatchObject({
    LogGroupName: { Ref: expect.stringMatching(/^ApiAccessLog/) },
    FilterPattern,
    MetricTransformations: [{ MetricName: `chain-explorer-dev-${name}`, MetricValue: '1', DefaultValue: 0 }],
  })
})

test('the calls of a route count there as 1 where they are refused, and as 0 where they are not', () => {
  const filters = Object.values(template.findResources('AWS::Logs::MetricFilter')).map(({ Properties }) => Properties)
  const ofRoutes = filters.filter(({ MetricTransformations: [{ Dimensions }] }) => Dimensions !== undefined)
  const transformation = {
    MetricName: 'chain-explorer-dev-Refused',
    MetricNamespace: 'ChainExplorer/AccessLog',
    Dimensions: [{ Key: 'Route', Value: '$.route' }],
  }
  expect(ofRoutes.map(({ FilterPattern, MetricTransformations }) => [FilterPattern, MetricTransformations])).toEqual([
    ['{ $.status = "429" }', [{ ...transformation, MetricValue: '1' }]],
    ['{ $.status != "429" }', [{ ...transformation, MetricValue: '0' }]],
  ])
})

test('the health check requests the summary at the public address', async () => {
  const checkOf = async (changed: object) =>
    onlyResource(await templateOf({ healthCheck: true, ...changed }), 'AWS::Route53::HealthCheck').properties
      .HealthCheckConfig
  expect(await checkOf({})).toMatchObject({
    Type: 'HTTPS',
    FullyQualifiedDomainName: { 'Fn::GetAtt': [expect.stringMatching(/^EdgeDistribution/), 'DomainName'] },
    ResourcePath: '/summary',
    EnableSNI: true,
  })
  expect(await checkOf({ customDomain: { ...withOneNode.customDomain, attached: true } })).toMatchObject({
    FullyQualifiedDomainName: 'explorer.example.org',
  })
})

test('the certificate of a custom domain has an alarm, where its metric can be read', async () => {
  const { customDomain } = withOneNode
  const of = async (region: string) =>
    alarmsOf(
      await templateOf({
        ...everything,
        healthCheck: false,
        customDomain,
        region,
        firewall: { ...settings.firewall, enabled: false },
      }),
    )
  const { Certificate, ...others } = await of('us-east-1')
  expect(Certificate).toEqual([
    `Minimum of AWS/CertificateManager DaysToExpiry {CertificateArn=${customDomain.certificateArn}} in 86400 s < 21 (1 of 1, missing: ignore)`,
  ])
  expect(Object.keys({ ...others, PublicAddress: [] }).toSorted()).toEqual(Object.keys(alarms).toSorted())
  expect(await of('eu-west-1')).not.toHaveProperty('Certificate')
})

test('a stage without a health check, in a region without the metrics of CloudFront, lacks three alarms', async () => {
  const firewall = { ...settings.firewall, enabled: false }
  const elsewhere = await templateOf({ ...everything, healthCheck: false, region: 'eu-west-1', firewall })
  const { EdgeFaults: _edge, ViewerFunction: _viewer, PublicAddress: _address, ...others } = alarms
  expect(alarmsOf(elsewhere)).toEqual(others)
  expect(elsewhere.findResources('AWS::Route53::HealthCheck')).toEqual({})
})

test('functions with reserved concurrency have an alarm at 80 % of it, those of reads and those of broadcasts', async () => {
  const limited = async (reads: number | null, broadcasts: number | null, accountConcurrency: number) => {
    const stage = await templateOf({ accountConcurrency, reservedConcurrency: { reads, broadcasts } })
    return Object.fromEntries(Object.entries(alarmsOf(stage)).filter(([id]) => /Concurrency2?$/.test(id)))
  }
  const ofAccount = (threshold: number) => ({ Concurrency: [`${concurrency} {} in 60 s > ${threshold} ${once}`] })
  const busiest = (id: string, names: readonly string[], threshold: number) =>
    inTens(id, names, `> ${threshold} ${once}`, (name) => `${concurrency} {FunctionName=${name}Function} in 60 s`)
  const reads = [...gets.map(({ name }) => name), 'docs']
  const broadcasts = busiest(
    'BroadcastConcurrency',
    posts.map(({ name }) => name),
    16,
  )
  expect(await limited(30, 21, 10)).toEqual({
    ...ofAccount(8),
    ...busiest('ReadConcurrency', reads, 24),
    ...broadcasts,
  })
  expect(await limited(null, 21, 1000)).toEqual({ ...ofAccount(800), ...broadcasts })
})

test('each alarm names a section of the runbook, whose table and sections have one for each', () => {
  const named = allAlarms(template).map(
    ({ Properties }) => /^[^#]+ What to do: docs\/runbook\.md#([a-z-]+)$/.exec(Properties.AlarmDescription)?.[1],
  )
  const sections = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  )
  const ofAlarms = sections.slice(sections.indexOf('alarms') + 1, sections.indexOf('without-an-alarm'))
  const inTable = [...runbook.matchAll(/^\| \[[^\]]+\]\(#([a-z-]+)\)/gm)].map(([, section]) => section)
  expect([...new Set(inTable)]).toEqual(ofAlarms)
  expect(ofAlarms.toSorted()).toEqual([...new Set(named)].toSorted())
})

test('the names by which the runbook mutes alarms are those of the stack', () => {
  const names = new Set([...runbook.matchAll(/\bWatchingAlarms(\w+)/g)].map(([, name = '']) => name))
  expect([...names].filter((name) => !Object.hasOwn(alarms, name))).toEqual([])
  expect(names.size).toBeGreaterThan(0)
  // CloudFormation names an alarm by the stack and its logical id, but for one on other alarms, which must have a name.
  const metricIds = Object.keys(template.findResources('AWS::CloudWatch::Alarm'))
  const given = allAlarms(template).flatMap(({ Properties }) => Properties.AlarmName ?? [])
  const begun = [...metricIds.map((id) => `chain-explorer-dev-${id}`), ...given]
  expect(begun.filter((name) => !name.startsWith('chain-explorer-dev-WatchingAlarms'))).toEqual([])
  expect(begun).toHaveLength(allAlarms(template).length)
})

test('no alarm reads more than the ten metrics that CloudWatch takes', () => {
  expect(Object.entries(alarms).filter(([, [_condition, ...metrics]]) => metrics.length > 10)).toEqual([])
})

test('the runbook names the saved queries, which search the logs of all functions and of the API', () => {
  const saved = Object.values(template.findResources('AWS::Logs::QueryDefinition')).map(({ Properties }) => Properties)
  const named = Array.from(
    runbook.matchAll(/`chain-explorer-<stage>\/([^`]+)`/g),
    ([, name]) => `chain-explorer-dev/${name}`,
  )
  expect(named.toSorted()).toEqual(saved.map(({ Name }) => Name).toSorted())
  const logGroups = Object.keys(template.findResources('AWS::Logs::LogGroup')).map((id) => ({ Ref: id }))
  expect(saved.map(({ LogGroupNames: names }) => new Set(names))).toEqual(saved.map(() => new Set(logGroups)))
})

test('a deployment is rolled back by five alarms of metrics, and none of them follows node, chain or load', () => {
  expect(rollingBack(template)).toEqual(['Crashes', 'InternalErrors', 'ApiFaults', 'EdgeFaults', 'ViewerFunction'])
})
