import { describe, expect, test } from '@jest/globals'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { cors } from '../../../shared/http/cors.ts'
import { routeOf, servedMethods } from '../../../shared/http/routes.ts'
import { functionsByRoute, servedPaths as served } from '../route-functions.ts'
import { onlyResource, templateOf } from '../stack-template.ts'

const template = await templateOf()

const names = Object.fromEntries(
  Object.entries(functionsByRoute(template)).map(([route, { logicalId }]) => [route, logicalId]),
)
const only = (type: string) => onlyResource(template, type).properties

describe('the HTTP API', () => {
  test('has one function per endpoint behind GET or POST, one for the docs page, each GET behind HEAD too, and the summary at / as well', () => {
    expect(names).toEqual(
      Object.fromEntries(
        served.flatMap(({ method, path, name }) =>
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
    const costly = ['/transactions/{hash}', '/accounts/{public_key}/transactions', '/pool']
    const ofGet = (path: string) => (costly.includes(path) ? fates : reads)
    expect(stage?.Properties).toMatchObject({ StageName: '$default', AutoDeploy: true, DefaultRouteSettings: reads })
    expect(stage?.Properties.RouteSettings).toEqual(
      Object.fromEntries(
        served.flatMap(({ method, path }) =>
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
      AllowHeaders: cors.allowHeaders,
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
    const byApi = served.flatMap(({ method, path }) =>
      servedMethods(method).map(() => [names[`${method} ${path}`], invoke('apigateway'), `/*/*${path}`]),
    )
    const reads = endpoints.filter(({ method }) => method === 'GET')
    const byHeartbeat = reads.map(({ path }, index) => [names[`GET ${path}`], invoke('events'), targets[index]])
    expect(permissions).toEqual([...byApi, ...byHeartbeat])
  })
})
