import { Duration, Stack, Tags } from 'aws-cdk-lib'
import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { HealthCheck, HealthCheckType } from 'aws-cdk-lib/aws-route53'
import { Construct } from 'constructs'
import { edgeMetricsRegion } from './edge-metric.ts'

/** The minimum of Route 53: each region has several checkers, and each checker's request costs as much as a caller's. */
const regions = ['us-east-1', 'eu-west-1', 'ap-southeast-1']

/**
 * Route 53 requests GET /summary at the public address, through name server, CloudFront, API and function. A status of 2xx
 * or 3xx within four seconds is a success. It does not check the certificate.
 */
export class PublicHealthCheck extends Construct {
  readonly healthCheckId: string
  /** 1 while more than 18 % of the checkers succeed, else 0. */
  readonly status: IMetric

  /** @param hostName the public name of the service */
  constructor(scope: Construct, id: string, hostName: string) {
    super(scope, id)
    const check = new HealthCheck(this, 'Summary', {
      type: HealthCheckType.HTTPS,
      fqdn: hostName,
      resourcePath: '/summary',
      requestInterval: Duration.seconds(30),
      failureThreshold: 3,
      regions,
    })
    this.healthCheckId = check.healthCheckId
    // Route 53's console shows this tag as the name.
    Tags.of(check).add('Name', Stack.of(this).stackName)
    this.status = new Metric({
      namespace: 'AWS/Route53',
      metricName: 'HealthCheckStatus',
      dimensionsMap: { HealthCheckId: check.healthCheckId },
      statistic: Stats.MINIMUM,
      period: Duration.minutes(1),
      region: edgeMetricsRegion,
    })
  }
}
