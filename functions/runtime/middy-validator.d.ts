// The package's own declaration asks for an instance of the class Ajv where its code calls a compiled function.
declare module '@middy/validator' {
  import type middy from '@middy/core'
  import type { RequestCheck } from './request-check.ts'

  /** Answers an event that does not pass with an error whose `cause.data` is the check's `errors`. */
  export default function validator(options: {
    readonly eventSchema: RequestCheck
  }): middy.MiddlewareObj<import('aws-lambda').APIGatewayProxyEventV2>
}
