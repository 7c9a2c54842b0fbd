// The network of the functions, and the name of the service.
import { z } from 'zod'
import { listOf, optional, text, trueOrFalse } from '../kinds.ts'

const domainName = (what: string, example: string) =>
  text(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, `${what}, in lower case`, example)

export const vpc = z.object({
  vpcId: text(/^vpc-[0-9a-f]{8,17}$/, 'the id of a VPC that reaches a private node', 'vpc-0a1b2c3d4e5f67890'),
  subnetIds: listOf(/^subnet-[0-9a-f]{8,17}$/, 'ids of subnets', ['subnet-0a1b2c3d4e5f67890']),
  availabilityZones: listOf(/^[a-z]{2}(-[a-z]+)+-\d[a-z]$/, 'the zones of the subnets, in their order', ['us-east-1a']),
  securityGroupIds: listOf(/^sg-[0-9a-f]{8,17}$/, 'ids of security groups', ['sg-0a1b2c3d4e5f67890']),
})

export const customDomain = z.object({
  domainName: domainName('the domain name of the service', 'explorer.example.org'),
  hostedZoneId: optional(
    text(
      /^Z[A-Z0-9]{6,31}$/,
      'the id of the Route 53 hosted zone that gets the records (see Domain)',
      'Z0123456789ABCDEFGHIJ',
    ),
  ),
  zoneName: optional(domainName('the domain name of the hosted zone', 'example.org')),
  certificateArn: text(
    /^arn:aws:acm:us-east-1:\d{12}:certificate\/[0-9a-f-]{36}$/,
    'the ARN of an ACM certificate in us-east-1',
    'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
  ),
  attached: trueOrFalse(
    'whether CloudFront answers under the name; false while another distribution still does (see Move a domain here)',
  ).default(true),
})
