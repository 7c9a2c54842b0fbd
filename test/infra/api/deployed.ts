// The functions of a stage, with their rights.
import type { StageSettings } from '../../../infra/settings/schema.ts'
import { functionsByRoute } from '../route-functions.ts'
import { templateOf } from '../stack-template.ts'

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
