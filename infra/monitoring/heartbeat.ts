import { Duration, Validations } from 'aws-cdk-lib'
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import { Construct } from 'constructs'
import { routeOf } from '../../shared/agreements/names.ts'
import type { MonitoredFunction } from './monitored-function.ts'
import { metricPeriod } from './service-metrics.ts'

type Headers = Readonly<Record<string, string>>

/**
 * Values of path parameters, valid on every network. A node has neither: they are the zero hash, which no
 * block can have, and the zero key, which no signature fits. So "not found" is an answer that a node gave.
 */
const pathValues: Readonly<Record<string, string>> = {
  state_hash: '3NK2tkzqqK5spR2sZ7tujjqPksL45M3UUrcA4WhCkeiPtnugyE2x',
  public_key: 'B62qiTKpEPjGTSHZrtM8uXiKgn8So916pLmNJKDhKeyBQL9TDb3nvBG',
}

/** The parameters of a path, each with its value. */
function parametersOf(path: string): Readonly<Record<string, string>> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return Object.fromEntries(
    names.map((name) => {
      const value = pathValues[name]
      if (value === undefined) throw new Error(`The heartbeat has no value for ${name} in ${path}.`)
      return [name, value]
    }),
  )
}

/** A GET as an event of the HTTP API, with the fields that the function reads. */
function eventOf({ endpoint }: MonitoredFunction, headers: Headers): object {
  const pathParameters = parametersOf(endpoint.path)
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_braces, name: string) => pathParameters[name] ?? '')
  return {
    version: '2.0',
    routeKey: routeOf(endpoint),
    rawPath: path,
    rawQueryString: '',
    headers: { 'user-agent': 'heartbeat', ...headers },
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: { http: { method: endpoint.method, path, protocol: 'HTTP/1.1' }, stage: '$default' },
    isBase64Encoded: false,
  }
}

/**
 * Invokes the function of each GET every five minutes. So height and age of the tip are measured without traffic, and a
 * function that cannot answer is found before its users find it.
 */
export class Heartbeat extends Construct {
  /** @param headers those that CloudFront adds: the heartbeat does not pass through it, and the functions require them */
  constructor(scope: Construct, id: string, functions: readonly MonitoredFunction[], headers: Headers) {
    super(scope, id)
    // A late heartbeat measures nothing that the next one does not, so neither EventBridge nor Lambda tries again.
    const noRetry = { retryAttempts: 0, maxEventAge: Duration.minutes(1) }
    const reads = functions.filter(({ endpoint }) => endpoint.method === 'GET' && endpoint.operations.length > 0)
    for (const { handler } of reads) {
      handler.configureAsyncInvoke(noRetry)
      Validations.of(handler).acknowledge({
        id: 'Serverless::Serverless-LambdaAsyncFailureDestination',
        reason: 'A lost heartbeat is not repeated. The alarm on the age of the tip fires if heartbeats stay away.',
      })
    }
    const schedule = new Rule(this, 'Schedule', {
      description: 'Keeps the metrics of chain and functions alive without traffic',
      schedule: Schedule.rate(metricPeriod),
      targets: reads.map(
        (read) =>
          new LambdaFunction(read.handler, { event: RuleTargetInput.fromObject(eventOf(read, headers)), ...noRetry }),
      ),
    })
    Validations.of(schedule).acknowledge({
      id: 'Serverless::Serverless-EventBusDLQ',
      reason: 'A lost heartbeat is not repeated. The alarm on the age of the tip fires if heartbeats stay away.',
    })
  }
}
