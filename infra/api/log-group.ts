import { RemovalPolicy } from 'aws-cdk-lib'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { StageSettings } from '../settings/schema.ts'

/** A log group that keeps its lines, and outlives the stack, as the stage's settings say. */
export const stageLogGroup = (scope: Construct, id: string, settings: StageSettings): LogGroup =>
  new LogGroup(scope, id, {
    retention: settings.logRetentionDays,
    // A first deployment that fails leaves nothing behind.
    removalPolicy: settings.retainLogs ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  })
