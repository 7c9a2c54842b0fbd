import { Stack } from 'aws-cdk-lib'
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'

/** Log queries by the names that the runbook uses, saved so that nobody has to type them during an outage. */
export const queries = {
  'refused broadcasts': `filter Route like /broadcast/ and Outcome in ["refused", "unknown", "used-nonce", "failed"] and not ispresent(heartbeat)
| stats count(*) as n, latest(note) as lastNote, latest(failedCalls) as lastFailedCalls by Route, Outcome, Code
| sort n desc
| limit 50`,
  'one request': `filter requestId = "<id>" or gatewayRequestId = "<id>" or record.requestId = "<id>"
| fields @timestamp, @log, requestId, gatewayRequestId, route, status, Outcome, Code, durationMs, note, error, functionError
| sort @timestamp asc
| limit 50`,
} as const

/** Queries in CloudWatch Logs Insights, under "Saved queries" in a folder of the stack's name. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, logGroupNames: string[]) {
    super(scope, id)
    for (const [name, queryString] of Object.entries(queries))
      new CfnQueryDefinition(this, name.replaceAll(' ', '-'), {
        name: `${Stack.of(this).stackName}/${name}`,
        queryString,
        logGroupNames,
      })
  }
}
