// The service's mutations, looked up in the schema that the node tells. They are never sent.
import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  parse,
  validate,
} from 'graphql'
import type { Ask } from '../../shared/endpoint.ts'
import type { Operation, WireType } from '../../shared/mapping/wire.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import { put } from './question.ts'

/** Read by graphql itself, which says what is wrong with it. */
const told: WireType<object> = {
  selection: '',
  read: (value) => Object(value),
}

const introspection: Operation<object> = {
  name: 'introspection',
  upstream: 'node',
  document: getIntrospectionQuery({ descriptions: false }),
  data: told,
}

export type ToldSchema = { readonly schema: GraphQLSchema } | { readonly missing: string }

/** The node's schema, or why it cannot be had. */
export async function readSchema(ask: Ask): Promise<ToldSchema> {
  const outcome = await put(ask, introspection)
  if (outcome.state === 'failed') return { missing: outcome.reason }
  try {
    return { schema: buildClientSchema(outcome.data as IntrospectionQuery) }
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) }
  }
}

function mutationFinding({ name, document }: Operation, schema: GraphQLSchema): Finding {
  const subject = `mutation ${name}`
  // Validation is silent where there is no mutation type at all.
  if (schema.getMutationType() == null) {
    return fail(
      subject,
      'the node takes no mutations',
      "use the node's full GraphQL port (3085 as a rule), not its limited one",
    )
  }
  const errors = validate(schema, parse(document))
  if (errors.length === 0) return ok(subject, 'the node knows it, with every argument and field (not sent)')
  return fail(
    subject,
    errors.map(({ message }) => message).join(' '),
    'use a node of a supported version: this one may take a command and then answer with an error',
  )
}

/** Whether the node knows each mutation with its arguments and the fields selected of its answer. */
export function mutationFindings(told: ToldSchema, mutations: readonly Operation[]): Finding[] {
  if ('schema' in told) return mutations.map((mutation) => mutationFinding(mutation, told.schema))
  return mutations.map(({ name }) =>
    warn(
      `mutation ${name}`,
      `cannot be looked up, the node does not tell its schema: ${told.missing}`,
      'allow introspection, or check the schema of the node with npm run check:operations',
    ),
  )
}
