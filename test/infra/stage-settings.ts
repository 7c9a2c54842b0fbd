import type { Release } from '../../infra/api-stack.ts'
import type { StageSettings } from '../../infra/settings/schema.ts'
import { minimalFile, read } from './settings/read-settings.ts'

/** A stage with only a node, whose address is not a placeholder. */
const nodeGraphqlUrl = 'https://node.example.org/graphql'
export const settings: StageSettings = read({ ...minimalFile, nodeGraphqlUrl, upstreamTimeoutMs: 9000 })

export const release: Release = { version: '1.2.3', commit: '0123456789ab' }
