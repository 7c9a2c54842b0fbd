// Routing: from a method and a path to a handler.
import type { APIGatewayProxyEventV2, APIGatewayProxyResultV2, Context } from 'aws-lambda'

export interface Route {
  readonly method: string
  /** As API Gateway writes it: `/blocks/{state_hash}`. */
  readonly path: string
  readonly handler: (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyResultV2>
}

export interface RouteMatch {
  readonly route: Route
  /** Values of the path's parameters by name. */
  readonly parameters: ReadonlyMap<string, string>
}

/**
 * The route of a request; a fixed path takes precedence over one with parameters, in any order of the list.
 *
 * @param segments the request path's decoded segments
 */
export function findRoute(
  routes: readonly Route[],
  method: string,
  segments: readonly string[],
): RouteMatch | undefined {
  return routes
    .filter((route) => route.method === method)
    .flatMap((route) => {
      const parameters = matchPath(route.path, segments)
      return parameters === undefined ? [] : [{ route, parameters }]
    })
    .sort((a, b) => a.parameters.size - b.parameters.size)[0]
}

function matchPath(path: string, segments: readonly string[]): Map<string, string> | undefined {
  const expected = path.split('/').slice(1)
  if (expected.length !== segments.length) return undefined
  const parameters = new Map<string, string>()
  for (const [index, part] of expected.entries()) {
    const segment = segments[index] ?? ''
    const name = /^\{(.+)\}$/.exec(part)?.[1]
    if (name === undefined ? part !== segment : segment === '') return undefined
    if (name !== undefined) parameters.set(name, segment)
  }
  return parameters
}
