// The variables and rights by which functions reach their upstreams.
import { describe, expect, test } from '@jest/globals'
import { readSettings } from '../../../functions/runtime/settings/settings.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { routeOf } from '../../../shared/http/routes.ts'
import { deployed } from '../route-functions.ts'

const node = { url: 'https://node.example.org/graphql', headers: {}, timeoutMs: 9000 }
const indexerGraphqlUrl = ['https://indexer.example.org/graphql', 'https://old.example.org/graphql']

test('the functions read the environment that the stack sets; those that query the indexer have its address', async () => {
  const upstreamHeaders = { 'x-api-key': 's3cret "quoted"' }
  const indexerHeaders = { authorization: 'Bearer "s3cret"' }
  const [only = ''] = indexerGraphqlUrl
  const indexer = { indexerGraphqlUrl: [only], indexerHeaders, indexerStakes: false, indexerTimeoutMs: 900 }
  const stage = await deployed({ upstreamHeaders, ...indexer, indexerStakesTimeoutMs: 7000, lenientPayload: true })
  // CloudFormation inserts the text of the secret.
  const read = (route: string) => readSettings({ ...stage[route]?.variables, ORIGIN_SECRETS: 'new,old' })
  const queryingIndexer = { url: only, headers: indexerHeaders, timeoutMs: 900, slowTimeoutMs: 7000 }
  expect(endpoints.map((endpoint) => read(routeOf(endpoint)))).toMatchObject(
    endpoints.map(({ operations, method }) => ({
      ofEndpoints: { lenientPayload: method === 'POST' },
      node: { ...node, headers: upstreamHeaders },
      originSecrets: ['new', 'old'],
      indexers: operations.some(({ upstream }) => upstream === 'indexer') ? [queryingIndexer] : [],
    })),
  )
  expect(read('GET /blocks').indexers).toHaveLength(1)
  expect(stage['GET /accounts/{public_key}']?.variables.INDEXER_STAKES).toBe('false')
})

test('several indexers are passed in their order', async () => {
  const { 'GET /blocks': blocks } = await deployed({ indexerGraphqlUrl })
  const { indexers } = readSettings({ ...blocks?.variables, ORIGIN_SECRETS: 'new' })
  expect(indexers.map(({ url }) => url)).toEqual(indexerGraphqlUrl)
})

describe('a credential', () => {
  const secretArn = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:indexer-a1B2c3'
  const inAccount = (start: string, end: string) => ({ 'Fn::Join': ['', [start, { Ref: 'AWS::AccountId' }, end]] })
  const mayRead = (action: string, resource: unknown) => ({ Action: action, Effect: 'Allow', Resource: resource })
  const nodeSecret = inAccount('arn:aws:secretsmanager:us-east-1:', ':secret:explorer/node-??????')
  const header = 'x-api-key'
  const nodeCredential = { header, secret: 'explorer/node', parameter: null }

  test('is passed by name, read through an extension without a cache, and readable where it is needed only', async () => {
    const indexerCredential = { header: 'authorization', secret: secretArn, parameter: null }
    const functions = await deployed({
      nodeCredential,
      indexerGraphqlUrl: indexerGraphqlUrl.slice(0, 1),
      indexerCredential,
    })
    const { 'GET /summary': summary, 'GET /blocks': blocks, 'GET /docs': docs } = functions
    expect(summary?.variables).toMatchObject({
      NODE_CREDENTIAL: '{"header":"x-api-key","secret":"explorer/node"}',
      // The function has a cache; another one would keep a rotated key.
      PARAMETERS_SECRETS_EXTENSION_CACHE_ENABLED: 'false',
      SECRETS_MANAGER_TIMEOUT_MILLIS: '2000',
      SSM_PARAMETER_STORE_TIMEOUT_MILLIS: '2000',
    })
    expect(summary?.variables).not.toHaveProperty('INDEXER_CREDENTIAL')
    expect(summary?.properties.Layers).toEqual([
      expect.stringMatching(/:layer:AWS-Parameters-and-Secrets-Lambda-Extension-Arm64:\d+$/),
    ])
    expect(summary?.rights.slice(1)).toEqual([mayRead('secretsmanager:GetSecretValue', nodeSecret)])
    expect(blocks?.variables.INDEXER_CREDENTIAL).toBe(`{"header":"authorization","secret":"${secretArn}"}`)
    expect(blocks?.rights.slice(1)).toEqual([mayRead('secretsmanager:GetSecretValue', [secretArn, nodeSecret])])
    expect(docs?.rights).toHaveLength(1)
  })

  test('of each of several nodes is passed and readable', async () => {
    const [a, b] = ['https://a.example/graphql', 'https://b.example/graphql']
    const parameter = '/explorer/b'
    const nodes = [
      { graphqlUrl: a, headers: {}, sharedAddress: false, credential: nodeCredential },
      { graphqlUrl: b, headers: {}, sharedAddress: true, credential: { header, secret: null, parameter } },
    ]
    const { 'GET /summary': summary } = await deployed({ nodeGraphqlUrl: null, nodes })
    expect(JSON.parse(String(summary?.variables.NODES))).toEqual([
      { graphqlUrl: a, credential: { header, secret: 'explorer/node' } },
      { graphqlUrl: b, credential: { header, parameter }, sharedAddress: true },
    ])
    expect(summary?.variables).not.toHaveProperty('NODE_GRAPHQL_URL')
    expect(summary?.rights.slice(1).map(({ Action: action }) => action)).toEqual([
      'secretsmanager:GetSecretValue',
      'ssm:GetParameter',
    ])
  })
})
