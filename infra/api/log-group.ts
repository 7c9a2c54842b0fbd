import { RemovalPolicy } from 'aws-cdk-lib'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { StageSettings } from '../settings/schema.ts'

/** A log group with the retention of the stage; it outlives the stack where the stage retains its logs. */
export const stageLogGroup = (scope: Construct, id: string, settings: StageSettings): LogGroup =>
  new LogGroup(scope, id, {
    retention: settings.logRetentionDays,
    // Except after a failed first deployment, which leaves nothing behind.
    removalPolicy: settings.retainLogs ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  })
