import { ArnFormat, Aws, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { StageSettings } from '../settings/schema.ts'

/**
 * The name of a log group that a service of AWS writes to. Services share one right to all groups below /aws/vendedlogs/;
 * for every other group they add to a policy of the account that has a limit. It contains the id of the stack, so
 * that a stack can be created again while the logs of an earlier one with its name remain.
 */
export function vendedLogGroupName(scope: Construct): string {
  // arn:aws:cloudformation:<region>:<account>:stack/<name>/<id>
  const id = Fn.select(2, Fn.split('/', Aws.STACK_ID))
  return `/aws/vendedlogs/${Stack.of(scope).stackName}-${id}`
}

/**
 * The ARN as API Gateway stores it. That of CloudFormation ends with `:*`, so that drift detection would report a
 * difference.
 */
export const logGroupArn = ({ stack, logGroupName }: LogGroup): string =>
  stack.formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: logGroupName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  })

/**
 * A log group with the retention of the stage; it outlives the stack where the stage retains its logs.
 *
 * @param name where one is required; else AWS gives it one
 */
export const stageLogGroup = (scope: Construct, id: string, settings: StageSettings, name?: string): LogGroup =>
  new LogGroup(scope, id, {
    ...(name !== undefined && { logGroupName: name }),
    retention: settings.logRetentionDays,
    // Except after a failed first deployment, which leaves nothing behind.
    removalPolicy: settings.retainLogs ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  })
