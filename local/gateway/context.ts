// The context that Lambda passes to a handler with the event.
import type { Context } from 'aws-lambda'
import { functionTimeoutMs } from '../../shared/deployment/settings.ts'

function notSupported(): never {
  throw new Error('Lambda has no callback handlers since Node 24')
}

/** @param now the clock, ms since 1970; the remaining time counts down from the call of this function */
export function lambdaContext(awsRequestId: string, now: () => number): Context {
  const deadline = now() + functionTimeoutMs
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: 'local',
    functionVersion: '$LATEST',
    invokedFunctionArn: 'arn:aws:lambda:local:000000000000:function:local',
    memoryLimitInMB: '512',
    awsRequestId,
    logGroupName: '/aws/lambda/local',
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, deadline - now()),
    done: notSupported,
    fail: notSupported,
    succeed: notSupported,
  }
}
