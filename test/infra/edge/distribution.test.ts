import { describe, expect, test } from '@jest/globals'
import { originHeader } from '../../../shared/deployment-names.ts'
import { onlyResource } from '../only-resource.ts'
import { templateOf } from '../stack-template.ts'

const template = templateOf()
const config = onlyResource(template, 'AWS::CloudFront::Distribution').properties.DistributionConfig

describe('the distribution', () => {
  test('speaks HTTP/2 and HTTP/3, and to the API over TLS 1.2 only, for longer than a function runs', () => {
    expect(config.HttpVersion).toBe('http2and3')
    expect(config.Origins).toEqual([
      {
        Id: expect.any(String),
        DomainName: {
          'Fn::Select': [
            2,
            {
              'Fn::Split': [
                '/',
                { 'Fn::GetAtt': [onlyResource(template, 'AWS::ApiGatewayV2::Api').id, 'ApiEndpoint'] },
              ],
            },
          ],
        },
        CustomOriginConfig: {
          OriginProtocolPolicy: 'https-only',
          OriginSSLProtocols: ['TLSv1.2'],
          OriginReadTimeout: 26,
          OriginKeepaliveTimeout: 60,
        },
        OriginCustomHeaders: [{ HeaderName: originHeader, HeaderValue: expect.any(Object) }],
      },
    ])
    const timeouts = Object.values(template.findResources('AWS::Lambda::Function')).map(
      ({ Properties }) => Properties.Timeout,
    )
    expect(Math.max(...timeouts)).toBeLessThan(26)
  })

  test('has an address of its own where the settings give one, and then TLS 1.2 at the least', () => {
    const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef'
    const customDomain = {
      domainName: 'explorer.example.org',
      hostedZoneId: 'Z0123456789ABC',
      zoneName: 'example.org',
      certificateArn,
    }
    const withDomain = templateOf({ customDomain })
    expect(onlyResource(withDomain, 'AWS::CloudFront::Distribution').properties.DistributionConfig).toMatchObject({
      Aliases: ['explorer.example.org'],
      ViewerCertificate: {
        AcmCertificateArn: certificateArn,
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
      },
    })
    const records = Object.values(withDomain.findResources('AWS::Route53::RecordSet')).map(
      ({ Properties }) => Properties,
    )
    expect(records.map(({ Type: type, Name: name, HostedZoneId: zone }) => ({ type, name, zone }))).toEqual([
      { type: 'A', name: 'explorer.example.org.', zone: 'Z0123456789ABC' },
      { type: 'AAAA', name: 'explorer.example.org.', zone: 'Z0123456789ABC' },
    ])
    expect(withDomain.toJSON().Outputs.BaseAddress.Value).toBe('https://explorer.example.org')
  })
})
