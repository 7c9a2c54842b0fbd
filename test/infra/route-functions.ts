// The functions behind the routes of a template, with their rights.
import type { StageSettings } from '../../infra/settings/schema.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { docsRoutes } from '../../shared/http/docs-page.ts'
import { pathsOf } from '../../shared/http/routes.ts'
import { type StackTemplate, templateOf } from './stack-template.ts'

/** The routes beside the contract's. */
const docsEndpoints = Object.values(docsRoutes).map((path) => ({ method: 'GET', path, name: 'docs' }) as const)

/** Every path with its method and the name of its function's construct. */
export const servedPaths = [
  ...endpoints.flatMap((endpoint) => pathsOf(endpoint).map((path) => ({ ...endpoint, path }))),
  ...docsEndpoints,
]

/** The function behind each route, by route key (`GET /blocks`), routes of HEAD and of the docs page included. */
export function functionsByRoute(template: StackTemplate) {
  const integrations = template.findResources('AWS::ApiGatewayV2::Integration')
  const functions = template.findResources('AWS::Lambda::Function')
  const routes = Object.values(template.findResources('AWS::ApiGatewayV2::Route')).map(({ Properties: route }) => {
    const integrationId: string = route.Target['Fn::Join'][1][1].Ref
    const logicalId: string = integrations[integrationId]?.Properties.IntegrationUri['Fn::GetAtt'][0]
    return [String(route.RouteKey), { logicalId, properties: functions[logicalId]?.Properties }] as const
  })
  return Object.fromEntries(routes)
}

interface Statement {
  readonly Action: string | readonly string[]
  readonly Effect: string
  readonly Resource: unknown
}

/** The function behind each route of GET and POST, with its variables and every statement of its role. */
export async function deployed(changed: Partial<StageSettings> = {}) {
  const template = await templateOf(changed)
  const policies = Object.values(template.findResources('AWS::IAM::Policy')).map(({ Properties }) => Properties)
  return Object.fromEntries(
    Object.entries(functionsByRoute(template))
      .filter(([route]) => !route.startsWith('HEAD '))
      .map(([route, { properties }]) => {
        const [roleId] = properties.Role['Fn::GetAtt']
        const own = policies.filter(({ Roles: roles }) => roles.some(({ Ref: id }: { Ref: string }) => id === roleId))
        const rights: readonly Statement[] = own.flatMap(({ PolicyDocument: document }) => document.Statement)
        const variables: Readonly<Record<string, string>> = properties.Environment.Variables
        return [route, { properties, variables, rights }] as const
      }),
  )
}
