import { describe, expect, test } from '@jest/globals'
import { Template } from 'aws-cdk-lib/assertions'
import { readSettings } from '../../functions/runtime/settings.ts'
import { ApiStack } from '../../infra/api-stack.ts'
import { cors } from '../../shared/cors.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { functionsByRoute } from './route-functions.ts'
import { bareApp, settings, templateOf } from './stack-template.ts'

const template = templateOf()
const functions = functionsByRoute(template)

/** The only resource of its type. */
function only(type: string) {
  const [resource, ...others] = Object.values(template.findResources(type))
  expect(others).toEqual([])
  return resource
}

describe('the HTTP API', () => {
  test('has exactly the routes of the contract', () => {
    expect(Object.keys(functions).sort()).toEqual([
      'GET /accounts/{public_key}',
      'GET /blocks',
      'GET /blocks/{state_hash}',
      'GET /summary',
      'POST /broadcast/delegation',
      'POST /broadcast/transaction',
    ])
  })

  test('has one route and one function per endpoint', () => {
    const byRoute = endpoints.map(({ method, path, name }) => [
      `${method} ${path}`,
      expect.stringMatching(`^${name}Function`),
    ])
    const logicalIds = Object.entries(functions).map(([route, { logicalId }]) => [route, logicalId])
    expect(Object.fromEntries(logicalIds)).toEqual(Object.fromEntries(byRoute))
    expect(Object.keys(template.findResources('AWS::ApiGatewayV2::Route'))).toHaveLength(endpoints.length)
    expect(Object.keys(template.findResources('AWS::Lambda::Function'))).toHaveLength(endpoints.length)
  })

  test('deploys every change to the stage without a path segment', () => {
    expect(only('AWS::ApiGatewayV2::Stage')?.Properties).toMatchObject({ StageName: '$default', AutoDeploy: true })
  })

  test('is the owner of the cross-origin rules', () => {
    expect(only('AWS::ApiGatewayV2::Api')?.Properties).toEqual({
      Name: 'chain-explorer-dev',
      ProtocolType: 'HTTP',
      CorsConfiguration: {
        AllowOrigins: cors.allowOrigins,
        AllowMethods: cors.allowMethods,
        AllowHeaders: cors.allowHeaders,
        ExposeHeaders: cors.exposeHeaders,
        MaxAge: cors.maxAgeSeconds,
      },
    })
  })

  test('hands events over in payload format 2.0', () => {
    const integrations = Object.values(template.findResources('AWS::ApiGatewayV2::Integration'))
    expect(integrations.map(({ Properties }) => Properties.PayloadFormatVersion)).toEqual(endpoints.map(() => '2.0'))
  })

  test('alone may invoke a function, and only for its path', () => {
    const permissions = Object.values(template.findResources('AWS::Lambda::Permission')).map(
      ({ Properties: granted }) => ({
        function: granted.FunctionName['Fn::GetAtt'][0],
        action: granted.Action,
        principal: granted.Principal,
        path: granted.SourceArn['Fn::Join'][1].at(-1),
      }),
    )
    const expected = endpoints.map(({ method, path }) => ({
      function: functions[`${method} ${path}`]?.logicalId,
      action: 'lambda:InvokeFunction',
      principal: 'apigateway.amazonaws.com',
      path: `/*/*${path}`,
    }))
    expect(permissions).toEqual(expected)
  })

  test('gives its address as an output', () => {
    const [apiId] = Object.keys(template.findResources('AWS::ApiGatewayV2::Api'))
    expect(template.toJSON().Outputs).toEqual({
      BaseAddress: {
        Description: 'Base address of the service: append a path, /summary say',
        Value: { 'Fn::GetAtt': [apiId, 'ApiEndpoint'] },
      },
    })
  })
})

describe('stages', () => {
  test('the functions read the environment that the stack gives them', () => {
    const upstreamHeaders = { 'x-api-key': 's3cret "quoted"' }
    const withHeaders = Object.values(functionsByRoute(templateOf({ upstreamHeaders })))
    expect(withHeaders.map(({ properties }) => readSettings(properties.Environment.Variables))).toEqual(
      endpoints.map(() => ({
        node: { url: 'https://node.example/graphql', headers: upstreamHeaders, timeoutMs: 9000 },
      })),
    )
  })

  test.each([
    ['dev', 'Delete'],
    ['prod', 'Retain'],
  ])('when %s is destroyed, its logs have the policy %s', (stage, policy) => {
    const logGroups = Object.values(templateOf({ stage }).findResources('AWS::Logs::LogGroup'))
    expect(logGroups.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(endpoints.map(() => policy))
  })

  test('two of them fit into one account, since no physical name is fixed', () => {
    const app = bareApp()
    const stacks = ['dev', 'test'].map((stage) => new ApiStack(app, { ...settings, stage }))
    expect(app.synth().stacks.map(({ stackName }) => stackName)).toEqual(['chain-explorer-dev', 'chain-explorer-test'])
    for (const type of ['AWS::Lambda::Function', 'AWS::Logs::LogGroup', 'AWS::IAM::Role']) {
      const names = stacks.flatMap((stack) =>
        Object.values(Template.fromStack(stack).findResources(type)).flatMap(({ Properties }) =>
          ['FunctionName', 'LogGroupName', 'RoleName'].filter((name) => name in Properties),
        ),
      )
      expect(names).toEqual([])
    }
  })
})
