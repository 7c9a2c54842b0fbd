// The service's mutations, validated against the node's schema. They are never sent.
import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  parse,
  validate,
} from 'graphql'
import type { Operation } from '../../../shared/upstream/operation.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import type { WireType } from '../../../shared/upstream/wire.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import { askUpstream } from './question.ts'

/** Read by GraphQL.js, which reports what is wrong with it. */
const introspectionData: WireType<object> = {
  selection: '',
  read: (value) => Object(value),
}

const introspection: Operation<object> = {
  name: 'introspection',
  upstream: 'node',
  document: getIntrospectionQuery({ descriptions: false }),
  data: introspectionData,
}

export type SchemaReply = { readonly schema: GraphQLSchema } | { readonly missing: string }

/** The node's schema, or why it is missing. */
export async function readSchema(query: QueryUpstream): Promise<SchemaReply> {
  const outcome = await askUpstream(query, introspection)
  if (outcome.state === 'failed') return { missing: outcome.reason }
  try {
    return { schema: buildClientSchema(outcome.data as IntrospectionQuery) }
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) }
  }
}

function mutationFinding({ name, document }: Operation, schema: GraphQLSchema): Finding {
  const subject = `mutation ${name}`
  // Validation reports no error for a schema without a mutation type.
  if (schema.getMutationType() == null) {
    return fail(
      subject,
      'the node accepts no mutations',
      "use the node's full GraphQL port (usually 3085), not its limited one",
    )
  }
  const errors = validate(schema, parse(document))
  if (errors.length === 0) return ok(subject, 'the node has it, with every argument and field (not sent)')
  return fail(
    subject,
    errors.map(({ message }) => message).join(' '),
    'use a node of a supported version: this one may accept a command and then answer with an error',
  )
}

/** Checks that the node has each mutation, with its arguments and the fields that are read from its answer. */
export function mutationFindings(reply: SchemaReply, mutations: readonly Operation[]): Finding[] {
  if ('schema' in reply) return mutations.map((mutation) => mutationFinding(mutation, reply.schema))
  return mutations.map(({ name }) =>
    warn(
      `mutation ${name}`,
      `not checked, because the node does not disclose its schema: ${reply.missing}`,
      'allow introspection, or check the schema of the node with npm run check:operations',
    ),
  )
}
