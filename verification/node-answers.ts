// An upstream's answers without HTTP: the embedded one's resolvers over any chain.
import { buildSchema, type DocumentNode, execute, GraphQLError, parse, validate } from 'graphql'
import type { Chain } from '../local/chain/chain.ts'
import { nodeResolvers } from '../local/chain/node/resolvers.ts'
import { nodeSchemaText } from '../local/chain/node/schema.ts'

export interface GraphQlAnswer {
  readonly data: Record<string, unknown> | null
  readonly errors: readonly string[]
}

export type Variables = Readonly<Record<string, unknown>>

/** The resolvers of a root, by field. */
export type Root<Context = unknown> = Readonly<Record<string, (args: object, context: Context) => unknown>>

/** The node's queries over a chain. */
export const queriesOver = (chain: Chain): Root =>
  Object.fromEntries(
    Object.entries(nodeResolvers(chain).query).map(([field, resolve]) => [
      field,
      (args: object) => resolve(undefined, args as never),
    ]),
  )

/**
 * Executes documents that a schema allows.
 *
 * @param schemaText SDL
 */
export function answering(schemaText: string) {
  const schema = buildSchema(schemaText)
  const documents = new Map<string, DocumentNode>()

  /** @throws GraphQLError for a document that the schema does not allow */
  function parsed(text: string): DocumentNode {
    const document = documents.get(text) ?? parse(text)
    if (!documents.has(text)) for (const fault of validate(schema, document)) throw fault
    documents.set(text, document)
    return document
  }

  /** @throws Error for a resolver that fails otherwise than with a GraphQLError */
  return <Context>(
    rootValue: Root<Context>,
    document: string,
    variableValues: Variables,
    contextValue?: Context,
  ): GraphQlAnswer => {
    const result = execute({ schema, document: parsed(document), rootValue, contextValue, variableValues })
    if (result instanceof Promise) throw new Error('a resolver answers later')
    const { data = null, errors = [] } = result
    for (const { originalError } of errors)
      if (originalError && !(originalError instanceof GraphQLError)) throw originalError
    return { data: data as GraphQlAnswer['data'], errors: errors.map(({ message }) => message) }
  }
}

/** A node's answer. */
export const answerFrom = answering(nodeSchemaText)
