import { describe, expect, test } from '@jest/globals'
import { readSettings } from '../../../functions/runtime/settings/settings.ts'
import type { StageSettings } from '../../../infra/settings/schema.ts'
import { routeOf } from '../../../shared/agreements/names.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { functionsByRoute } from '../route-functions.ts'
import { templateOf } from '../stack-template.ts'

const template = await templateOf()
const functions = functionsByRoute(template)

const routes = endpoints.map(routeOf)

describe.each(routes)('the function of %s', (route) => {
  const { logicalId = '', properties = {} } = functions[route] ?? {}
  const roleId: string = properties.Role?.['Fn::GetAtt'][0]
  const logGroupId: string = properties.LoggingConfig?.LogGroup.Ref

  test('has a fixed runtime, size, time-out and environment, and a log group and a role of its own', () => {
    expect(properties).toEqual({
      Description: expect.stringContaining(route),
      Architectures: ['arm64'],
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      MemorySize: 512,
      Timeout: 25,
      Environment: {
        Variables: expect.objectContaining({
          NODE_GRAPHQL_URL: 'https://node.example.org/graphql',
          ORIGIN_SECRETS: expect.any(Object),
          SERVICE_NAME: 'chain-explorer-dev',
          RELEASE: '1.2.3+0123456789ab',
        }),
      },
      LoggingConfig: {
        LogFormat: 'JSON',
        ApplicationLogLevel: 'INFO',
        SystemLogLevel: 'WARN',
        LogGroup: { Ref: expect.any(String) },
      },
      Role: { 'Fn::GetAtt': [expect.any(String), 'Arn'] },
      Code: expect.any(Object),
    })
    const others = Object.values(functions).filter((other) => other.logicalId !== logicalId)
    expect(others.map(({ properties: other }) => other.LoggingConfig.LogGroup.Ref)).not.toContain(logGroupId)
    expect(others.map(({ properties: other }) => other.Role['Fn::GetAtt'][0])).not.toContain(roleId)
  })

  test('has the log retention of the settings', () => {
    expect(template.findResources('AWS::Logs::LogGroup')[logGroupId]?.Properties).toEqual({ RetentionInDays: 30 })
  })

  test('may write to its own log, and do nothing else', () => {
    expect(template.findResources('AWS::IAM::Role')[roleId]?.Properties).toEqual({
      AssumeRolePolicyDocument: {
        Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } }],
        Version: '2012-10-17',
      },
    })
    const policies = Object.values(template.findResources('AWS::IAM::Policy')).map(({ Properties }) => Properties)
    expect(policies.filter((policy) => policy.Roles.some((role: { Ref: string }) => role.Ref === roleId))).toEqual([
      {
        PolicyName: expect.any(String),
        PolicyDocument: {
          Statement: [
            {
              Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              Effect: 'Allow',
              Resource: { 'Fn::GetAtt': [logGroupId, 'Arn'] },
            },
          ],
          Version: '2012-10-17',
        },
        Roles: [{ Ref: roleId }],
      },
    ])
  })
})

const traced = await templateOf({ tracing: true })

describe('tracing', () => {
  test('is on in every function if the settings turn it on, with the right to send traces', () => {
    const all = [...routes, 'docs']
    const modes = Object.values(traced.findResources('AWS::Lambda::Function')).map(
      ({ Properties }) => Properties.TracingConfig,
    )
    expect(modes).toEqual(all.map(() => ({ Mode: 'Active' })))
    const sending = { Action: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], Effect: 'Allow', Resource: '*' }
    const statements = Object.values(traced.findResources('AWS::IAM::Policy')).map(
      ({ Properties }) => Properties.PolicyDocument.Statement,
    )
    expect(statements).toEqual(all.map(() => [expect.any(Object), sending]))
  })
})

describe('the indexer', () => {
  const indexer = {
    indexerGraphqlUrl: 'https://indexer.example.org/graphql',
    indexerTimeoutMs: 900,
    indexerStakesTimeoutMs: 7000,
    indexerHeaders: { authorization: 'Bearer "s3cret"' },
  }
  const node = {
    NODE_GRAPHQL_URL: 'https://node.example.org/graphql',
    UPSTREAM_TIMEOUT_MS: '9000',
  }
  const nodeAndIndexer = {
    ...node,
    INDEXER_GRAPHQL_URL: 'https://indexer.example.org/graphql',
    INDEXER_TIMEOUT_MS: '900',
    INDEXER_STAKES_TIMEOUT_MS: '7000',
  }

  /** The environment behind each route, as far as it is about upstreams. */
  const environments = async (changed: Partial<StageSettings>): Promise<Record<string, Record<string, string>>> => {
    const byRoute = Object.entries(functionsByRoute(await templateOf(changed)))
    return Object.fromEntries(
      byRoute.map(([route, { properties }]) => {
        const variables = Object.entries(properties.Environment.Variables as Record<string, string>)
        return [route, Object.fromEntries(variables.filter(([name]) => /^(?:NODE_|UPSTREAM|INDEXER)/.test(name)))]
      }),
    )
  }

  test('is in the environment of the functions that query it, and of no other', async () => {
    const asksIndexer = ({ operations }: Endpoint) => operations.some(({ upstream }) => upstream === 'indexer')
    expect(endpoints.filter(asksIndexer).length).toBeGreaterThan(0)
    expect(await environments({ ...indexer, indexerHeaders: {} })).toEqual(
      Object.fromEntries(
        endpoints.map((endpoint) => [routeOf(endpoint), asksIndexer(endpoint) ? nodeAndIndexer : node]),
      ),
    )
  })

  test('gets its headers if there are any, and the functions read the environment that the stack sets', async () => {
    const { 'GET /blocks': blocks, 'GET /summary': summary } = await environments(indexer)
    expect(blocks).toEqual({ ...nodeAndIndexer, INDEXER_HEADERS: '{"authorization":"Bearer \\"s3cret\\""}' })
    const nodeSettings = { url: 'https://node.example.org/graphql', headers: {}, timeoutMs: 9000 }
    expect(readSettings(blocks)).toEqual({
      node: nodeSettings,
      indexer: {
        url: 'https://indexer.example.org/graphql',
        headers: indexer.indexerHeaders,
        timeoutMs: 900,
        slowTimeoutMs: 7000,
      },
    })
    expect(readSettings(summary)).toEqual({ node: nodeSettings })
  })

  test('is absent without an address, whatever its other settings', async () => {
    const byRoute = await environments({ ...indexer, indexerGraphqlUrl: null })
    expect(byRoute).toEqual(Object.fromEntries(endpoints.map(({ method, path }) => [`${method} ${path}`, node])))
  })
})
