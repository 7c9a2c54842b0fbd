// Monitoring that must not synthesise.
import { Stack } from 'aws-cdk-lib'
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { Heartbeat } from '../../../infra/monitoring/heartbeat.ts'
import { ServiceMetrics } from '../../../infra/monitoring/service-metrics.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'

/** @throws Error for a metric that the functions do not write with the dimensions of the selection */
export function selectSum(...selection: Parameters<ServiceMetrics['sum']>): void {
  new ServiceMetrics('chain-explorer-test').sum(...selection)
}

/** @throws Error for a path with a parameter that the heartbeat does not know */
export function heartbeatOf(path: `/${string}`): void {
  const stack = new Stack()
  const code = { runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code: Code.fromInline('//') }
  const handler = new LambdaFunction(stack, 'Read', code)
  new Heartbeat(stack, 'Heartbeat', [{ endpoint: { ...getSummary, path }, handler }], {})
}
