// A stack that has nothing but functions, and what watches them.
import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { Monitoring, type MonitoringProps } from '../../../infra/monitoring/monitoring.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'

export function monitored(props: Partial<MonitoringProps> = {}): Template {
  const stack = new Stack(new App({ builtinCloudFormationValidation: false }), 'chain-explorer-test')
  const functions = endpoints.map((endpoint) => {
    const settings = { runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code: Code.fromInline('//') }
    return { endpoint, handler: new LambdaFunction(stack, endpoint.name, settings) }
  })
  const nobody = { alarmEmail: null, alarmTopicArn: null }
  const limits = { accountConcurrency: 1000, broadcastReservedConcurrency: null }
  new Monitoring(stack, 'Watching', { functions, ...nobody, ...limits, ...props })
  return Template.fromStack(stack)
}
