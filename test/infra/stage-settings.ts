import type { Release } from '../../infra/api-stack.ts'
import type { StageSettings } from '../../infra/settings/schema.ts'
import { minimalFile, read } from './settings/read-settings.ts'

/** A stage with only a node, whose address is not a placeholder. */
const nodeGraphqlUrl = 'https://node.example.org/graphql'
export const settings: StageSettings = read({ ...minimalFile, nodeGraphqlUrl, upstreamTimeoutMs: 9000 })

/** Of a stage with several nodes, an indexer and a pin. */
export const everyUpstream = (() => {
  const { nodes, indexerGraphqlUrl, genesisStateHash } = read({
    network: 'mainnet',
    nodes: ['a', 'b'].map((name) => ({ graphqlUrl: `https://${name}.example.org/graphql` })),
    indexerGraphqlUrl: 'https://indexer.example.org/graphql',
    genesisStateHash: '3NKMm4LzpDEAp8ZqDdYxH5Hgd4Fb2fMR1cSz6mfJdwKeKjghCzWS',
  })
  return { nodes: nodes ?? [], nodeGraphqlUrl: null, indexerGraphqlUrl, genesisStateHash }
})()

export const release: Release = { version: '1.2.3', commit: '0123456789ab' }
