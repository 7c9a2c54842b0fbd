import { Duration, Validations } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { Construct } from 'constructs'
import { broadcastTransaction } from '../../shared/endpoints/broadcast-transaction.ts'
import { bundledCode } from '../api/bundled-code.ts'
import { buildConstants } from '../api/bundling.ts'
import { ServiceFunction } from '../api/service-function.ts'
import type { StageSettings } from '../settings/schema.ts'
import { metricPeriod } from './service-metrics.ts'

/**
 * A function that posts a payment which can never run to the public address every five minutes, and fails if the answer is
 * not a node's refusal of it. It is in no VPC, so that it takes the way of a wallet.
 */
export class BroadcastHeartbeat extends ServiceFunction {
  /** @param baseAddress the public address of the service */
  constructor(scope: Construct, id: string, settings: StageSettings, baseAddress: string) {
    super(scope, id, settings, {
      description: 'Posts a payment that can never run, to see that broadcasts reach a node',
      code: bundledCode('broadcast-heartbeat', buildConstants('')),
      environment: {
        BROADCAST_ADDRESS: `${baseAddress}${broadcastTransaction.path}`,
        NETWORK: settings.network,
      },
    })
    // A late heartbeat shows nothing that the next one does not, so neither EventBridge nor Lambda tries again.
    const noRetry = { retryAttempts: 0, maxEventAge: Duration.minutes(1) }
    this.handler.configureAsyncInvoke(noRetry)
    const schedule = new Rule(this, 'Schedule', {
      description: 'Posts a broadcast through the public address',
      schedule: Schedule.rate(metricPeriod),
      targets: [new LambdaFunction(this.handler, noRetry)],
    })
    const reason = 'A lost heartbeat is not repeated. Its alarm fires if heartbeats stay away.'
    Validations.of(this.handler).acknowledge({ id: 'Serverless::Serverless-LambdaAsyncFailureDestination', reason })
    Validations.of(schedule).acknowledge({ id: 'Serverless::Serverless-EventBusDLQ', reason })
  }
}
