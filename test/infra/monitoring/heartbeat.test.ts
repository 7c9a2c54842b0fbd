import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { RequestLine } from '../../../functions/runtime/log.ts'
import { metricsLine } from '../../../functions/runtime/metrics.ts'
import { serve } from '../../../functions/runtime/serve.ts'
import { readersOf } from '../../../local/start/routes.ts'
import { answerFrom, queriesOver } from '../../../packages/proofs/node-answers.ts'
import { createChain } from '../../../packages/testnet/chain.ts'
import { parametersOf, unheldValues } from '../../../shared/contract/parameters.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { routeOf } from '../../../shared/http/routes.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { metricsAtRest } from '../../../tools/generate/cost/at-rest.ts'
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
    expect(rules).toMatchObject(rules.map(() => schedule))
    expect(targets).toMatchObject(
      reads.map(({ name }) => ({
        Arn: { 'Fn::GetAtt': [functionOf(name), 'Arn'] },
        Input: expect.any(String),
        RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
      })),
    )
    // EventBridge takes no more for one rule.
    expect(rules.filter(({ Targets }) => Targets.length > 5)).toEqual([])
    const configs = Object.values(template.findResources('AWS::Lambda::EventInvokeConfig'))
    expect(configs.map(({ Properties }) => [Properties.FunctionName, Properties.MaximumRetryAttempts])).toEqual(
      reads.map(({ name }) => [{ Ref: functionOf(name) }, 0]),
    )
  })

  test('is an event of its route, with a mark that only its sender can write, and without a secret', () => {
    expect(events).toMatchObject(reads.map(({ path }) => ({ routeKey: `GET ${path}`, heartbeat: true })))
    expect(events.filter((event) => JSON.stringify(event).includes('resolve:'))).toEqual([])
  })

  test('makes each function ask its node', async () => {
    const asked = await Promise.all(
      reads.map(async (endpoint, index) => {
        const { context, asked } = recording({ data: null, errors: ['Daemon is bootstrapping'] })
        const handler = serve(endpoint, {
          ...(await readersOf(endpoint)),
          chain: chainOf(context),
          log: () => undefined,
          originSecrets: ['secret'],
        })
        const { statusCode } = await handler(events[index] as APIGatewayProxyEventV2, lambdaContext())
        const [first] = asked.map(({ variables }) => Object.values(variables).map(String))
        return { name: endpoint.name, statusCode, first }
      }),
    )
    expect(asked.map(({ name, statusCode }) => [name, statusCode])).toEqual(reads.map(({ name }) => [name, 503]))
    // Values of its path that no chain holds, or the least that an option allows.
    const known: readonly string[] = [...Object.values(unheldValues).map(String), '1', '20']
    expect(asked.filter(({ first }) => first === undefined || first.some((value) => !known.includes(value)))).toEqual(
      [],
    )
    const namingOne = reads.filter(({ path }) => parametersOf(path).length > 0)
    expect(asked.filter(({ first }) => first?.some((value) => value.length > 10)).length).toBeGreaterThan(
      namingOne.length / 2,
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

/** Each read's answer to its heartbeat, and its log line. */
const beats = (query: QueryUpstream, indexer: boolean) =>
  Promise.all(
    reads.map(async (endpoint, index) => {
      const lines: RequestLine[] = []
      const nodes = [{ name: 'node', query, sharedAddress: false }]
      const chain = chainOver(query, { nodes, ...(indexer && { indexer: true }) })
      const handler = serve(endpoint, { ...(await readersOf(endpoint)), chain, log: (line) => lines.push(line) })
      const { statusCode } = await handler(events[index] as APIGatewayProxyEventV2, lambdaContext())
      const [line] = lines
      if (line === undefined) throw new Error('nothing was logged')
      return { name: endpoint.name, statusCode, line }
    }),
  )

const root = queriesOver(createChain({ seed: 'heartbeat', now: () => Date.now(), signsOwnCommands: false }))

test.each([true, false])(
  'the heartbeat of a well service keeps the metrics alive that its cost counts: routeMetrics %s',
  async (ofRoutes) => {
    const all = await beats(async ({ document }, variables) => {
      return { status: 200, ...answerFrom(root, document, variables) }
    }, false)
    const written = all.flatMap(({ line }) => metricsOf(metricsLine(line, 'stack', Date.now(), ofRoutes)))
    expect(new Set(written)).toEqual(metricsAtRest(reads.map(routeOf), ofRoutes))
  },
)

describe('while the indexer is dead, the heartbeat of a read', () => {
  const refused = new WireError('unreachable', 'connection refused', { isUnsent: true })
  const alive: QueryUpstream = async ({ document }, variables) => ({
    status: 200,
    ...answerFrom(root, document, variables),
  })
  const counted = async (query: QueryUpstream, indexer = true) =>
    (await beats(query, indexer)).map(({ name, statusCode, line }) => {
      const { Faults, IndexerFaults } = metricsLine(line, 'stack', Date.now()) as Record<string, unknown>
      return { name, answer: [statusCode, Faults, IndexerFaults] }
    })

  test.each([
    ['refuses connections', refused],
    ['does not answer', new WireError('timeout', 'no answer')],
  ])('wakes nobody, and writes a ticket where the indexer alone could answer: it %s', async (_how, death) => {
    const withDeadIndexer: QueryUpstream = async (operation, ...terms) => {
      if (operation.upstream === 'indexer') throw death
      return alive(operation, ...terms)
    }
    const [dead, none] = [await counted(withDeadIndexer), await counted(alive, false)]
    const ticket = [503, 0, 1]
    const tickets = dead.flatMap(({ name, answer }) => (isDeepStrictEqual(answer, ticket) ? [name] : []))
    const askingIt = reads.filter(({ operations }) => operations.some(({ upstream }) => upstream === 'indexer'))
    expect(askingIt.map(({ name }) => name)).toEqual(expect.arrayContaining(tickets))
    expect(dead).toEqual(none.map((each) => (tickets.includes(each.name) ? { ...each, answer: ticket } : each)))
    expect(tickets).toContain('getBlock')
  })

  test('is a fault where the node is dead too', async () => {
    const answers = (await counted(() => Promise.reject(refused))).map(({ answer }) => answer)
    expect(answers).toContainEqual([502, 1, undefined])
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
    const ids = Object.keys(template.findResources('AWS::Events::Rule'))
    expect(ids.filter((id) => id.includes('Broadcast'))).toEqual([])
  })
})
