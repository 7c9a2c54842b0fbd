// The stage for experiments: `npm run synth -- -c stage=devnet`. A variable overrides a key:
// EXPLORER_NODE_GRAPHQL_URL overrides nodeGraphqlUrl. The synthesis prints all settings, defaults included.
import type { StageFile } from '../infra/settings/schema.ts'

export default {
  network: 'devnet',

  // The chain since the Mesa fork: nodes of another one are not used. Before the next fork both become lists, the present
  // chain first (docs/runbook.md, The day of a hard fork). A private network has its own: the doctor prints them.
  genesisStateHash: '3NLT7n4LiVo6U4LXr9BjCEp9712fP61uXkRC6hnRnB682A8f4HrJ',
  chainId: 'ebfce0d570bc22eb041e1a7b0a46bbc3ed5d0a1030ef2ab5e36eef908b93eba8',

  // A placeholder for the GraphQL address of your node. Never make a node's GraphQL public for this. Several daemons may share
  // this address. If you run a single daemon, use nodes: [{ graphqlUrl: '…' }] instead: fewer calls, and immediate refusals.
  nodeGraphqlUrl: 'https://node.example/graphql',

  // For a node behind an API key: the name of the secret that holds the key.
  // nodeCredential: { header: 'x-api-key', secret: 'chain-explorer/devnet/node-key' },

  // Several nodes, in place of nodeGraphqlUrl and nodeCredential, so that one may stop without an outage.
  // nodes: [{ graphqlUrl: 'https://a.example/graphql' }, { graphqlUrl: 'https://b.example/graphql' }],

  // An indexer adds received times, totals and staking records, which a node does not have.
  // indexerGraphqlUrl: 'https://indexer.example/graphql',

  // Small limits are enough, and bound the cost of a mistake in a script.
  throttles: { reads: { rate: 50, burst: 100 }, fates: { rate: 10, burst: 20 }, broadcasts: { rate: 10, burst: 20 } },

  // A firewall costs money even without traffic (docs/operations.md, Cost).
  firewall: { enabled: false },

  // Metrics and alarms for the service as a whole in place of each route, for a fraction of their cost.
  // routeMetrics: false,

  // Receives the alarms: on this stage none needs to wake anybody.
  // alarmEmail: 'team@example.org',

  logRetentionDays: 14,
} satisfies StageFile
