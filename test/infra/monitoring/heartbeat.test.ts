import { describe, expect, test } from '@jest/globals'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { RequestLine } from '../../../functions/runtime/log.ts'
import { metricsLine } from '../../../functions/runtime/metrics.ts'
import { serve } from '../../../functions/runtime/serve.ts'
import { createChain } from '../../../local/chain/chain.ts'
import { readersOf } from '../../../local/start/routes.ts'
import { parametersOf, unheldValues } from '../../../shared/contract/parameters.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { routeOf } from '../../../shared/http/routes.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { metricsAtRest } from '../../../tools/generate/cost/at-rest.ts'
import { answerFrom, queriesOver } from '../../../verification/node-answers.ts'
import { lambdaContext } from '../../functions/event.ts'
import { chainOf, chainOver, recording } from '../../shared/endpoints/asking.ts'
import { withOneNode } from '../settings/every-setting.ts'
import { onlyResource, templateOf } from '../stack-template.ts'
import { textOf } from './alarm-text.ts'

const template = await templateOf()

const reads = endpoints.filter(({ method }) => method === 'GET')
const rules = Object.values(template.findResources('AWS::Events::Rule')).map(({ Properties }) => Properties)
const targets: readonly { Arn: unknown; Input: unknown }[] = rules.flatMap(({ Targets }) => Targets)
const events: readonly APIGatewayProxyEventV2[] = targets.map(({ Input }) => JSON.parse(textOf(Input)))

interface Directive {
  readonly Dimensions: readonly (readonly string[])[]
  readonly Metrics: readonly { readonly Name: string }[]
}

describe('the heartbeat', () => {
  const functionOf = (name: string) => expect.stringMatching(`^${name}Function[0-9A-F]{8}$`)

  test('invokes the function of each GET every five minutes, without retries by EventBridge or Lambda', () => {
    const schedule = { ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' }
    expect(rules).toMatchObject([schedule, schedule, schedule])
    expect(targets).toMatchObject(
      reads.map(({ name }) => ({
        Arn: { 'Fn::GetAtt': [functionOf(name), 'Arn'] },
        Input: expect.any(Object),
        RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
      })),
    )
    // EventBridge takes no more for one rule.
    expect(rules.map(({ Targets }) => Targets.length)).toEqual([5, 5, 2])
    const configs = Object.values(template.findResources('AWS::Lambda::EventInvokeConfig'))
    expect(configs.map(({ Properties }) => [Properties.FunctionName, Properties.MaximumRetryAttempts])).toEqual(
      reads.map(({ name }) => [{ Ref: functionOf(name) }, 0]),
    )
  })

  test('is an event of its route, with the secret header of CloudFront', () => {
    const headers = {
      'user-agent': 'heartbeat',
      'x-origin-secret': '{{resolve:secretsmanager:OriginSecretGeneration1:SecretString:::}}',
    }
    expect(events).toMatchObject(reads.map(({ path }) => ({ routeKey: `GET ${path}`, headers })))
  })

  test('makes each function ask its node', async () => {
    const asked = await Promise.all(
      reads.map(async (endpoint, index) => {
        const { context, asked } = recording({ data: null, errors: ['Daemon is bootstrapping'] })
        const handler = serve(endpoint, {
          ...(await readersOf(endpoint)),
          chain: chainOf(context),
          log: () => undefined,
        })
        const { statusCode } = await handler(events[index] as APIGatewayProxyEventV2, lambdaContext())
        return [
          endpoint.name,
          statusCode,
          asked.slice(0, 1).map(({ variables }) => Object.values(variables).map(String)),
        ]
      }),
    )
    const values = { ...unheldValues, limit: '1', blocks: '20' }
    expect(asked).toEqual(
      reads.map(({ name, path }) => {
        const further = { getBlocks: ['limit'], getAccountTransactions: ['blocks'] } as const
        const parameters = [...parametersOf(path), ...(further[name as keyof typeof further] ?? [])]
        return [name, 503, [parameters.map((parameter) => values[parameter])]]
      }),
    )
  })
})

/** The metrics of a line with their dimensions, whose values only routes have. */
function metricsOf(line: object): readonly string[] {
  const { _aws, Route } = line as { _aws: { CloudWatchMetrics: readonly Directive[] }; Route: string }
  return _aws.CloudWatchMetrics.flatMap(({ Metrics, Dimensions }) =>
    Dimensions.flatMap((set) =>
      Metrics.map(({ Name }) => `${Name} ${set.map((key) => (key === 'Route' ? Route : key)).join()}`),
    ),
  )
}

test.each([true, false])(
  'the heartbeat of a well service keeps the metrics alive that its cost counts: routeMetrics %s',
  async (ofRoutes) => {
    const root = queriesOver(createChain({ seed: 'heartbeat', now: () => Date.now() }))
    const query: QueryUpstream = async ({ document }, variables) => ({
      status: 200,
      ...answerFrom(root, document, variables),
    })
    const lines: RequestLine[] = []
    for (const [index, endpoint] of reads.entries()) {
      const chain = chainOver(query, { nodes: [{ name: 'node', query, sharedAddress: false }] })
      const handler = serve(endpoint, { ...(await readersOf(endpoint)), chain, log: (line) => lines.push(line) })
      await handler(events[index] as APIGatewayProxyEventV2, lambdaContext())
    }
    const written = lines.flatMap((line) => metricsOf(metricsLine(line, 'stack', Date.now(), ofRoutes)))
    expect(new Set(written)).toEqual(metricsAtRest(reads.map(routeOf), ofRoutes))
  },
)

describe('while the indexer is dead, the heartbeat of a read', () => {
  const root = queriesOver(createChain({ seed: 'heartbeat', now: () => Date.now() }))
  /** The node as it is, and what the indexer's death makes of a question. */
  const dead: Readonly<Record<string, () => never>> = {
    'refuses connections': () => {
      throw new WireError('unreachable', 'connection refused', { isUnsent: true })
    },
    'does not answer': () => {
      throw new WireError('timeout', 'no answer')
    },
  }
  const beside =
    (indexer: () => never): QueryUpstream =>
    async ({ upstream, document }, variables) =>
      upstream === 'indexer' ? indexer() : { status: 200, ...answerFrom(root, document, variables) }

  test.each(Object.entries(dead))(
    'wakes nobody, and writes a ticket where the indexer alone could answer: it %s',
    async (_how, indexer) => {
      const counted = await Promise.all(
        reads.map(async (endpoint, index) => {
          const lines: RequestLine[] = []
          const query = beside(indexer)
          const nodes = [{ name: 'node', query, sharedAddress: false }]
          const chain = chainOver(query, { indexer: true, nodes })
          const handler = serve(endpoint, { ...(await readersOf(endpoint)), chain, log: (line) => lines.push(line) })
          const { statusCode } = await handler(events[index] as APIGatewayProxyEventV2, lambdaContext())
          const [line] = lines.map((each) => metricsLine(each, 'stack', Date.now()) as Record<string, unknown>)
          return [endpoint.name, statusCode, line?.Faults, line?.IndexerFaults]
        }),
      )
      expect(counted).toEqual([
        ['getBlocks', 200, 0, undefined],
        ['getBlock', 503, 0, 1],
        ['getAccount', 404, 0, undefined],
        ['getSummary', 200, 0, undefined],
        ['getBlockAtHeight', 404, 0, undefined],
        ['getTransaction', 503, 0, 1],
        ['getAccountTransactions', 503, 0, 1],
        ['getHealth', 200, 0, undefined],
        ['getNetwork', 200, 0, undefined],
        ['getAccountTokens', 200, 0, undefined],
        ['getFees', 200, 0, undefined],
        ['getPool', 200, 0, undefined],
      ])
    },
  )

  test('is a fault where the node is dead too', async () => {
    const lines: RequestLine[] = []
    const endpoint = reads.find(({ name }) => name === 'getBlock') ?? reads[0]
    if (endpoint === undefined) throw new Error('no read')
    const event = events[reads.indexOf(endpoint)] as APIGatewayProxyEventV2
    const chain = chainOver(async () => dead['refuses connections']?.() as never, { indexer: true })
    await serve(endpoint, { ...(await readersOf(endpoint)), chain, log: (line) => lines.push(line) })(
      event,
      lambdaContext(),
    )
    expect(lines.map((line) => metricsLine(line, 'stack', Date.now()))).toMatchObject([{ Faults: 1 }])
  })
})

describe('the heartbeat of broadcasts', () => {
  test('posts the payment of its network to the public address every five minutes, outside any VPC', async () => {
    const { attached: _, ...domain } = withOneNode.customDomain
    const withHeartbeat = await templateOf({
      broadcastHeartbeat: true,
      vpc: withOneNode.vpc,
      network: 'mainnet',
      customDomain: { ...domain, attached: true },
    })
    const { id, properties: poster } = onlyResource(withHeartbeat, 'AWS::Lambda::Function', 'BroadcastHeartbeat')
    expect(poster.Environment.Variables).toEqual({
      BROADCAST_ADDRESS: 'https://explorer.example.org/broadcast/transaction',
      NETWORK: 'mainnet',
    })
    expect(poster).not.toHaveProperty('VpcConfig')
    expect(onlyResource(withHeartbeat, 'AWS::Events::Rule', 'BroadcastHeartbeat').properties).toMatchObject({
      ScheduleExpression: 'rate(5 minutes)',
      State: 'ENABLED',
      Targets: [{ Arn: { 'Fn::GetAtt': [id, 'Arn'] }, RetryPolicy: { MaximumRetryAttempts: 0 } }],
    })
  })

  test('is absent unless the settings ask for it', () => {
    expect(Object.keys(template.findResources('AWS::Events::Rule'))).toHaveLength(3)
  })
})
