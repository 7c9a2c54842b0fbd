import { Duration, Fn, Validations } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  type DistributionProps,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets'
import { Construct } from 'constructs'
import { originHeader } from '../../shared/deployment-names.ts'
import type { CustomDomain, StageSettings } from '../settings/schema.ts'
import type { OriginSecret } from './origin-secret.ts'
import { addedHeaders, answerCache, errorResponses, passedOn, queryKeys } from './policies.ts'
import { viewerFunctionCode } from './viewer-function.ts'

/** Above the functions' own 25 s, so that their answer to a slow upstream comes through. */
const originReadTimeout = Duration.seconds(26)

/** What an idle connection to the API gateway may be used again within. */
const originKeepAlive = Duration.seconds(60)

interface EdgeProps {
  readonly api: HttpApi
  readonly originSecret: OriginSecret
  /** ARN of the firewall, on stages that have one. */
  readonly webAclArn?: string
}

/** CloudFront in front of the HTTP API: what callers see. */
export class Edge extends Construct {
  readonly distribution: Distribution
  /** Where callers find the service. */
  readonly baseAddress: string

  constructor(scope: Construct, id: string, settings: StageSettings, { api, originSecret, webAclArn }: EdgeProps) {
    super(scope, id)
    const { customDomain } = settings

    const viewerFunction = new EdgeFunction(this, 'ViewerRequest', {
      comment: 'Collapses slashes, drops unknown query keys',
      code: FunctionCode.fromInline(viewerFunctionCode(queryKeys)),
      runtime: FunctionRuntime.JS_2_0,
    })
    const always: Omit<BehaviorOptions, 'cachePolicy'> = {
      origin: new HttpOrigin(Fn.select(2, Fn.split('/', api.apiEndpoint)), {
        customHeaders: { [originHeader]: originSecret.sent },
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        originSslProtocols: [OriginSslPolicy.TLS_V1_2],
        readTimeout: originReadTimeout,
        keepaliveTimeout: originKeepAlive,
      }),
      // Every method, so that the API answers those that it does not know with JSON.
      allowedMethods: AllowedMethods.ALLOW_ALL,
      originRequestPolicy: passedOn(this),
      responseHeadersPolicy: addedHeaders(this),
      functionAssociations: [{ function: viewerFunction, eventType: FunctionEventType.VIEWER_REQUEST }],
      compress: true,
    }
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `Chain Explorer REST Service (${settings.stage})`,
      defaultBehavior: {
        ...always,
        cachePolicy: answerCache(this, settings.longestCacheSeconds),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      },
      additionalBehaviors: {
        '/broadcast/*': {
          ...always,
          cachePolicy: CachePolicy.CACHING_DISABLED,
          // A redirected POST becomes a GET, and the first one went unencrypted already.
          viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        },
      },
      errorResponses,
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...(webAclArn !== undefined && { webAclId: webAclArn }),
      ...(customDomain !== null && this.domainProps(customDomain)),
    })
    if (customDomain !== null) this.addRecords(customDomain)
    this.acknowledgeFindings(settings)
    this.baseAddress = `https://${customDomain?.domainName ?? this.distribution.distributionDomainName}`
  }

  /** CloudFront's own address has a certificate of CloudFront's, with which older TLS cannot be refused. */
  private domainProps({ domainName, certificateArn }: CustomDomain): Partial<DistributionProps> {
    return {
      domainNames: [domainName],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    }
  }

  private addRecords({ domainName, hostedZoneId, zoneName }: CustomDomain): void {
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName })
    const record = {
      zone,
      recordName: domainName,
      target: RecordTarget.fromAlias(new CloudFrontTarget(this.distribution)),
    }
    new ARecord(this, 'Ipv4', record)
    new AaaaRecord(this, 'Ipv6', record)
  }

  private acknowledgeFindings({ firewall, customDomain }: StageSettings): void {
    const findings = [
      { id: 'AwsSolutions-CFR1', reason: 'The chain is public everywhere.' },
      {
        id: 'AwsSolutions-CFR3',
        reason:
          'Hits are counted by CloudFront, misses logged by the API. Who asked for which account is nobody to keep.',
      },
      ...(firewall.enabled
        ? []
        : [{ id: 'AwsSolutions-CFR2', reason: 'Off by the settings of the stage, which then pays for no firewall.' }]),
      ...(customDomain === null
        ? [
            {
              id: 'AwsSolutions-CFR4',
              reason: "CloudFront's own certificate takes older TLS too; a domain of one's own does not.",
            },
          ]
        : []),
    ]
    Validations.of(this).acknowledge(...findings)
  }
}
