// Access of the functions to upstreams: credentials, a private network, reserved concurrency.
import { describe, expect, test } from '@jest/globals'
import type { StageSettings } from '../../../infra/settings/schema.ts'
import { routeOf } from '../../../shared/agreements/names.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { docsByRoute, docsRoutesOfGet, functionsByRoute } from '../route-functions.ts'
import { templateOf } from '../stack-template.ts'

interface Statement {
  readonly Action: string | readonly string[]
  readonly Resource: unknown
}

/** The function behind each route, with its rights except those for log and traces. */
async function functionsOf(changed: Partial<StageSettings>) {
  const template = await templateOf(changed)
  const policies = Object.values(template.findResources('AWS::IAM::Policy')).map(({ Properties }) => Properties)
  const functions = Object.entries(functionsByRoute(template)).map(([route, { properties }]) => {
    const roleId = properties.Role['Fn::GetAtt'][0]
    const own = policies.filter(({ Roles: roles }) => roles.some((role: { Ref: string }) => role.Ref === roleId))
    const statements: readonly Statement[] = own.flatMap(({ PolicyDocument: document }) => document.Statement)
    const rights = statements.filter(({ Action: action }) => !/^(logs|xray):/.test([action].flat().join()))
    return [route, { properties, variables: properties.Environment.Variables, rights }] as const
  })
  return Object.fromEntries(functions)
}

const secretArn = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:indexer-a1B2c3'
const inAccount = (start: string, end: string) => ({ 'Fn::Join': ['', [start, { Ref: 'AWS::AccountId' }, end]] })

const functions = await functionsOf({
  nodeCredential: { header: 'x-api-key', secret: 'explorer/node', parameter: null },
  indexerGraphqlUrl: 'https://indexer.example.org/graphql',
  indexerCredential: { header: 'authorization', secret: secretArn, parameter: null },
})

describe('a credential', () => {
  const readsSecret = (resource: unknown) => ({
    Action: 'secretsmanager:GetSecretValue',
    Effect: 'Allow',
    Resource: resource,
  })
  const nodeSecret = inAccount('arn:aws:secretsmanager:us-east-1:', ':secret:explorer/node-??????')

  test('is passed by name, and only the functions that need it may read it', () => {
    expect(functions['GET /summary']?.variables).toMatchObject({
      NODE_CREDENTIAL: '{"header":"x-api-key","secret":"explorer/node"}',
    })
    expect(functions['GET /summary']?.variables).not.toHaveProperty('INDEXER_CREDENTIAL')
    expect(functions['GET /summary']?.rights).toEqual([readsSecret(nodeSecret)])
    expect(functions['GET /blocks']?.variables.INDEXER_CREDENTIAL).toBe(
      `{"header":"authorization","secret":"${secretArn}"}`,
    )
    const bothSecrets = { Action: 'secretsmanager:GetSecretValue', Effect: 'Allow', Resource: [secretArn, nodeSecret] }
    expect(functions['GET /blocks']?.rights).toEqual([bothSecrets])
  })

  test('of each of several nodes is passed and may be read on its own', async () => {
    const node = { headers: {}, sharedAddress: false }
    const { 'GET /summary': summary } = await functionsOf({
      nodeGraphqlUrl: null,
      nodes: [
        {
          ...node,
          graphqlUrl: 'https://a.example/graphql',
          credential: { header: 'x-api-key', secret: 'explorer/node', parameter: null },
        },
        {
          ...node,
          graphqlUrl: 'https://b.example/graphql',
          credential: { header: 'x-api-key', secret: null, parameter: '/explorer/b' },
          sharedAddress: true,
        },
      ],
    })
    expect(JSON.parse(String(summary?.variables.NODES))).toEqual([
      { graphqlUrl: 'https://a.example/graphql', credential: { header: 'x-api-key', secret: 'explorer/node' } },
      {
        graphqlUrl: 'https://b.example/graphql',
        credential: { header: 'x-api-key', parameter: '/explorer/b' },
        sharedAddress: true,
      },
    ])
    expect(summary?.variables).not.toHaveProperty('NODE_GRAPHQL_URL')
    expect(summary?.rights.map(({ Action: action }) => action)).toEqual([
      'secretsmanager:GetSecretValue',
      'ssm:GetParameter',
    ])
  })

  test('may be a parameter', async () => {
    const { 'GET /summary': summary } = await functionsOf({
      nodeCredential: { header: 'x-api-key', secret: null, parameter: '/explorer/node' },
    })
    expect(summary?.variables.NODE_CREDENTIAL).toBe('{"header":"x-api-key","parameter":"/explorer/node"}')
    expect(summary?.rights).toEqual([
      {
        Action: 'ssm:GetParameter',
        Effect: 'Allow',
        Resource: inAccount('arn:aws:ssm:us-east-1:', ':parameter/explorer/node'),
      },
    ])
  })

  test('is read through an extension without a cache, since the function has its own', () => {
    expect(functions['GET /summary']?.properties.Layers).toEqual([
      expect.stringMatching(/:layer:AWS-Parameters-and-Secrets-Lambda-Extension-Arm64:\d+$/),
    ])
    expect(functions['GET /summary']?.variables).toMatchObject({
      PARAMETERS_SECRETS_EXTENSION_CACHE_ENABLED: 'false',
      SECRETS_MANAGER_TIMEOUT_MILLIS: '2000',
      SSM_PARAMETER_STORE_TIMEOUT_MILLIS: '2000',
    })
  })

  test('that is not set adds no extension and no right', async () => {
    const { 'GET /blocks': blocks } = await functionsOf({})
    expect(blocks?.rights).toEqual([])
    expect(blocks?.properties).not.toHaveProperty('Layers')
    expect(blocks?.properties).not.toHaveProperty('VpcConfig')
    expect(blocks?.properties).not.toHaveProperty('ReservedConcurrentExecutions')
  })
})

test('a VPC contains every function, each with the right to create a network interface', async () => {
  const vpc = {
    vpcId: 'vpc-0a1b2c3d',
    subnetIds: ['subnet-0a1b2c3d', 'subnet-1a2b3c4d'],
    availabilityZones: ['us-east-1a', 'us-east-1b'],
    securityGroupIds: ['sg-0a1b2c3d'],
  }
  for (const { properties, rights } of Object.values(await functionsOf({ vpc }))) {
    expect(properties.VpcConfig).toEqual({ SubnetIds: vpc.subnetIds, SecurityGroupIds: vpc.securityGroupIds })
    expect(rights).toEqual([
      {
        // The CDK merges these statements with those for tracing.
        Action: expect.arrayContaining(['ec2:CreateNetworkInterface', 'ec2:DeleteNetworkInterface']),
        Effect: 'Allow',
        Resource: '*',
      },
    ])
  }
})

test.each([
  { reads: null, broadcasts: null },
  { reads: null, broadcasts: 7 },
  { reads: 9, broadcasts: null },
  { reads: 9, broadcasts: 7 },
])('functions have the reserved concurrency of their kind: %j', async (reservedConcurrency) => {
  const template = await templateOf({ reservedConcurrency })
  const reserved = Object.entries({ ...functionsByRoute(template), ...docsByRoute(template) }).map(
    ([route, { properties }]) => [route.replace('HEAD ', 'GET '), properties.ReservedConcurrentExecutions],
  )
  const reads = reservedConcurrency.reads ?? undefined
  const broadcasts = reservedConcurrency.broadcasts ?? undefined
  expect(Object.fromEntries(reserved)).toEqual(
    Object.fromEntries(
      [...endpoints, ...docsRoutesOfGet].map((each) => [routeOf(each), each.method === 'GET' ? reads : broadcasts]),
    ),
  )
})
