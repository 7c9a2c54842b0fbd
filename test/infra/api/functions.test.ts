import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { esbuildOptions } from '../../../infra/api/bundling.ts'
import { stageRows } from '../../../shared/deployment/stage-settings.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { cors } from '../../../shared/http/cors.ts'
import { routeOf, servedMethods } from '../../../shared/http/routes.ts'
import { deployed, functionsByRoute, servedPaths } from '../route-functions.ts'
import { withOneNode } from '../settings/every-setting.ts'
import { onlyResource, templateOf } from '../stack-template.ts'

const template = await templateOf()
const functions = await deployed()

const all = servedPaths.map((served) => [routeOf(served), served.name] as const)

const always = {
  ORIGIN_SECRETS: expect.any(Object),
  SERVICE_NAME: 'chain-explorer-dev',
  RELEASE: '1.2.3+0123456789ab',
}
const node = { NODE_GRAPHQL_URL: 'https://node.example.org/graphql', UPSTREAM_TIMEOUT_MS: '9000' }

/** The numbers that an endpoint reads itself, as a stage has them that sets none. A switch shows only where it is changed. */
const numbersOf = (name: string) =>
  Object.fromEntries(
    stageRows.flatMap(([, row]) =>
      row.kind === 'wholeNumber' && typeof row.of === 'object' && row.of.includes(name)
        ? [[row.variable, String(row.default)]]
        : [],
    ),
  )

test.each(all)('the function of %s has its own log and role, and may only write to that log', (route, name) => {
  const { properties = {}, rights } = functions[route] ?? {}
  expect(properties).toEqual({
    Description: expect.stringContaining(name === 'docs' ? 'GET /docs and /openapi.json' : route),
    Architectures: ['arm64'],
    Runtime: 'nodejs24.x',
    Handler: 'index.handler',
    MemorySize: 512,
    Timeout: 25,
    Environment: { Variables: name === 'docs' ? always : { ...node, ...numbersOf(name), ...always } },
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

test('every function that asks a node has the pinned genesis blocks and chain ids, and no chain id alone', async () => {
  const { genesisStateHash, chainId } = withOneNode
  const pinsOf = async (settings: object) =>
    Object.entries(await deployed(settings)).map(([route, { properties }]) => {
      const { GENESIS_STATE_HASH, CHAIN_ID } = properties.Environment.Variables
      return [route, GENESIS_STATE_HASH, CHAIN_ID]
    })
  expect(await pinsOf({ genesisStateHash, chainId })).toEqual(
    all.map(([route, name]) => [
      route,
      ...(name === 'docs' ? [undefined, undefined] : [genesisStateHash.join(), chainId.join()]),
    ]),
  )
  expect(await pinsOf({ chainId })).toEqual(all.map(([route]) => [route, undefined, undefined]))
})

describe('the settings of a stage give every function', () => {
  const reservedConcurrency = { reads: 9, broadcasts: 21 }
  const stage = deployed({ routeMetrics: false, tracing: true, vpc: withOneNode.vpc, reservedConcurrency })

  test('no metrics of single routes, and the reserved concurrency of its kind', async () => {
    const given = Object.entries(await stage).map(([route, { properties, variables }]) => [
      ...[route, variables.ROUTE_METRICS, properties.ReservedConcurrentExecutions],
    ])
    expect(given).toEqual(all.map(([route]) => [route, 'false', route.startsWith('POST ') ? 21 : 9]))
  })

  test('tracing and, where it asks an upstream, the VPC, each with the rights for it', async () => {
    const { subnetIds: SubnetIds, securityGroupIds: SecurityGroupIds } = withOneNode.vpc
    const sending = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments']
    const connecting = ['ec2:CreateNetworkInterface', 'ec2:DeleteNetworkInterface']
    for (const [route, { properties, rights }] of Object.entries(await stage)) {
      const isDocs = all.some(([other, name]) => other === route && name === 'docs')
      expect([properties.TracingConfig, properties.VpcConfig]).toEqual([
        { Mode: 'Active' },
        isDocs ? undefined : { SubnetIds, SecurityGroupIds },
      ])
      const Action = isDocs ? sending : expect.arrayContaining([...connecting, ...sending])
      expect(rights.slice(1)).toEqual([{ Action, Effect: 'Allow', Resource: '*' }])
    }
  })
})

const names = Object.fromEntries(
  Object.entries(functionsByRoute(template)).map(([route, { logicalId }]) => [route, logicalId]),
)
const only = (type: string) => onlyResource(template, type).properties

describe('the HTTP API', () => {
  test('has one function per endpoint behind GET or POST, one for the docs page, each GET behind HEAD too, and the summary at / as well', () => {
    expect(names).toEqual(
      Object.fromEntries(
        servedPaths.flatMap(({ method, path, name }) =>
          servedMethods(method).map((served) => [`${served} ${path}`, expect.stringMatching(`^${name}Function`)]),
        ),
      ),
    )
    expect(Object.keys(template.findResources('AWS::Lambda::Function'))).toHaveLength(endpoints.length + 1)
  })

  test('throttles each route as the settings say', async () => {
    const throttles = { reads: { rate: 7, burst: 8 }, fates: { rate: 3, burst: 4 }, broadcasts: { rate: 1, burst: 2 } }
    const [stage] = Object.values((await templateOf({ throttles })).findResources('AWS::ApiGatewayV2::Stage'))
    const reads = { ThrottlingRateLimit: 7, ThrottlingBurstLimit: 8 }
    const fates = { ThrottlingRateLimit: 3, ThrottlingBurstLimit: 4 }
    const broadcasts = { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 }
    const costly = ['/transactions/{hash}', '/accounts/{public_key}/transactions', '/blocks/before/{cursor}', '/pool']
    const ofGet = (path: string) => (costly.includes(path) ? fates : reads)
    expect(stage?.Properties).toMatchObject({ StageName: '$default', AutoDeploy: true, DefaultRouteSettings: reads })
    expect(stage?.Properties.RouteSettings).toEqual(
      Object.fromEntries(
        servedPaths.flatMap(({ method, path }) =>
          servedMethods(method).map((served) => [
            routeOf({ method: served, path }),
            method === 'GET' ? ofGet(path) : broadcasts,
          ]),
        ),
      ),
    )
    const routes = Object.keys(template.findResources('AWS::ApiGatewayV2::Route'))
    expect(stage?.DependsOn).toEqual(expect.arrayContaining(routes))
  })

  test('logs each call as JSON without the address of the caller, and without the path, in which a quote would break it', () => {
    const { AccessLogSettings: accessLog } = only('AWS::ApiGatewayV2::Stage')
    const logged = JSON.parse(accessLog.Format)
    expect(logged).toMatchObject({ requestId: '$context.requestId', status: '$context.status' })
    expect(JSON.stringify(logged)).not.toMatch(/identity|[pP]ath|\$context\.http/)
    const { Ref: id } = accessLog.DestinationArn['Fn::Join'][1].at(-1)
    const arn = ['arn:aws:logs:us-east-1:', { Ref: 'AWS::AccountId' }, ':log-group:', { Ref: id }]
    expect(accessLog.DestinationArn).toEqual({ 'Fn::Join': ['', arn] })
    const { [id]: group } = template.findResources('AWS::Logs::LogGroup')
    const stackId = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] }
    expect(group?.Properties).toEqual({
      LogGroupName: { 'Fn::Join': ['', ['/aws/vendedlogs/chain-explorer-dev-', stackId]] },
      RetentionInDays: 30,
    })
  })

  test('has the cross-origin rules of the service, and sends events in payload format 2.0', () => {
    expect(only('AWS::ApiGatewayV2::Api').CorsConfiguration).toEqual({
      AllowOrigins: cors.allowOrigins,
      AllowMethods: cors.allowMethods,
      AllowHeaders: ['*', ...cors.allowHeaders],
      ExposeHeaders: cors.exposeHeaders,
      MaxAge: cors.maxAgeSeconds,
    })
    const integrations = Object.values(template.findResources('AWS::ApiGatewayV2::Integration'))
    expect(new Set(integrations.map(({ Properties }) => Properties.PayloadFormatVersion))).toEqual(new Set(['2.0']))
  })

  test('may invoke each function for its path, and only the heartbeat may besides', () => {
    const permissions = Object.values(template.findResources('AWS::Lambda::Permission')).map(
      ({ Properties: { FunctionName, Action, Principal, SourceArn } }) => [
        FunctionName['Fn::GetAtt'][0],
        `${Action} by ${Principal}`,
        SourceArn['Fn::Join']?.[1].at(-1) ?? SourceArn['Fn::GetAtt'][0],
      ],
    )
    const rules = Object.entries(template.findResources('AWS::Events::Rule'))
    const targets = rules.flatMap(([rule, { Properties }]) => Properties.Targets.map(() => rule))
    const invoke = (service: string) => `lambda:InvokeFunction by ${service}.amazonaws.com`
    const byApi = servedPaths.flatMap(({ method, path }) =>
      servedMethods(method).map(() => [names[`${method} ${path}`], invoke('apigateway'), `/*/*${path}`]),
    )
    const reads = endpoints.filter(({ method }) => method === 'GET')
    const byHeartbeat = reads.map(({ path }, index) => [names[`GET ${path}`], invoke('events'), targets[index]])
    expect(permissions).toEqual([...byApi, ...byHeartbeat])
  })
})
