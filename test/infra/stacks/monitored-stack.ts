// A stack with monitoring and what it monitors, and nothing else.
import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { Heartbeat } from '../../../infra/monitoring/heartbeat.ts'
import { Monitoring, type MonitoringProps } from '../../../infra/monitoring/monitoring.ts'
import { ServiceMetrics } from '../../../infra/monitoring/service-metrics.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'

const inlineFunction = (stack: Stack, id: string): LambdaFunction =>
  new LambdaFunction(stack, id, { runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code: Code.fromInline('//') })

export function monitoredStack(props: Partial<MonitoringProps>): ReturnType<Template['toJSON']> {
  const stack = new Stack(new App({ builtinCloudFormationValidation: false }), 'chain-explorer-test')
  const functions = endpoints.map((endpoint) => ({ endpoint, handler: inlineFunction(stack, endpoint.name) }))
  const settings = {
    alarmEmail: null,
    alarmTopicArn: null,
    accountConcurrency: 1000,
    reservedConcurrency: { reads: null, broadcasts: null },
  }
  const ingress = {
    api: new HttpApi(stack, 'Api'),
    accessLog: new LogGroup(stack, 'AccessLog'),
    distributionId: 'E2EXAMPLE',
    hostName: 'explorer.example.org',
    healthCheck: false,
  }
  const docs = inlineFunction(stack, 'docs')
  const heartbeatHeaders = { 'x-origin-secret': 's3cret' }
  new Monitoring(stack, 'Watching', { functions, docs, ...settings, ...ingress, heartbeatHeaders, ...props })
  return Template.fromStack(stack).toJSON()
}

/** @throws Error for a metric that the functions do not write with the dimensions of the selection */
export function selectSum(...selection: Parameters<ServiceMetrics['sum']>): void {
  new ServiceMetrics('chain-explorer-test').sum(...selection)
}

/** @throws Error for a path with a parameter that the heartbeat does not know */
export function heartbeatOf(path: `/${string}`): void {
  const stack = new Stack()
  new Heartbeat(stack, 'Heartbeat', [{ endpoint: { ...getSummary, path }, handler: inlineFunction(stack, 'Read') }], {})
}
