import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'

/** An endpoint and the function that serves it. */
export interface MonitoredFunction {
  readonly endpoint: Endpoint
  readonly handler: LambdaFunction
}
