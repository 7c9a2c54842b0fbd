// Finds the functions behind the routes of a template.
import { docsRoutes } from '../../shared/agreements/docs-page.ts'
import type { StackTemplate } from './stack-template.ts'

type Resources = ReturnType<StackTemplate['findResources']>

/** The function behind a route. */
interface RouteFunction {
  readonly logicalId: string
  readonly properties: Resources[string]
}

/** The routes beside the contract's, all of GET. */
export const docsRoutesOfGet = Object.values(docsRoutes).map((path) => ({ method: 'GET', path }) as const)

const isOfDocs = (route: string) => docsRoutesOfGet.some(({ path }) => route.endsWith(` ${path}`))

/** The function behind each route of the contract, by route key (`GET /blocks`), without HEAD. */
export const functionsByRoute = (template: StackTemplate): Record<string, RouteFunction> =>
  Object.fromEntries(
    Object.entries(allRoutes(template)).filter(([route]) => !route.startsWith('HEAD ') && !isOfDocs(route)),
  )

/** The function behind each route of the docs page, HEAD included. */
export const docsByRoute = (template: StackTemplate): Record<string, RouteFunction> =>
  Object.fromEntries(Object.entries(allRoutes(template)).filter(([route]) => isOfDocs(route)))

/** The logical id of the function behind each route, HEAD included. */
export const functionNames = (template: StackTemplate): Record<string, string> =>
  Object.fromEntries(Object.entries(allRoutes(template)).map(([route, { logicalId }]) => [route, logicalId]))

function allRoutes(template: StackTemplate): Record<string, RouteFunction> {
  const integrations = template.findResources('AWS::ApiGatewayV2::Integration')
  const functions = template.findResources('AWS::Lambda::Function')
  const routes = Object.values(template.findResources('AWS::ApiGatewayV2::Route')).map(({ Properties: route }) => {
    const integrationId: string = route.Target['Fn::Join'][1][1].Ref
    const logicalId: string = integrations[integrationId]?.Properties.IntegrationUri['Fn::GetAtt'][0]
    return [route.RouteKey, { logicalId, properties: functions[logicalId]?.Properties }]
  })
  return Object.fromEntries(routes)
}
