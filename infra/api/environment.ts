// The environment of a function, which `functions/runtime/settings/` reads.
import { type FunctionEnvironment, type Row, stageRows, stageSettings } from '../../shared/deployment/stage-settings.ts'
import type { DeclaredEndpoint, EndpointName } from '../../shared/endpoints/all.ts'
import type { StageSettings } from '../settings/schema.ts'
import { textOf } from '../settings/stage-fields.ts'

// A row that names an unknown endpoint does not compile.
stageSettings satisfies Readonly<Record<string, Row<EndpointName>>>

const asksIndexer = ({ operations }: DeclaredEndpoint): boolean =>
  operations.some(({ upstream }) => upstream === 'indexer')

/** The settings that the function of an endpoint has; those of an indexer only where there is one that it asks. */
export const settingsOf = (endpoint: DeclaredEndpoint, { indexerGraphqlUrl }: StageSettings) =>
  stageRows.filter(([, { of }]) => {
    if (typeof of === 'object') return of.includes(endpoint.name)
    return of === 'nodes' || (indexerGraphqlUrl !== null && asksIndexer(endpoint))
  })

/**
 * The variables that the function of an endpoint needs.
 *
 * @param originSecrets separated by commas; each request must carry one
 * @param release version and commit: for entity tags, and for the log, since a stack trace belongs to a commit
 */
export function environmentOf(
  endpoint: DeclaredEndpoint,
  settings: StageSettings,
  originSecrets: string,
  release: string,
): FunctionEnvironment {
  // Without a genesis block beside it, a chain id is for the doctor alone.
  const given = { ...settings, ...(settings.genesisStateHash === null && { chainId: null }) }
  const variables = settingsOf(endpoint, settings).flatMap(([name, row]) => {
    const text = textOf(row, given[name])
    return text === undefined ? [] : [[row.variable, text]]
  })
  return { ...Object.fromEntries(variables), RELEASE: release, ORIGIN_SECRETS: originSecrets }
}
