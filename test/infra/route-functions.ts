// Finds the functions behind the routes of a template.
import type { StackTemplate } from './stack-template.ts'

type Resources = ReturnType<StackTemplate['findResources']>

/** The function behind a route. */
interface RouteFunction {
  readonly logicalId: string
  readonly properties: Resources[string]
}

/** The function behind each route, by route key (`GET /blocks`); for HEAD see `headTargets`. */
export const functionsByRoute = (template: StackTemplate): Record<string, RouteFunction> =>
  Object.fromEntries(Object.entries(allRoutes(template)).filter(([route]) => !route.startsWith('HEAD ')))

/** The names of the functions behind HEAD, by path. */
export const headTargets = (template: StackTemplate): Record<string, string> =>
  Object.fromEntries(
    Object.entries(allRoutes(template)).flatMap(([route, { logicalId }]) =>
      route.startsWith('HEAD ') ? [[route.slice(5), logicalId]] : [],
    ),
  )

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
