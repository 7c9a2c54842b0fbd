// No answer has a field that its contract lacks. Schemas allow unknown fields, so that clients do; the service sends none.
import { contracts, endpoints } from '../../shared/endpoints/all.ts'
import { pathsOf, routeOf } from '../../shared/http/routes.ts'

export interface Schema {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** Every key in a value that its schema lacks, by its path. A schema without properties allows any. */
function undeclared({ items, properties }: Schema, value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return items ? value.flatMap((item) => undeclared(items, item, `${path}[]`)) : []
  if (properties === undefined || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const field = properties[key]
    return field === undefined ? [`${path}.${key}`] : undeclared(field, inner, `${path}.${key}`)
  })
}

const routes = endpoints.flatMap((endpoint) =>
  pathsOf(endpoint).map((path) => ({ endpoint, form: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) })),
)

/** @throws Error that names each field of an endpoint's answer that its contract lacks */
export function checkDeclared(method: 'GET' | 'POST', url: string, status: number, body: unknown): void {
  const { pathname } = new URL(url)
  const route = routes.find(({ endpoint, form }) => endpoint.method === method && form.test(pathname))
  if (route === undefined) return
  const { schema = {} } = contracts[route.endpoint.name].responses[status] ?? {}
  const fields = [...new Set(undeclared(schema, body))].join(', ')
  if (fields === '') return
  throw new Error(`${routeOf(route.endpoint)} answers ${status} with what shared/contract/ does not declare: ${fields}`)
}
