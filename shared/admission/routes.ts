// The routes that admission knows: those of the endpoints and of the docs page.
import { endpoints } from '../endpoints/all.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { cacheControlOf } from '../http/answer-headers.ts'
import { docsFileForms, docsRoutes } from '../http/docs-page.ts'
import { servedMethods } from '../http/routes.ts'
import type { ParameterRule, RouteRule } from './rule.ts'

/** The rules of the docs page, whose routes are not endpoints of the contract. */
export const docsRules: readonly RouteRule[] = Object.values(docsRoutes).map((path) => ({
  methods: servedMethods('GET'),
  path,
  ...(path === docsRoutes.file && { parameters: { file: { forms: docsFileForms } } }),
}))

function parametersOf({ identifier }: Endpoint): Readonly<Record<string, ParameterRule>> | undefined {
  if (identifier === undefined) return undefined
  const { parameter, forms, unknown } = identifier
  const { body, caching } = unknown
  const refusal = { status: unknown.status, message: body.message, cacheControl: cacheControlOf(caching) } as const
  return { [parameter]: { forms, refusal } }
}

/** The rule of an endpoint's route. */
export const ruleOf = (endpoint: Endpoint): RouteRule => ({
  methods: servedMethods(endpoint.method),
  path: endpoint.path,
  alias: endpoint.alias,
  parameters: parametersOf(endpoint),
  ...(endpoint.method === 'GET' && { options: endpoint.query?.options ?? {} }),
})

export const routeRules: readonly RouteRule[] = [...endpoints.map(ruleOf), ...docsRules]
