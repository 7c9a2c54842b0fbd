import { Duration, Validations } from 'aws-cdk-lib'
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import { Construct } from 'constructs'
import { filledPath, parametersOf, unheldValues } from '../../shared/contract/parameters.ts'
import { heartbeatKey, routeOf } from '../../shared/http/routes.ts'
import type { MonitoredFunction } from './monitored-function.ts'
import { metricPeriod } from './service-metrics.ts'

/**
 * A GET as an event of the HTTP API, with the fields that the function reads and the mark that opens its lock. It asks for things
 * that no chain has.
 */
function eventOf({ endpoint }: MonitoredFunction): object {
  const pathParameters = Object.fromEntries(parametersOf(endpoint.path).map((name) => [name, unheldValues[name]]))
  const path = filledPath(endpoint.path, unheldValues)
  return {
    version: '2.0',
    routeKey: routeOf(endpoint),
    rawPath: path,
    rawQueryString: '',
    headers: { 'user-agent': 'heartbeat' },
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: { http: { method: endpoint.method, path, protocol: 'HTTP/1.1' }, stage: '$default' },
    isBase64Encoded: false,
    [heartbeatKey]: true,
  }
}

/** EventBridge takes no more for one rule. */
const maxTargets = 5

/**
 * Invokes the function of each GET every five minutes. So height and age of the tip are measured without traffic, and a
 * function that cannot answer is found before its users find it.
 */
export class Heartbeat extends Construct {
  constructor(scope: Construct, id: string, functions: readonly MonitoredFunction[]) {
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
    const targets = reads.map(
      (read) => new LambdaFunction(read.handler, { event: RuleTargetInput.fromObject(eventOf(read)), ...noRetry }),
    )
    for (let first = 0; first < targets.length; first += maxTargets) {
      const schedule = new Rule(this, first === 0 ? 'Schedule' : `ScheduleFrom${first}`, {
        description: 'Keeps the metrics of chain and functions alive without traffic',
        schedule: Schedule.rate(metricPeriod),
        targets: targets.slice(first, first + maxTargets),
      })
      Validations.of(schedule).acknowledge({
        id: 'Serverless::Serverless-EventBusDLQ',
        reason: 'A lost heartbeat is not repeated. The alarm on the age of the tip fires if heartbeats stay away.',
      })
    }
  }
}
