// An upstream's answers without HTTP: the embedded one's resolvers over any chain.
import { GraphQLError } from 'graphql'
import type { Chain } from '../testnet/chain.ts'
import { answering, type Root } from '../testnet/graphql-answers.ts'
import { nodeResolvers } from '../testnet/node/resolvers.ts'
import { nodeSchemaText } from '../testnet/node/schema.ts'

export interface GraphQlAnswer {
  readonly data: Record<string, unknown> | null
  readonly errors: readonly string[]
}

export type Variables = Readonly<Record<string, unknown>>

/** The node's queries over a chain. */
export const queriesOver = (chain: Chain): Root => nodeResolvers(chain).query

/**
 * Builds a synchronous executor, which accepts only documents that the schema allows.
 *
 * @param schemaText SDL
 */
export function answeringAtOnce(schemaText: string) {
  const graphQl = answering(schemaText)

  /**
   * @throws GraphQLError for a document that the schema does not allow
   * @throws Error for a resolver that fails otherwise than with a GraphQLError
   */
  return <Context>(root: Root<Context>, text: string, variables: Variables, contextValue?: Context): GraphQlAnswer => {
    const document = graphQl.read(text)
    for (const fault of document.faults) throw fault
    const result = graphQl.answer(document, root, { variables }, contextValue)
    if (result instanceof Promise) throw new Error('a resolver answers later')
    const { data = null, errors = [] } = result
    for (const { originalError } of errors)
      if (originalError && !(originalError instanceof GraphQLError)) throw originalError
    return { data: data as GraphQlAnswer['data'], errors: errors.map(({ message }) => message) }
  }
}

/** A node's answer. */
export const answerFrom = answeringAtOnce(nodeSchemaText)
