import { describe, expect, test } from '@jest/globals'
import { leastFile, messageOf, read, whole } from './read-settings.ts'

const badCertificate = (got: string): string =>
  `config/dev.ts: customDomain.certificateArn
  got      ${got}
  wants    the ARN of an ACM certificate in us-east-1, since CloudFront takes no other
  example  customDomain: { certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef' }
  or       EXPLORER_CUSTOM_DOMAIN_CERTIFICATE_ARN=arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef`

describe('places', () => {
  const customDomain = {
    domainName: 'explorer.example.org',
    hostedZoneId: 'Z0123456789ABC',
    zoneName: 'example.org',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
  }

  test('a certificate in another region than us-east-1 is refused', () => {
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

  const badCheck = (but: string, wants: string) => `config/dev.ts: healthCheck
  got      true, but ${but}
  wants    ${wants}
  example  healthCheck: false
  or       EXPLORER_HEALTH_CHECK=false`

  test('a health check needs a stack in us-east-1', () => {
    const elsewhere = { region: 'eu-west-1', firewall: { enabled: false } }
    expect(messageOf({ ...leastFile, ...elsewhere, healthCheck: true })).toBe(
      whole(
        badCheck(
          'the stack is in eu-west-1',
          'false, or a stack in us-east-1, the only region with metrics of health checks',
        ),
      ),
    )
  })

  test.each(['explorer.internal', 'explorer.corp', 'explorer.example', 'explorer.test', 'explorer.home.arpa'])(
    'a health check needs a public address, and %s is none',
    (domainName) => {
      const hidden = { ...customDomain, domainName, hostedZoneId: null, zoneName: null }
      expect(messageOf({ ...leastFile, customDomain: hidden, healthCheck: true })).toBe(
        whole(
          badCheck(
            `${domainName} has no address on the internet`,
            'false, or a public domain: Route 53 checks from the internet',
          ),
        ),
      )
      expect(read({ ...leastFile, customDomain: hidden }).healthCheck).toBe(false)
      expect(read({ ...leastFile, customDomain, healthCheck: true }).healthCheck).toBe(true)
    },
  )

  test('a group must be complete, and a domain must be in its zone', () => {
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

  test('a hosted zone has an id and a name, or there is none', () => {
    const { hostedZoneId, zoneName, ...domain } = customDomain
    const refused = (at: string, other: string, example: string, variable: string) =>
      whole(`config/dev.ts: customDomain.${at}
  got      nothing, but customDomain.${other} is given
  wants    id and name of the hosted zone, or neither: the records are then yours to make
  example  customDomain: { ${at}: '${example}' }
  or       EXPLORER_CUSTOM_DOMAIN_${variable}=${example}`)
    expect(messageOf({ ...leastFile, customDomain: { ...domain, zoneName } })).toBe(
      refused('hostedZoneId', 'zoneName', 'Z0123456789ABCDEFGHIJ', 'HOSTED_ZONE_ID'),
    )
    expect(messageOf({ ...leastFile, customDomain: { ...domain, hostedZoneId } })).toBe(
      refused('zoneName', 'hostedZoneId', 'example.org', 'ZONE_NAME'),
    )
    expect(read({ ...leastFile, customDomain: domain }).customDomain).toEqual({
      ...domain,
      hostedZoneId: null,
      zoneName: null,
      attached: true,
    })
  })

  test('a domain outside its zone gets an example inside it', () => {
    expect(messageOf({ ...leastFile, customDomain: { ...customDomain, zoneName: 'example.net' } })).toBe(
      whole(`config/dev.ts: customDomain.domainName
  got      "explorer.example.org", but it is not in the zone example.net
  wants    a name in the hosted zone
  example  customDomain: { domainName: 'explorer.example.net' }
  or       EXPLORER_CUSTOM_DOMAIN_DOMAIN_NAME=explorer.example.net`),
    )
  })

  test('several subnets get an example with as many zones, in their region', () => {
    const subnetIds = ['subnet-0a1b2c3d', 'subnet-1a2b3c4d']
    const vpc = { vpcId: 'vpc-0a1b2c3d', subnetIds, securityGroupIds: ['sg-0a1b2c3d'] }
    const example = `  example  vpc: { availabilityZones: [ 'us-east-1a', 'us-east-1b' ] }
  or       EXPLORER_VPC_AVAILABILITY_ZONES=us-east-1a,us-east-1b`
    expect(messageOf({ ...leastFile, vpc: { ...vpc, availabilityZones: ['us-east-1c'] } })).toBe(
      whole(`config/dev.ts: vpc.availabilityZones
  got      ["us-east-1c"], but the number of subnets is 2
  wants    the zone of each subnet, in their order
${example}`),
    )
    expect(messageOf({ ...leastFile, vpc: { ...vpc, availabilityZones: ['eu-west-1a', 'eu-west-1b'] } })).toBe(
      whole(`config/dev.ts: vpc.availabilityZones
  got      ["eu-west-1a","eu-west-1b"], but eu-west-1a is not in us-east-1, the region of the stack
  wants    zones of the region of the stack
${example}`),
    )
  })

  test.each(['eu-west-3', 'us-east'])('Origin Shield in %s, where there is none, is refused', (originShieldRegion) => {
    expect(messageOf({ ...leastFile, originShieldRegion })).toBe(
      whole(`config/dev.ts: originShieldRegion
  got      "${originShieldRegion}"
  wants    the region of Origin Shield, a cache between all of CloudFront's and the API; the one closest to the API: one of us-east-1, us-east-2, us-west-2, sa-east-1, eu-central-1, eu-west-1, eu-west-2, me-central-1, ap-south-1, ap-southeast-1, ap-southeast-2, ap-northeast-1, ap-northeast-2
  example  originShieldRegion: 'us-east-1'
  or       EXPLORER_ORIGIN_SHIELD_REGION=us-east-1`),
    )
  })

  test('each subnet needs a zone', () => {
    const vpc = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'] }
    expect(messageOf({ ...leastFile, vpc: { ...vpc, availabilityZones: ['us-east-1a', 'us-east-1b'] } })).toBe(
      whole(`config/dev.ts: vpc.availabilityZones
  got      ["us-east-1a","us-east-1b"], but the number of subnets is 1
  wants    the zone of each subnet, in their order
  example  vpc: { availabilityZones: [ 'us-east-1a' ] }
  or       EXPLORER_VPC_AVAILABILITY_ZONES=us-east-1a`),
    )
  })

  test('zones and a topic must be in the region of the stack', () => {
    const vpc = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'] }
    const alarmTopicArn = 'arn:aws:sns:us-west-2:123456789012:ops'
    const elsewhere = { region: 'eu-west-1', firewall: { enabled: false } }
    expect(
      messageOf({ ...leastFile, ...elsewhere, vpc: { ...vpc, availabilityZones: ['us-east-1b'] }, alarmTopicArn }),
    ).toBe(
      whole(
        `config/dev.ts: vpc.availabilityZones
  got      ["us-east-1b"], but us-east-1b is not in eu-west-1, the region of the stack
  wants    zones of the region of the stack
  example  vpc: { availabilityZones: [ 'eu-west-1a' ] }
  or       EXPLORER_VPC_AVAILABILITY_ZONES=eu-west-1a`,
        `config/dev.ts: alarmTopicArn
  got      "${alarmTopicArn}", but the stack is in eu-west-1
  wants    a topic in the region of the stack
  example  alarmTopicArn: 'arn:aws:sns:eu-west-1:123456789012:explorer-alarms'
  or       EXPLORER_ALARM_TOPIC_ARN=arn:aws:sns:eu-west-1:123456789012:explorer-alarms`,
      ),
    )
  })

  test('an alarm address is only for a topic of the stack', () => {
    const alarmTopicArn = 'arn:aws:sns:us-east-1:123456789012:ops'
    expect(messageOf({ ...leastFile, alarmEmail: 'ops@example.org', alarmTopicArn })).toBe(
      whole(`config/dev.ts: alarmEmail
  got      "ops@example.org", but alarmTopicArn is given as well
  wants    either an address or a topic; to use both, subscribe the address to the topic
  example  alarmEmail: null`),
    )
  })
})
