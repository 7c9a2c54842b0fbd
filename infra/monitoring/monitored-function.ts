import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Endpoint } from '../../shared/endpoint.ts'

/** An endpoint and the function that serves it. */
export interface MonitoredFunction {
  readonly endpoint: Endpoint
  readonly handler: LambdaFunction
}

/** The value of the dimension `Route`, `GET /blocks` say. */
export const routeOf = ({ endpoint }: MonitoredFunction): string => `${endpoint.method} ${endpoint.path}`
