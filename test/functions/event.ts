// An HTTP API event (payload 2.0) as recorded from API Gateway, less what a test sets.
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'

interface EventParts {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly path?: string
  readonly route?: string
  readonly pathParameters?: Record<string, string>
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly isBase64Encoded?: boolean
}

export function httpEvent(parts: EventParts): APIGatewayProxyEventV2 {
  const { method = 'GET', path = '/', route = path, pathParameters, query, headers, body } = parts
  return {
    version: '2.0',
    routeKey: `${method} ${route}`,
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: {
      accept: '*/*',
      'content-length': String(Buffer.byteLength(body ?? '')),
      host: 'abcdefghij.execute-api.us-east-1.amazonaws.com',
      'user-agent': 'curl/8.10.1',
      'x-amzn-trace-id': 'Root=1-6740d1f2-0a1b2c3d4e5f60718293a4b5',
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
      ...headers,
    },
    ...(query && { queryStringParameters: query }),
    ...(pathParameters && { pathParameters }),
    requestContext: {
      accountId: '123456789012',
      apiId: 'abcdefghij',
      domainName: 'abcdefghij.execute-api.us-east-1.amazonaws.com',
      domainPrefix: 'abcdefghij',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7', userAgent: 'curl/8.10.1' },
      requestId: 'BkEcGjH0oAMEPnw=',
      routeKey: `${method} ${route}`,
      stage: '$default',
      time: '21/Nov/2026:10:00:00 +0000',
      timeEpoch: 1795255200000,
    },
    ...(body !== undefined && { body }),
    isBase64Encoded: parts.isBase64Encoded ?? false,
  }
}

export const lambdaContext = (): Context => ({
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'function',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:123456789012:function:function',
  memoryLimitInMB: '512',
  awsRequestId: '0b5f7a0e-6a4c-4d0e-9f55-3f0f6a1a2b3c',
  logGroupName: 'group',
  logStreamName: 'stream',
  getRemainingTimeInMillis: () => 25_000,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
})
