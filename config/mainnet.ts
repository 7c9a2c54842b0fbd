// The public stage: `npm run synth -- -c stage=mainnet`. A variable overrides a key:
// EXPLORER_NODE_GRAPHQL_URL overrides nodeGraphqlUrl. The synthesis prints all settings, defaults included.
import { readsWithin } from '../infra/settings/concurrency.ts'
import type { StageFile } from '../infra/settings/schema.ts'

export default {
  network: 'mainnet',

  // The chain since the Mesa fork: nodes of another one are not used. Before the next fork both become lists, the present
  // chain first (docs/runbook.md, The day of a hard fork). A private network has its own: the doctor prints them.
  genesisStateHash: '3NLntCRR9RvjtzP24Q1dRvdhmpjiPvfKGaJmAZuJgYoqGpevqDR7',
  chainId: '0718f61ab88f9d0fa643ff4dc3a3d5998dd6d51a6008b2b0339b0dbb26133886',

  // A placeholder for the GraphQL address of your node. Never make a node's GraphQL public for this. Several daemons may share
  // this address. If you run a single daemon, use nodes: [{ graphqlUrl: '…' }] instead: fewer calls, and immediate refusals.
  nodeGraphqlUrl: 'https://node.example/graphql',

  // For a node behind an API key: the name of the secret that holds the key.
  // nodeCredential: { header: 'x-api-key', secret: 'chain-explorer/mainnet/node-key' },

  // A private node needs no key, and http is allowed inside its VPC. The synthesis looks nothing up, so all ids are needed.
  // Functions in a VPC reach Secrets Manager and the rest of AWS only through VPC endpoints or a NAT gateway.
  // vpc: {
  //   vpcId: 'vpc-0a1b2c3d4e5f67890',
  //   subnetIds: ['subnet-0a1b2c3d4e5f67890', 'subnet-1a2b3c4d5e6f78901'],
  //   availabilityZones: ['us-east-1a', 'us-east-1b'],
  //   securityGroupIds: ['sg-0a1b2c3d4e5f67890'],
  // },

  // Several nodes, in place of nodeGraphqlUrl and nodeCredential, so that one may stop without an outage.
  // nodes: [{ graphqlUrl: 'https://a.example/graphql' }, { graphqlUrl: 'https://b.example/graphql' }],

  // An indexer adds received times, totals and staking records, which a node does not have.
  // indexerGraphqlUrl: 'https://indexer.example/graphql',

  // A custom domain. Without it callers can use TLS 1.0, which CloudFront allows on its own addresses. The hosted zone is
  // for records that the stack makes; without hostedZoneId and zoneName they are yours to make.
  // customDomain: {
  //   domainName: 'explorer.example.org',
  //   hostedZoneId: 'Z0123456789ABCDEFGHIJ',
  //   zoneName: 'example.org',
  //   certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
  // },

  // Per route, all callers together, behind the cache: what a node can bear, since every request here is a question to it.
  throttles: { reads: { rate: 100, burst: 200 }, fates: { rate: 25, burst: 50 }, broadcasts: { rate: 20, burst: 40 } },

  // Per IP address, in front of the cache.
  firewall: { enabled: true, requestsPerMinute: 1000, broadcastsPerMinute: 30, costlyRequestsPerMinute: 120 },

  // Per function: when the node is slow, requests wait, and without these the waiting ones would use up the account. No
  // route can starve another. The quota of a new account may be too low to reserve any (see accountConcurrency). Reads get 40
  // each, so that what is left of the account holds the functions of the next release beside these (docs/operations.md, Limits).
  reservedConcurrency: {
    reads: readsWithin({ accountConcurrency: 1000, broadcasts: 40, maxReads: 40 }),
    broadcasts: 40,
  },

  // An alarm if the public address does not answer, from name server to function. Costs about 5 dollars a month.
  healthCheck: true,

  // An alarm if a broadcast at the public address is not answered as it should be. It posts a payment that can never run.
  broadcastHeartbeat: true,

  // Receive the alarms that page somebody, and those that can wait. Without ticketEmail all go to the first one.
  // alarmEmail: 'ops@example.org',
  // ticketEmail: 'team@example.org',

  // US dollars. It sees this stack alone once the tag `deployment` is active (docs/operations.md, Budget).
  monthlyBudgetDollars: 100,

  logRetentionDays: 30,
  // `cdk destroy` leaves the logs for later investigation.
  retainLogs: true,
  terminationProtection: true,
} satisfies StageFile
