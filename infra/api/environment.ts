// The environment of a function, which `functions/runtime/settings/settings.ts` reads.
import type { FunctionEnvironment } from '../../shared/deployment/variables.ts'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'
import type { StageSettings } from '../settings/schema.ts'
import { asksIndexer, credentialsOf, credentialText, namedCredential } from './upstream-credential.ts'

/** Without headers the variable is left out. */
const headersAs = (
  variable: 'UPSTREAM_HEADERS' | 'INDEXER_HEADERS',
  headers: Readonly<Record<string, string>>,
): FunctionEnvironment => (Object.keys(headers).length > 0 ? { [variable]: JSON.stringify(headers) } : {})

function nodeEnvironment({ nodeGraphqlUrl, nodes, upstreamHeaders }: StageSettings): FunctionEnvironment {
  if (nodes === null)
    return { NODE_GRAPHQL_URL: nodeGraphqlUrl ?? '', ...headersAs('UPSTREAM_HEADERS', upstreamHeaders) }
  const listed = nodes.map(({ graphqlUrl, headers, credential, sharedAddress }) => ({
    graphqlUrl,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(credential !== null && { credential: namedCredential(credential) }),
    ...(sharedAddress && { sharedAddress }),
  }))
  return { NODES: JSON.stringify(listed) }
}

function indexerEnvironment(settings: StageSettings): FunctionEnvironment {
  if (settings.indexerGraphqlUrl === null) return {}
  return {
    INDEXER_GRAPHQL_URL: settings.indexerGraphqlUrl.join(),
    INDEXER_TIMEOUT_MS: String(settings.indexerTimeoutMs),
    INDEXER_STAKES_TIMEOUT_MS: String(settings.indexerStakesTimeoutMs),
    ...(!settings.indexerStakes && { INDEXER_STAKES: 'false' }),
    ...headersAs('INDEXER_HEADERS', settings.indexerHeaders),
  }
}

/**
 * The variables that the function of an endpoint needs. Those of the indexer are left out where it is never queried.
 *
 * @param originSecrets separated by commas; each request must carry one
 * @param release version and commit: for entity tags, and for the log, since a stack trace belongs to a commit
 */
export function environmentOf(
  endpoint: Endpoint,
  settings: StageSettings,
  originSecrets: string,
  release: string,
): FunctionEnvironment {
  const credentials = Object.entries(credentialsOf(endpoint, settings))
  return {
    ...nodeEnvironment(settings),
    ...(settings.genesisStateHash !== null && { GENESIS_STATE_HASH: settings.genesisStateHash.join() }),
    // By itself it is the doctor's alone.
    ...(settings.genesisStateHash !== null && settings.chainId !== null && { CHAIN_ID: settings.chainId.join() }),
    UPSTREAM_TIMEOUT_MS: String(settings.upstreamTimeoutMs),
    ...(asksIndexer(endpoint) && indexerEnvironment(settings)),
    ...(endpoint.method === 'POST' && settings.lenientPayload && { LENIENT_PAYLOAD: 'true' }),
    ...Object.fromEntries(credentials.map(([variable, credential]) => [variable, credentialText(credential)])),
    RELEASE: release,
    ORIGIN_SECRETS: originSecrets,
  }
}
