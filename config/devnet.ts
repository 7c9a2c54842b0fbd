// The stage for trying things: `npm run synth -- -c stage=devnet`. Every key can be overridden by a variable, such as
// EXPLORER_NODE_GRAPHQL_URL for nodeGraphqlUrl. The synthesis prints all settings, defaults included.
import type { StageFile } from '../infra/settings/schema.ts'

export default {
  network: 'devnet',

  // Replace it by the GraphQL address of a node of yours. Never make a node's GraphQL public for this.
  nodeGraphqlUrl: 'https://node.example/graphql',

  // A node behind an API key: the key stands in a secret, of which only the name stands here.
  // nodeCredential: { header: 'x-api-key', secret: 'chain-explorer/devnet/node-key' },

  // An indexer adds what a node does not know: received times, totals, staking records.
  // indexerGraphqlUrl: 'https://indexer.example/graphql',

  // Small limits are enough here, and keep a mistake in a script cheap.
  throttles: { reads: { rate: 100, burst: 200 }, broadcasts: { rate: 10, burst: 20 } },

  // A firewall costs about 9 dollars a month whether or not anybody calls.
  firewall: { enabled: false },

  logRetentionDays: 14,
} satisfies StageFile
