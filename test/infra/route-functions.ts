// Finds the functions behind the routes of a template.
import { docsRoutes } from '../../shared/http/docs-page.ts'
import type { StackTemplate } from './stack-template.ts'

interface RouteFunction {
  readonly logicalId: string
  readonly properties: ReturnType<StackTemplate['findResources']>[string]
}

/** The routes beside the contract's. */
export const docsEndpoints = Object.values(docsRoutes).map((path) => ({ method: 'GET', path, name: 'docs' }) as const)

/** The function behind each route, by route key (`GET /blocks`), routes of HEAD and of the docs page included. */
export function functionsByRoute(template: StackTemplate): Record<string, RouteFunction> {
  const integrations = template.findResources('AWS::ApiGatewayV2::Integration')
  const functions = template.findResources('AWS::Lambda::Function')
  const routes = Object.values(template.findResources('AWS::ApiGatewayV2::Route')).map(({ Properties: route }) => {
    const integrationId: string = route.Target['Fn::Join'][1][1].Ref
    const logicalId: string = integrations[integrationId]?.Properties.IntegrationUri['Fn::GetAtt'][0]
    return [route.RouteKey, { logicalId, properties: functions[logicalId]?.Properties }]
  })
  return Object.fromEntries(routes)
}
