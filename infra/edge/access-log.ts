import { Names } from 'aws-cdk-lib'
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront'
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, type LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { logGroupArn, stageLogGroup, vendedLogGroupName } from '../api/log-group.ts'
import type { StageSettings } from '../settings/schema.ts'

/**
 * What a line has: how a request was answered, where from, and how fast. Who asked (address, user agent, forwarding
 * headers) and for what (path and query hold public keys) are not among them. The path pattern is that of the behaviour.
 */
const fields = [
  'date',
  'time',
  'x-edge-location',
  'c-country',
  'asn',
  'cs-method',
  'cache-behavior-path-pattern',
  'sc-status',
  'sc-bytes',
  'x-edge-result-type',
  'x-edge-response-result-type',
  'x-edge-detailed-result-type',
  'time-taken',
  'time-to-first-byte',
  'cs-protocol-version',
  'x-edge-request-id',
]

/** One JSON line for each request to CloudFront, from its cache too, in a log group. In us-east-1 alone. */
export class CdnAccessLog extends Construct {
  readonly logGroup: LogGroup

  constructor(scope: Construct, id: string, settings: StageSettings, distribution: Distribution) {
    super(scope, id)
    this.logGroup = stageLogGroup(this, 'Lines', settings, `${vendedLogGroupName(this)}-cdn`)
    const name = Names.uniqueResourceName(this, { maxLength: 60, separator: '-' })
    const source = new CfnDeliverySource(this, 'Source', {
      name,
      resourceArn: distribution.distributionArn,
      logType: 'ACCESS_LOGS',
    })
    const destination = new CfnDeliveryDestination(this, 'Destination', {
      name,
      destinationResourceArn: logGroupArn(this.logGroup),
      outputFormat: 'json',
    })
    const delivery = new CfnDelivery(this, 'Delivery', {
      deliverySourceName: source.name,
      deliveryDestinationArn: destination.attrArn,
      recordFields: fields,
    })
    // It names the source, and a name alone does not wait for it.
    delivery.addResourceDependency(source)
  }
}
