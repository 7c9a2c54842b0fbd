import { Duration, Validations } from 'aws-cdk-lib'
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { metricPeriod } from './service-metrics.ts'

/** GET /summary as the HTTP API hands it over, as far as anybody looks at it. */
const summaryEvent = (headers: Readonly<Record<string, string>>) => ({
  version: '2.0',
  routeKey: 'GET /summary',
  rawPath: '/summary',
  rawQueryString: '',
  headers: { 'user-agent': 'heartbeat', ...headers },
  requestContext: { http: { method: 'GET', path: '/summary', protocol: 'HTTP/1.1' }, stage: '$default' },
  isBase64Encoded: false,
})

/** Asks for the summary every five minutes, so that height and age of the tip are known without traffic. */
export class Heartbeat extends Construct {
  /** @param headers what the function wants to see of a request that came through the CDN */
  constructor(scope: Construct, id: string, summary: IFunction, headers: Readonly<Record<string, string>> = {}) {
    super(scope, id)
    // A heartbeat that comes late tells what the next one tells: neither the schedule nor Lambda's own queue tries again.
    const lost = { retryAttempts: 0, maxEventAge: Duration.minutes(1) }
    summary.configureAsyncInvoke(lost)
    Validations.of(summary).acknowledge({
      id: 'Serverless::Serverless-LambdaAsyncFailureDestination',
      reason: 'Nobody would read of a lost heartbeat there; the alarm on the age of the tip tells that it is missing.',
    })
    const rule = new Rule(this, 'Schedule', {
      description: 'Keeps the metrics of the chain alive without traffic',
      schedule: Schedule.rate(metricPeriod),
      targets: [
        new LambdaFunction(summary, {
          event: RuleTargetInput.fromObject(summaryEvent(headers)),
          ...lost,
        }),
      ],
    })
    Validations.of(rule).acknowledge({
      id: 'Serverless::Serverless-EventBusDLQ',
      reason:
        'A heartbeat that was lost is worth nothing later; the alarm on the age of the tip tells that it is missing.',
    })
  }
}
