import { Duration, Validations } from 'aws-cdk-lib'
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { metricPeriod } from './service-metrics.ts'

/** GET /summary as an event of the HTTP API, with the fields that the function reads. */
const summaryEvent = (headers: Readonly<Record<string, string>>) => ({
  version: '2.0',
  routeKey: 'GET /summary',
  rawPath: '/summary',
  rawQueryString: '',
  headers: { 'user-agent': 'heartbeat', ...headers },
  requestContext: { http: { method: 'GET', path: '/summary', protocol: 'HTTP/1.1' }, stage: '$default' },
  isBase64Encoded: false,
})

/** Requests the summary every five minutes, so that height and age of the tip are measured without traffic. */
export class Heartbeat extends Construct {
  /** @param headers those that CloudFront adds: the heartbeat does not pass through it, and the function requires them */
  constructor(scope: Construct, id: string, summary: IFunction, headers: Readonly<Record<string, string>>) {
    super(scope, id)
    // A late heartbeat measures nothing that the next one does not, so neither EventBridge nor Lambda tries again.
    const noRetry = { retryAttempts: 0, maxEventAge: Duration.minutes(1) }
    summary.configureAsyncInvoke(noRetry)
    Validations.of(summary).acknowledge({
      id: 'Serverless::Serverless-LambdaAsyncFailureDestination',
      reason: 'A lost heartbeat is not repeated. The alarm on the age of the tip fires if heartbeats stay away.',
    })
    const schedule = new Rule(this, 'Schedule', {
      description: 'Keeps the metrics of the chain alive without traffic',
      schedule: Schedule.rate(metricPeriod),
      targets: [
        new LambdaFunction(summary, {
          event: RuleTargetInput.fromObject(summaryEvent(headers)),
          ...noRetry,
        }),
      ],
    })
    Validations.of(schedule).acknowledge({
      id: 'Serverless::Serverless-EventBusDLQ',
      reason: 'A lost heartbeat is not repeated. The alarm on the age of the tip fires if heartbeats stay away.',
    })
  }
}
