import { describe, expect, test } from '@jest/globals'
import { leastFile, messageOf, whole } from './read-settings.ts'

const badUrl = (got: string, origin = 'config/dev.ts'): string =>
  `${origin}: nodeGraphqlUrl
  got      ${got}
  wants    the http or https address of a node's GraphQL, without user name and password
  example  nodeGraphqlUrl: 'https://node.example/graphql'
  or       EXPLORER_NODE_GRAPHQL_URL=https://node.example/graphql`

const badRate = (got: string, origin = 'config/dev.ts'): string =>
  `${origin}: throttles.reads.rate
  got      ${got}
  wants    a whole number from 1 to 10000, the account's own limit
  example  throttles: { reads: { rate: 1000 } }
  or       EXPLORER_THROTTLES_READS_RATE=1000`

const badSecret = (got: string): string =>
  `config/dev.ts: nodeCredential.secret
  got      ${got}
  wants    the name of a Secrets Manager secret, or its whole ARN: arn:aws:secretsmanager:<region>:<account>:secret:<name>-<6 characters>
  example  nodeCredential: { secret: 'chain-explorer/node-key' }
  or       EXPLORER_NODE_CREDENTIAL_SECRET=chain-explorer/node-key`

const badCertificate = (got: string): string =>
  `config/dev.ts: customDomain.certificateArn
  got      ${got}
  wants    the ARN of an ACM certificate in us-east-1, since CloudFront takes no other
  example  customDomain: { certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef' }
  or       EXPLORER_CUSTOM_DOMAIN_CERTIFICATE_ARN=arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef`

describe('an unknown key', () => {
  test('of the stage file is named with the setting that it is nearest to', () => {
    expect(messageOf({ ...leastFile, throttles: { reads: { rat: 5 } } })).toBe(
      whole(`config/dev.ts: throttles.reads.rat
  got      a key that no setting has
  wants    a setting; the nearest is throttles.reads.rate
  example  throttles: { reads: { rate: 1000 } }
  or       EXPLORER_THROTTLES_READS_RATE=1000`),
    )
  })

  test('of the environment and of the context too', () => {
    expect(messageOf(leastFile, { EXPLORER_NODE_URL: 'x' }, { nodegraphqlurl: 'x' })).toBe(
      whole(
        `the environment: EXPLORER_NODE_URL
  got      a key that no setting has
  wants    a setting; the nearest is EXPLORER_NETWORK
  example  network: 'mainnet'
  or       EXPLORER_NETWORK=mainnet`,
        `the CDK context: nodegraphqlurl
  got      a key that no setting has
  wants    a setting; the nearest is nodeGraphqlUrl
  example  nodeGraphqlUrl: 'https://node.example/graphql'
  or       EXPLORER_NODE_GRAPHQL_URL=https://node.example/graphql`,
      ),
    )
  })

  test('may be a group that is none', () => {
    expect(messageOf({ ...leastFile, vpc: 'vpc-0a1b2c3d' })).toBe(
      whole(`config/dev.ts: vpc
  got      "vpc-0a1b2c3d"
  wants    an object of vpcId, subnetIds, availabilityZones, securityGroupIds
  example  vpc: { vpcId: 'vpc-0a1b2c3d4e5f67890' }
  or       EXPLORER_VPC_VPC_ID=vpc-0a1b2c3d4e5f67890`),
    )
  })
})

describe('an upstream URL', () => {
  test('that is missing is asked for', () => {
    expect(messageOf({ network: 'devnet' })).toBe(whole(badUrl('nothing')))
  })

  test.each([
    ['ftp://node.example/graphql', '"ftp://node.example/graphql"'],
    ['node.example/graphql', '"node.example/graphql"'],
    [`https://${'x'.repeat(200)} /`, `"https://${'x'.repeat(72)}…"`],
    ['https://user:pass@node.example/graphql', '"https://…@node.example/graphql"'],
    ['https://user@node.example/graphql', '"https://…@node.example/graphql"'],
    ['https://user:pa?ss@node.example/graphql', '"https://…@node.example/graphql"'],
    ['https://user:p@ss@node.example/graphql?key=secret', '"https://…@node.example/graphql?…"'],
    ['ftp://node.example/graphql?key=secret', '"ftp://node.example/graphql?…"'],
    ['user:pass@node.example', '"…@node.example"'],
    ['https:/user:pass@node.example', '"…@node.example"'],
  ])('that is %s is refused, and its credentials are not shown', (given, shown) => {
    expect(messageOf(leastFile, { EXPLORER_NODE_GRAPHQL_URL: given })).toBe(
      whole(badUrl(shown, 'EXPLORER_NODE_GRAPHQL_URL')),
    )
    expect(messageOf({ ...leastFile, indexerGraphqlUrl: given })).toBe(
      whole(`config/dev.ts: indexerGraphqlUrl
  got      ${shown}
  wants    the http or https address of an indexer's GraphQL, without user name and password
  example  indexerGraphqlUrl: 'https://indexer.example/graphql'
  or       EXPLORER_INDEXER_GRAPHQL_URL=https://indexer.example/graphql`),
    )
  })

  test('that is not encrypted needs a VPC', () => {
    expect(messageOf({ ...leastFile, nodeGraphqlUrl: 'http://10.0.0.7:3085/graphql' })).toBe(
      whole(`config/dev.ts: nodeGraphqlUrl
  got      "http://10.0.0.7:3085/graphql", but it is not encrypted and there is no vpc
  wants    an https address, or a vpc that reaches a private one
  example  nodeGraphqlUrl: 'https://node.example/graphql'
  or       EXPLORER_NODE_GRAPHQL_URL=https://node.example/graphql`),
    )
  })
})

describe('numbers', () => {
  test.each([
    [-1, '-1'],
    [0, '0'],
    [1.5, '1.5'],
    [10_001, '10001'],
    ['1e3', '"1e3"'],
    ['-1', '"-1"'],
    [Number.NaN, 'null'],
    [true, 'true'],
  ])('a throttle of %s is refused', (rate, shown) => {
    expect(messageOf({ ...leastFile, throttles: { reads: { rate } } })).toBe(whole(badRate(shown)))
  })

  test.each([0, 20_001, -1, 1.5, '8000ms'])('a time-out of %s is refused', (given) => {
    expect(messageOf(leastFile, {}, { upstreamTimeoutMs: given })).toBe(
      whole(`the CDK context: upstreamTimeoutMs
  got      ${JSON.stringify(given)}
  wants    whole milliseconds from 1 to 20000
  example  upstreamTimeoutMs: 8000
  or       EXPLORER_UPSTREAM_TIMEOUT_MS=8000`),
    )
  })

  test('a log retention that CloudWatch does not know is refused', () => {
    expect(messageOf({ ...leastFile, logRetentionDays: 10 })).toBe(
      whole(`config/dev.ts: logRetentionDays
  got      10
  wants    one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653 days
  example  logRetentionDays: 30
  or       EXPLORER_LOG_RETENTION_DAYS=30`),
    )
  })
})

describe('credentials', () => {
  const withSecret = (secret: unknown) => ({ ...leastFile, nodeCredential: { header: 'x-api-key', secret } })

  test.each([
    'arn:aws:secretsmanager:us-east-1:1234:secret:node-a1B2c3',
    'arn:aws:secretsmanager:us-east-1:123456789012:secret:node',
    'arn:aws:ssm:us-east-1:123456789012:parameter/node',
  ])('of the malformed ARN %s are refused', (arn) => {
    expect(messageOf(withSecret(arn))).toBe(whole(badSecret(`"${arn}"`)))
  })

  test('that are no name are refused and not shown', () => {
    expect(messageOf(withSecret('Bearer s3cret!'))).toBe(
      whole(badSecret('something not shown, since it may be the secret itself,')),
    )
  })

  test.each([
    [{ header: 'x-api-key' }, 'undefined, but neither a secret nor a parameter is named'],
    [{ header: 'x-api-key', secret: 'a', parameter: '/b' }, '"a", but a parameter is named as well'],
  ])('%j name one place', (nodeCredential, got) => {
    const wants = 'either a secret or a parameter that holds the text of the header'
    expect(messageOf({ ...leastFile, nodeCredential })).toBe(
      whole(badSecret(got.replace('undefined', 'nothing')).replace(/wants .*/, `wants    ${wants}`)),
    )
  })

  test('are kept in the region of the stack', () => {
    const arn = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:node-a1B2c3'
    expect(messageOf(withSecret(arn))).toBe(
      whole(
        badSecret(`"${arn}", but the stack is in us-east-1`).replace(
          /wants .*/,
          'wants    a secret in the region of the stack',
        ),
      ),
    )
  })

  test.each([
    ['not JSON', '{"x-api-key":s3cret}'],
    ['a list', '["s3cret"]'],
    ['null', 'null'],
    ['a value that is no text', '{"x-api-key":{"s3cret":1}}'],
    ['a name that HTTP cannot carry', '{"x api key":"s3cret"}'],
    ['a value that HTTP cannot carry', '{"x-api-key":"s3cret\\ns3cret"}'],
  ])('in headers that are %s are refused, and no value is shown', (_case, given) => {
    expect(messageOf(leastFile, { EXPLORER_UPSTREAM_HEADERS: given })).toBe(
      whole(`EXPLORER_UPSTREAM_HEADERS: upstreamHeaders
  got      something not shown, since it may hold a key
  wants    header names and their texts, as JSON where it is a variable; a key belongs into a secret
  example  upstreamHeaders: { 'x-client': 'explorer' }
  or       EXPLORER_UPSTREAM_HEADERS='{"x-client":"explorer"}'`),
    )
  })
})

describe('where things are', () => {
  const customDomain = {
    domainName: 'explorer.example.org',
    hostedZoneId: 'Z0123456789ABC',
    zoneName: 'example.org',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
  }

  test('a certificate outside of us-east-1 is refused', () => {
    const certificateArn = customDomain.certificateArn.replace('us-east-1', 'eu-west-1')
    expect(messageOf({ ...leastFile, customDomain: { ...customDomain, certificateArn } })).toBe(
      whole(badCertificate(`"${certificateArn.slice(0, 80)}…"`)),
    )
  })

  test('another region is refused while the firewall is on', () => {
    expect(messageOf({ ...leastFile, region: 'eu-west-1' })).toBe(
      whole(`config/dev.ts: region
  got      "eu-west-1", but the firewall is on
  wants    us-east-1, the only region for a firewall in front of CloudFront; or firewall.enabled false
  example  region: 'us-east-1'
  or       EXPLORER_REGION=us-east-1`),
    )
  })

  test('a group given in part is asked for whole, and a domain must be in its zone', () => {
    expect(
      messageOf({ ...leastFile, customDomain: { ...customDomain, domainName: 'example.com', certificateArn: null } }),
    ).toBe(
      whole(
        badCertificate('nothing'),
        `config/dev.ts: customDomain.domainName
  got      "example.com", but it is not in the zone example.org
  wants    a name in the hosted zone
  example  customDomain: { domainName: 'explorer.example.org' }
  or       EXPLORER_CUSTOM_DOMAIN_DOMAIN_NAME=explorer.example.org`,
      ),
    )
  })

  test('each subnet has its zone', () => {
    const vpc = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'] }
    expect(messageOf({ ...leastFile, vpc: { ...vpc, availabilityZones: ['us-east-1a', 'us-east-1b'] } })).toBe(
      whole(`config/dev.ts: vpc.availabilityZones
  got      ["us-east-1a","us-east-1b"], but there are 1 subnets
  wants    the zone of each subnet, in their order
  example  vpc: { availabilityZones: ['us-east-1a'] }
  or       EXPLORER_VPC_AVAILABILITY_ZONES=us-east-1a`),
    )
  })

  test('an alarm address belongs to a topic of the stack', () => {
    const alarmTopicArn = 'arn:aws:sns:us-east-1:123456789012:ops'
    expect(messageOf({ ...leastFile, alarmEmail: 'ops@example.org', alarmTopicArn })).toBe(
      whole(`config/dev.ts: alarmEmail
  got      "ops@example.org", but alarmTopicArn is given as well
  wants    no address beside a topic: subscribe it to the topic, which is not the stack's
  example  alarmEmail: 'ops@example.org'
  or       EXPLORER_ALARM_EMAIL=ops@example.org`),
    )
  })
})

test('all mistakes are named at once', () => {
  expect(messageOf({ network: 'devnet' }, { EXPLORER_THROTTLES_READS_RATE: '-1' })).toBe(
    whole(badUrl('nothing'), badRate('"-1"', 'EXPLORER_THROTTLES_READS_RATE')),
  )
})
