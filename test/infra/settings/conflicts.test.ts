// Settings that are valid on their own and not together.
import { describe, expect, test } from '@jest/globals'
import mainnetFile from '../../../config/mainnet.ts'
import { readsWithin } from '../../../infra/settings/concurrency.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { withOneNode } from './every-setting.ts'
import { messageOf, minimalFile, mistakesIn, read } from './read-settings.ts'

const { attached: _, ...customDomain } = withOneNode.customDomain
const { hostedZoneId: _id, zoneName, ...bareDomain } = customDomain
const hiddenDomain = { ...bareDomain, domainName: 'explorer.home.arpa' }
const { nodeGraphqlUrl: _url, ...withoutNode } = minimalFile
const { availabilityZones: _zones, ...vpc } = withOneNode.vpc
const oneSubnet = { ...vpc, subnetIds: ['subnet-0a1b2c3d'] }
const elsewhere = { region: 'eu-west-1', firewall: { enabled: false } }
const blockedIpSetArn = 'arn:aws:wafv2:us-east-1:123456789012:global/ipset/b/01234567-89ab-cdef-0123-456789abcdef'
const shownArn = `${blockedIpSetArn.slice(0, 80)}…`
const topic = 'arn:aws:sns:us-east-1:123456789012:ops'
const secretIn = (region: string) => `arn:aws:secretsmanager:${region}:123456789012:secret:node-a1B2c3`
const nodes = [{ graphqlUrl: 'https://a.example/graphql' }]
const twoIndexers = ['https://a.example/graphql', 'https://b.example/graphql']
const itself = 'explorer.example.org is the domain of this service, which would ask itself'
const zone = 'id and name of the hosted zone, or neither: the records are then yours to make'
const keyExample = "nodeCredential: { secret: 'chain-explorer/node-key' }"
const genesis = '3NKMm4LzpDEAp8ZqDdYxH5Hgd4Fb2fMR1cSz6mfJdwKeKjghCzWS'
const mainnet = '3NLntCRR9RvjtzP24Q1dRvdhmpjiPvfKGaJmAZuJgYoqGpevqDR7'
const someChainId = '0123456789abcdef'.repeat(4)
const mainnetChainId = '0718f61ab88f9d0fa643ff4dc3a3d5998dd6d51a6008b2b0339b0dbb26133886'
const nodeExample = "nodeGraphqlUrl: 'https://node.example/graphql'"

describe('settings that contradict each other are refused', () => {
  test.each<[file: object, ...conflicts: string[]]>([
    [
      { nodeGraphqlUrl: null },
      `nodeGraphqlUrl | nothing, but there are no nodes either | the address of a node, or nodes for several | ${nodeExample}`,
    ],
    [
      { nodeGraphqlUrl: 'http://10.0.0.7:3085/graphql' },
      `nodeGraphqlUrl | "http://10.0.0.7:3085/graphql", but it is not encrypted and there is no vpc | an https address, or a vpc that reaches the private one | ${nodeExample}`,
    ],
    [
      { genesisStateHash: [genesis, mainnet], chainId: ['ab'.repeat(32)] },
      `chainId | ["${'ab'.repeat(32)}"], but it does not fit genesisStateHash | as many chain ids as genesis blocks, in the same order: 2, not 1 | chainId: [ '${someChainId}', '${mainnetChainId}' ]`,
    ],
    [
      { genesisStateHash: mainnet, chainId: 'ab'.repeat(32) },
      `chainId | "${'ab'.repeat(32)}", but it does not fit genesisStateHash | ${mainnetChainId} for mainnet since 2026-09-03 | chainId: [ '${mainnetChainId}' ]`,
    ],
    [
      { nodes, upstreamHeaders: { k: 'v' }, nodeCredential: { header: 'k', secret: 'name' } },
      `nodeGraphqlUrl | "https://node.example/graphql", but nodes is given as well | either one address or nodes | ${nodeExample}`,
      "upstreamHeaders | k with values not shown, but nodes is given as well | headers of each node in nodes | upstreamHeaders: { 'x-client': 'explorer' }",
      'nodeCredential.header | "k", but nodes is given as well | the credential of each node in nodes | nodeCredential: { header: \'x-api-key\' }',
    ],
    [
      { nodeCredential: { header: 'x-api-key', secret: 'a', parameter: '/b' } },
      `nodeCredential.secret | "a", but a parameter is named as well | either a secret or a parameter that holds the text of the header | ${keyExample}`,
    ],
    [
      { nodeCredential: { header: 'x-api-key', secret: secretIn('eu-west-1') } },
      `nodeCredential.secret | "${secretIn('eu-west-1')}", but the stack is in us-east-1 | a secret in the region of the stack | ${keyExample}`,
    ],
    [
      { indexerCredential: { header: 'x-api-key', secret: 'a' } },
      'indexerCredential.header | "x-api-key", but there is no indexer | indexerGraphqlUrl too | indexerGraphqlUrl: \'https://indexer.example/graphql\'',
    ],
    [
      { indexerGraphqlUrl: twoIndexers, indexerHeaders: { k: 'v' }, indexerCredential: { header: 'k', secret: 'a' } },
      'indexerHeaders | k with values not shown, but there are several indexers | a single indexer, or indexers that need none | indexerHeaders: {}',
      'indexerCredential.header | "k", but there are several indexers | a single indexer, or indexers that need none | indexerGraphqlUrl: \'https://indexer.example/graphql\'',
    ],
    [
      { indexerGraphqlUrl: ['https://a.example/graphql', 'http://b.example/graphql'] },
      'indexerGraphqlUrl | "https://a.example/graphql", "http://b.example/graphql", but it is not encrypted and there is no vpc | an https address, or a vpc that reaches the private one | indexerGraphqlUrl: \'https://indexer.example/graphql\'',
    ],
    [
      { region: 'eu-west-1' },
      'region | "eu-west-1", but the firewall is on | us-east-1, the only region for a firewall in front of CloudFront; or firewall.enabled false | region: \'us-east-1\'',
    ],
    [
      { ...elsewhere, healthCheck: true },
      'healthCheck | true, but the stack is in eu-west-1 | false, or a stack in us-east-1, the only region with metrics of health checks | healthCheck: false',
    ],
    [
      { ...elsewhere, cdnAccessLog: true },
      'cdnAccessLog | true, but the stack is in eu-west-1 | false, or a stack in us-east-1, the only region from which CloudFront delivers its log | cdnAccessLog: false',
    ],
    [
      { tags: Object.fromEntries([...'abcdefg'].map((name) => [name, 'x'])), healthCheck: true },
      `tags | {${[...'abcdefg'].map((name) => `"${name}":"x"`)}}, but healthCheck is on | at most 6, since Route 53 takes 10 for a health check, with the stack's own and its name | tags: { CostCenter: '42' }`,
    ],
    [
      { customDomain: hiddenDomain, healthCheck: true, broadcastHeartbeat: true },
      ...['healthCheck', 'broadcastHeartbeat'].map(
        (check) =>
          `${check} | true, but explorer.home.arpa has no address on the internet | false, or a public domain: the check comes from the internet | ${check}: false`,
      ),
    ],
    [
      { customDomain: { ...customDomain, domainName: 'my-example.net', zoneName: 'example.net' } },
      'customDomain.domainName | "my-example.net", but it is not in the zone example.net | a name in the hosted zone | customDomain: { domainName: \'explorer.example.net\' }',
    ],
    [
      { customDomain: { ...bareDomain, zoneName } },
      `customDomain.hostedZoneId | nothing, but customDomain.zoneName is given | ${zone} | customDomain: { hostedZoneId: 'Z0123456789ABCDEFGHIJ' }`,
    ],
    [
      {
        customDomain: bareDomain,
        nodeGraphqlUrl: 'https://EXPLORER.example.org./graphql',
        indexerGraphqlUrl: ['https://indexer.example/graphql', 'https://explorer.example.org:8443/graphql'],
      },
      `nodeGraphqlUrl | "https://EXPLORER.example.org./graphql", but ${itself} | the address of a node itself | ${nodeExample}`,
      `indexerGraphqlUrl | "https://indexer.example/graphql", "https://explorer.example.org:8443/graphql", but ${itself} | the address of an indexer itself | indexerGraphqlUrl: 'https://indexer.example/graphql'`,
    ],
    [
      {
        customDomain: bareDomain,
        nodeGraphqlUrl: null,
        nodes: ['a', 'b'].map((path) => ({ graphqlUrl: `https://explorer.example.org/${path}` })),
      },
      `nodes | 2 nodes at explorer.example.org, explorer.example.org, but ${itself} | the address of a node itself | nodes: [ { graphqlUrl: 'https://a.example/graphql' }, { graphqlUrl: 'https://b.example/graphql' } ]`,
    ],
    [
      { vpc: { ...oneSubnet, availabilityZones: ['us-east-1a', 'us-east-1b'] } },
      'vpc.availabilityZones | ["us-east-1a","us-east-1b"], but the number of subnets is 1 | the zone of each subnet, in their order | vpc: { availabilityZones: [ \'us-east-1a\' ] }',
    ],
    [
      { ...elsewhere, vpc: { ...oneSubnet, availabilityZones: ['us-east-1b'] }, alarmTopicArn: topic },
      'vpc.availabilityZones | ["us-east-1b"], but us-east-1b is not in eu-west-1, the region of the stack | zones of the region of the stack | vpc: { availabilityZones: [ \'eu-west-1a\' ] }',
      `alarmTopicArn | "${topic}", but the stack is in eu-west-1 | a topic in the region of the stack | alarmTopicArn: 'arn:aws:sns:eu-west-1:123456789012:explorer-alarms'`,
    ],
    [
      { ...elsewhere, region: 'me-central-1', nodeCredential: { header: 'x-api-key', secret: 'name' } },
      'nodeCredential.header | "x-api-key", but the stack is in me-central-1, where the CDK knows no Lambda extension that reads secrets and parameters | no credential, or a stack in another region | nodeCredential: { header: \'x-api-key\' }',
    ],
    ...(['alarm', 'ticket'] as const).map((kind): [object, string] => [
      { [`${kind}Email`]: 'ops@example.org', [`${kind}TopicArn`]: topic },
      `${kind}Email | "ops@example.org", but ${kind}TopicArn is given as well | either an address or a topic; to use both, subscribe the address to the topic | ${kind}Email: null`,
    ]),
    [
      { firewall: { enabled: false, blockedIpSetArn } },
      `firewall.blockedIpSetArn | "${shownArn}", but firewall.enabled is false | no IP set, or firewall.enabled true: the firewall refuses its addresses | firewall: { blockedIpSetArn: null }`,
    ],
    ...[{ enabled: false }, { costlyRequestsPerMinute: null }].map((limits): [object, string] => [
      { firewall: { ...limits, freeIpSetArn: blockedIpSetArn } },
      `firewall.freeIpSetArn | "${shownArn}", but firewall.${Object.keys(limits).join()} is ${Object.values(limits).join() || 'null'} | no IP set, or a firewall with costlyRequestsPerMinute, which does not limit its addresses | firewall: { freeIpSetArn: null }`,
    ]),
  ])('%j', (file, ...conflicts) => {
    expect(mistakesIn({ ...minimalFile, ...file })).toEqual(conflicts)
  })
})

test.each([
  { ...withoutNode, nodes },
  { ...minimalFile, customDomain: bareDomain, healthCheck: true },
  { ...minimalFile, customDomain: hiddenDomain },
  { ...minimalFile, customDomain: bareDomain, indexerGraphqlUrl: ['https://indexer.explorer.example.org/graphql'] },
  { ...minimalFile, ...elsewhere, nodeCredential: { header: 'x-api-key', secret: secretIn('eu-west-1') } },
  { ...minimalFile, ...elsewhere, vpc: { ...oneSubnet, availabilityZones: ['eu-west-1b'] } },
])('a resolution of those conflicts is accepted: %j', (file) => {
  expect(read(file)).toMatchObject(file)
})

describe('reserved concurrency', () => {
  // And that of the docs page.
  const readers = endpoints.filter(({ method }) => method === 'GET').length + 1
  const alone = Math.floor(900 / readers)
  // An example leaves a share, for the functions of the next release.
  const shared = Math.floor(900 / (readers + 1))

  const atMost = (account: number) =>
    `at most ${account - 100} in all: accountConcurrency, ${account}, less the 100 that AWS keeps unreserved`
  const none = 'no reservation, since AWS keeps 100 unreserved and accountConcurrency is 10'
  const made = (reads: number, broadcasts: number) =>
    `${readers} × ${reads} for reads and 2 × ${broadcasts} for broadcasts make ${readers * reads + 2 * broadcasts}`
  const justReads = `${readers} × ${alone + 1} for reads make ${readers * (alone + 1)}`
  test.each<[reads: number | null, broadcasts: number | null, account: number, string, string, object]>([
    [alone + 1, null, 1000, justReads, atMost(1000), { reads: shared }],
    [null, 451, 1000, '2 × 451 for broadcasts make 902', atMost(1000), { broadcasts: 300 }],
    [2, 40, 180, made(2, 40), atMost(180), { reads: null }],
    [2, 60, 180, made(2, 60), atMost(180), { reads: null, broadcasts: 26 }],
    [3, 2, 10, made(3, 2), none, { reads: null, broadcasts: null }],
  ])('of %s and %s is too much for an account of %d', (reads, broadcasts, accountConcurrency, but, wants, fitting) => {
    const given = { reads, broadcasts }
    const file = { ...minimalFile, accountConcurrency, reservedConcurrency: given }
    expect(mistakesIn(file)).toEqual(
      Object.entries(fitting).map(
        ([kind, example]) =>
          `reservedConcurrency.${kind} | ${given[kind as 'reads']}, but ${but} | ${wants} | reservedConcurrency: { ${kind}: ${example} }`,
      ),
    )
    expect(read({ ...file, reservedConcurrency: { ...given, ...fitting } }).reservedConcurrency).toMatchObject(fitting)
  })

  test('of mainnet is 40 for each of up to 19 reads, and less once more of them need a share', () => {
    const shares = { accountConcurrency: 1000, broadcasts: 40, maxReads: 40 }
    expect([13, 14, 19, 20].map((reads) => readsWithin(shares, { reads, broadcasts: 2 }))).toEqual([40, 40, 40, 39])
    expect(mainnetFile.reservedConcurrency.reads).toBe(readsWithin(shares))
  })

  test('that uses the account up is accepted, so that an upgrade is not refused', () => {
    const reservedConcurrency = { reads: alone, broadcasts: null }
    expect(read({ ...minimalFile, reservedConcurrency })).toMatchObject({ reservedConcurrency })
  })

  test('that is too much is withdrawn where it was given: an empty variable leaves the file as it is', () => {
    const lastLine = (file: object, env = {}) =>
      messageOf({ ...minimalFile, accountConcurrency: 10, ...file }, env)
        .split('\n')
        .at(-1)
    expect(lastLine({ reservedConcurrency: { reads: 5 } })).toBe('  example  reservedConcurrency: { reads: null }')
    expect(lastLine({}, { EXPLORER_RESERVED_CONCURRENCY_READS: '5' })).toBe(
      '  or       EXPLORER_RESERVED_CONCURRENCY_READS=',
    )
  })
})
