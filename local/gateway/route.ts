import type { APIGatewayProxyEventV2, APIGatewayProxyResultV2, Context } from 'aws-lambda'
import type { Admission } from '../../shared/admission/admit.ts'
import type { RouteRule } from '../../shared/admission/rule.ts'

/** The requests that a route admits, and the handler that serves them. */
export interface Route extends RouteRule {
  readonly handler: (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyResultV2>
}

/** A request that has a route. */
export type Admitted = Extract<Admission<Route>, { readonly kind: 'admitted' }>
