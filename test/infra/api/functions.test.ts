import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { esbuildOptions } from '../../../infra/api/bundling.ts'
import { routeOf } from '../../../shared/http/routes.ts'
import { deployed, servedPaths } from '../route-functions.ts'
import { withOneNode } from '../settings/every-setting.ts'
import { templateOf } from '../stack-template.ts'

const template = await templateOf()
const functions = await deployed()

const all = servedPaths.map((served) => [routeOf(served), served.name] as const)

const always = {
  ORIGIN_SECRETS: expect.any(Object),
  SERVICE_NAME: 'chain-explorer-dev',
  RELEASE: '1.2.3+0123456789ab',
}
const node = { NODE_GRAPHQL_URL: 'https://node.example.org/graphql', UPSTREAM_TIMEOUT_MS: '9000' }

test.each(all)('the function of %s has its own log and role, and may only write to that log', (route, name) => {
  const { properties = {}, rights } = functions[route] ?? {}
  expect(properties).toEqual({
    Description: expect.stringContaining(name === 'docs' ? 'GET /docs and /openapi.json' : route),
    Architectures: ['arm64'],
    Runtime: 'nodejs24.x',
    Handler: 'index.handler',
    MemorySize: 512,
    Timeout: 25,
    Environment: { Variables: name === 'docs' ? always : { ...node, ...always } },
    LoggingConfig: {
      LogFormat: 'JSON',
      ApplicationLogLevel: 'INFO',
      SystemLogLevel: 'WARN',
      LogGroup: { Ref: expect.stringMatching(`^${name}Logs`) },
    },
    Role: { 'Fn::GetAtt': [expect.stringMatching(`^${name}Role`), 'Arn'] },
    Code: expect.any(Object),
  })
  const logGroup = properties.LoggingConfig.LogGroup.Ref
  expect(template.findResources('AWS::Logs::LogGroup')[logGroup]?.Properties).toEqual({ RetentionInDays: 30 })
  const role = template.findResources('AWS::IAM::Role')[properties.Role['Fn::GetAtt'][0]]?.Properties
  expect(role.AssumeRolePolicyDocument.Statement).toEqual([
    { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
  ])
  expect(Object.keys(role)).toEqual(['AssumeRolePolicyDocument'])
  const actions = ['logs:CreateLogStream', 'logs:PutLogEvents']
  expect(rights).toEqual([{ Action: actions, Effect: 'Allow', Resource: { 'Fn::GetAtt': [logGroup, 'Arn'] } }])
})

test('every function runs on the runtime whose end operations.md gives, and Node is the same everywhere', async () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
  const runtimes = new Set(
    Object.values((await templateOf({ broadcastHeartbeat: true })).findResources('AWS::Lambda::Function')).map(
      ({ Properties }) => Properties.Runtime,
    ),
  )
  const [, documented] =
    /on Lambda's `(nodejs\d+\.x)`\. \[AWS supports it\]\(\S+\) until \d+ \w+ 20\d\d/.exec(read('docs/operations.md')) ??
    []
  expect([...runtimes]).toEqual([documented])
  expect([`nodejs${read('.nvmrc').trim()}.x`, `nodejs${esbuildOptions.target.slice('node'.length)}.x`]).toEqual([
    documented,
    documented,
  ])
})

test('the settings take the metrics of single routes from every function', async () => {
  const variables = Object.values(await deployed({ routeMetrics: false })).map(
    ({ properties }) => properties.Environment.Variables.ROUTE_METRICS,
  )
  expect(variables).toEqual(all.map(() => 'false'))
})

test('the settings turn on tracing in every function, with the right to send traces', async () => {
  const traced = Object.values(await deployed({ tracing: true }))
  const sending = { Action: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], Effect: 'Allow', Resource: '*' }
  expect(traced.map(({ properties, rights }) => [properties.TracingConfig, rights[1]])).toEqual(
    all.map(() => [{ Mode: 'Active' }, sending]),
  )
})

test('a VPC contains every function that asks an upstream, each with the right to create a network interface', async () => {
  const { subnetIds: SubnetIds, securityGroupIds: SecurityGroupIds } = withOneNode.vpc
  const connected = await deployed({ vpc: withOneNode.vpc })
  for (const [route, name] of all) {
    const { properties = {}, rights = [] } = connected[route] ?? {}
    const connecting = {
      Action: expect.arrayContaining(['ec2:CreateNetworkInterface', 'ec2:DeleteNetworkInterface']),
      Effect: 'Allow',
      Resource: '*',
    }
    expect([properties.VpcConfig, ...rights.slice(1)]).toEqual(
      name === 'docs' ? [undefined] : [{ SubnetIds, SecurityGroupIds }, connecting],
    )
  }
})

test.each([
  { reads: null, broadcasts: 21 },
  { reads: 9, broadcasts: null },
])('functions have the reserved concurrency of their kind: %j', async (reservedConcurrency) => {
  const reserving = Object.entries(await deployed({ reservedConcurrency }))
  const { reads, broadcasts } = reservedConcurrency
  expect(reserving.map(([route, { properties }]) => [route, properties.ReservedConcurrentExecutions ?? null])).toEqual(
    reserving.map(([route]) => [route, route.startsWith('POST ') ? broadcasts : reads]),
  )
})
