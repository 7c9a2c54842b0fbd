// The environment of the functions: what the stack writes, and `functions/runtime/settings/settings.ts` alone reads.

/** A variable that the stack sets, or whoever runs the service elsewhere. */
type Variable =
  | 'NODE_GRAPHQL_URL'
  | 'NODES'
  | 'UPSTREAM_HEADERS'
  | 'UPSTREAM_TIMEOUT_MS'
  | 'NODE_CREDENTIAL'
  | 'GENESIS_STATE_HASH'
  | 'CHAIN_ID'
  | 'INDEXER_GRAPHQL_URL'
  | 'INDEXER_HEADERS'
  | 'INDEXER_TIMEOUT_MS'
  | 'INDEXER_CREDENTIAL'
  | 'INDEXER_STAKES'
  | 'INDEXER_STAKES_TIMEOUT_MS'
  | 'LENIENT_PAYLOAD'
  | 'ORIGIN_SECRETS'
  | 'RELEASE'
  | 'SERVICE_NAME'
  | 'ROUTE_METRICS'
  | 'BROADCAST_ADDRESS'
  | 'NETWORK'

/** What the stack sets: a name that no function reads does not compile. */
export type FunctionEnvironment = { readonly [Name in Variable]?: string }

/** What a function reads: these, and two variables that Lambda sets. */
export type Environment = {
  readonly [Name in Variable | 'AWS_LAMBDA_FUNCTION_NAME' | 'AWS_SESSION_TOKEN']?: string | undefined
}
