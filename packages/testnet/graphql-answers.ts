// Executes GraphQL for the embedded node and indexer. Their servers add the dialect of each.
import {
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLScalarType,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql'

/** The resolvers of the fields of a query or a mutation. */
export type Root<Context = unknown> = Readonly<Record<string, (args: never, context: Context) => unknown>>

export interface ReadDocument {
  readonly document: DocumentNode
  /** Empty for a document that the schema allows. */
  readonly faults: readonly GraphQLError[]
}

export interface GraphQlQuestion {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName?: string | undefined
}

/** Clients repeat a handful of documents; the limit bounds memory when a fuzzer sends endless new ones. */
const keptDocuments = 1000

function schemaFrom(text: string, scalars: readonly GraphQLScalarType[]): GraphQLSchema {
  // Our schemas are checked by their tests.
  const schema = buildSchema(text, { assumeValidSDL: true })
  for (const { name, serialize, parseValue, parseLiteral } of scalars)
    Object.assign(schema.getType(name) ?? {}, { serialize, parseValue, parseLiteral })
  return schema
}

/**
 * Builds an executor for a schema. It is independent of any chain, so one instance serves all of them.
 *
 * @param schemaText SDL
 * @param scalars replace the schema's scalars of the same name, which otherwise accept and print any value
 */
export function answering(schemaText: string, scalars: readonly GraphQLScalarType[] = []) {
  let made: GraphQLSchema | undefined
  /** Built for the first question: many tests and the first answer of a start ask the node alone. */
  function schema(): GraphQLSchema {
    made ??= schemaFrom(schemaText, scalars)
    return made
  }
  const kept = new Map<string, ReadDocument>()

  /**
   * Parses and validates a document; repeated texts come from a cache.
   *
   * @throws GraphQLError for a syntax error
   */
  function read(text: string): ReadDocument {
    const found = kept.get(text)
    if (found !== undefined) return found
    const document = parse(text)
    const faults = validate(schema(), document)
    if (kept.size >= keptDocuments) kept.clear()
    kept.set(text, { document, faults })
    return { document, faults }
  }

  /** @returns the faults without data if the schema does not allow the document */
  function answer<Context>(
    { document, faults }: ReadDocument,
    rootValue: Root<Context>,
    { variables, operationName }: Omit<GraphQlQuestion, 'query'>,
    contextValue?: Context,
  ): ExecutionResult | Promise<ExecutionResult> {
    if (faults.length > 0) return { errors: faults }
    const asked = { document, rootValue, contextValue, variableValues: variables, operationName }
    return execute({ schema: schema(), ...asked })
  }

  return { schema, read, answer }
}
