// A stack with monitoring and what it monitors, and nothing else.
import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { Monitoring, type MonitoringProps } from '../../../infra/monitoring/monitoring.ts'
import { ServiceMetrics } from '../../../infra/monitoring/service-metrics.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'

export function monitoredStack(props: Partial<MonitoringProps>): ReturnType<Template['toJSON']> {
  const stack = new Stack(new App({ builtinCloudFormationValidation: false }), 'chain-explorer-test')
  const functions = endpoints.map((endpoint) => {
    const settings = { runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code: Code.fromInline('//') }
    return { endpoint, handler: new LambdaFunction(stack, endpoint.name, settings) }
  })
  const settings = {
    alarmEmail: null,
    alarmTopicArn: null,
    accountConcurrency: 1000,
    broadcastReservedConcurrency: null,
  }
  const ingress = { api: new HttpApi(stack, 'Api'), distributionId: 'E2EXAMPLE' }
  const heartbeatHeaders = { 'x-origin-secret': 's3cret' }
  new Monitoring(stack, 'Watching', { functions, ...settings, ...ingress, heartbeatHeaders, ...props })
  return Template.fromStack(stack).toJSON()
}

/** @throws Error for a metric that the functions do not write with the dimensions of the selection */
export function selectSum(...selection: Parameters<ServiceMetrics['sum']>): void {
  new ServiceMetrics('chain-explorer-test').sum(...selection)
}
