// The public stage: `npm run synth -- -c stage=mainnet`. Every key can be overridden by a variable, such as
// EXPLORER_NODE_GRAPHQL_URL for nodeGraphqlUrl. The synthesis prints all settings, defaults included.
import type { StageFile } from '../infra/settings/schema.ts'

export default {
  network: 'mainnet',

  // Replace it by the GraphQL address of a node of yours. Never make a node's GraphQL public for this.
  nodeGraphqlUrl: 'https://node.example/graphql',

  // A node behind an API key: the key stands in a secret, of which only the name stands here.
  // nodeCredential: { header: 'x-api-key', secret: 'chain-explorer/mainnet/node-key' },

  // A private node needs no key and may be reached by http, from inside of its VPC. Nothing is looked up, so all of it
  // must be said. Functions in a VPC reach Secrets Manager and the rest of AWS by endpoints or by a NAT gateway only.
  // vpc: {
  //   vpcId: 'vpc-0a1b2c3d4e5f67890',
  //   subnetIds: ['subnet-0a1b2c3d4e5f67890', 'subnet-1a2b3c4d5e6f78901'],
  //   availabilityZones: ['us-east-1a', 'us-east-1b'],
  //   securityGroupIds: ['sg-0a1b2c3d4e5f67890'],
  // },

  // An indexer adds what a node does not know: received times, totals, staking records.
  // indexerGraphqlUrl: 'https://indexer.example/graphql',

  // An address of one's own. Without it callers may still use TLS 1.0, which CloudFront allows on its own addresses.
  // customDomain: {
  //   domainName: 'explorer.example.org',
  //   hostedZoneId: 'Z0123456789ABCDEFGHIJ',
  //   zoneName: 'example.org',
  //   certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
  // },

  // Of each route, all callers together, behind the cache. Broadcasts are few, and a flood of them should not reach the node.
  throttles: { reads: { rate: 1000, burst: 2000 }, broadcasts: { rate: 50, burst: 100 } },

  // Of one IP address, in front of the cache.
  firewall: { enabled: true, requestsPerMinute: 1000, broadcastsPerMinute: 30 },

  // Keeps broadcasts from taking the concurrency of reads. A new account may have too little to reserve any.
  // broadcastReservedConcurrency: 20,

  // Who is told of alarms.
  // alarmEmail: 'ops@example.org',

  logRetentionDays: 30,
  // `cdk destroy` leaves the logs, to look into what happened.
  retainLogs: true,
} satisfies StageFile
