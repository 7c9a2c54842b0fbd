// The texts and shapes of a daemon's GraphQL errors, where they differ from those of GraphQL.js.
import type {
  ArgumentNode,
  DefinitionNode,
  DocumentNode,
  GraphQLFormattedError,
  GraphQLSchema,
  VariableDefinitionNode,
} from 'graphql'
import { Kind, TypeInfo, valueFromASTUntyped, visit, visitWithTypeInfo } from 'graphql'

type Variables = Readonly<Record<string, unknown>>

/** A value as a daemon quotes it: GraphQL text, with variables filled in. */
function quote(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(quote).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).map(([key, field]) => `${key}: ${quote(field)}`)
  return `{${fields.join(', ')}}`
}

const declarations = (definition: DefinitionNode): readonly VariableDefinitionNode[] =>
  definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : []

/** True if the argument's value starts at this offset of the document, or holds a variable declared there. */
function concerns(argument: ArgumentNode, offset: number, document: DocumentNode): boolean {
  const declared = document.definitions
    .flatMap(declarations)
    .find(({ loc, variable }) => loc?.start === offset || variable.loc?.start === offset)
  let found = false
  visit(argument.value, {
    enter(node) {
      found ||= node.loc?.start === offset
      if (node.kind === Kind.VARIABLE) found ||= node.name.value === declared?.variable.name.value
    },
  })
  return found
}

/** The daemon's message about the argument at an offset; undefined outside the arguments. */
function argumentError(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Variables,
  offset: number,
): string | undefined {
  const typeInfo = new TypeInfo(schema)
  let message: string | undefined
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Argument(node) {
        if (message !== undefined || !concerns(node, offset, document)) return
        const found = quote(valueFromASTUntyped(node.value, { ...variables }))
        message =
          `Argument \`${node.name.value}\` of type \`${typeInfo.getArgument()?.type}\` expected on field ` +
          `\`${typeInfo.getFieldDef()?.name}\`, found ${found}.`
      },
    }),
  )
  return message
}

function offsetOf(text: string, { locations }: GraphQLFormattedError): number | undefined {
  const [first] = locations ?? []
  if (first === undefined) return undefined
  const linesBefore = text.split(/\r\n|[\n\r]/g).slice(0, first.line - 1)
  return linesBefore.reduce((sum, line) => sum + line.length + 1, 0) + first.column - 1
}

/** The first declared variable that the request does not set; a daemon requires even the nullable ones. */
export const missingVariable = (document: DocumentNode, variables: Variables): string | undefined =>
  document.definitions
    .flatMap(declarations)
    .filter(({ defaultValue }) => defaultValue === undefined)
    .map(({ variable }) => variable.name.value)
    .find((name) => !Object.hasOwn(variables, name))

/**
 * An error as a daemon reports it, with a path only where a resolver failed.
 *
 * @param text the source of the document
 */
export function daemonError(
  schema: GraphQLSchema,
  text: string,
  document: DocumentNode,
  variables: Variables,
  error: GraphQLFormattedError,
): { readonly message: string; readonly path?: readonly (string | number)[] } {
  if (error.path !== undefined) return { message: error.message, path: error.path }
  const unknownField = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(error.message)
  if (unknownField) return { message: `Field '${unknownField[1]}' is not defined on type '${unknownField[2]}'` }
  const offset = offsetOf(text, error)
  const message = offset === undefined ? undefined : argumentError(schema, document, variables, offset)
  return { message: message ?? error.message }
}
