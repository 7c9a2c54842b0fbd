import { Annotations, Duration, Fn, Validations } from 'aws-cdk-lib'
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
import { originHeader } from '../../shared/http/routes.ts'
import type { CustomDomain, StageSettings } from '../settings/schema.ts'
import { docsBehaviors } from './docs-behaviors.ts'
import type { OriginSecret } from './origin-secret.ts'
import { addedHeaders, answerCache, errorResponses, forwardedRequest } from './policies.ts'
import { viewerFunctionCode } from './viewer-function.ts'

/** Longer than the 25 s of the functions, so that their answer about a slow upstream reaches the caller. */
const originReadTimeout = Duration.seconds(26)

/** An idle connection to the API Gateway is reused within this time. */
const originKeepAlive = Duration.seconds(60)

interface EdgeProps {
  readonly api: HttpApi
  readonly originSecret: OriginSecret
  /** The firewall, on stages with one. */
  readonly webAclArn?: string
}

/** CloudFront in front of the HTTP API. */
export class Edge extends Construct {
  readonly distribution: Distribution
  readonly viewerFunctionName: string
  /** The public name of the service. */
  readonly hostName: string

  constructor(scope: Construct, id: string, settings: StageSettings, { api, originSecret, webAclArn }: EdgeProps) {
    super(scope, id)
    const { customDomain, originShieldRegion } = settings

    const viewerFunction = new EdgeFunction(this, 'ViewerRequest', {
      comment: 'Admits each request in one spelling, or answers it',
      code: FunctionCode.fromInline(viewerFunctionCode()),
      runtime: FunctionRuntime.JS_2_0,
    })
    this.viewerFunctionName = viewerFunction.functionName
    const sharedBehavior: Omit<BehaviorOptions, 'cachePolicy'> = {
      origin: new HttpOrigin(Fn.select(2, Fn.split('/', api.apiEndpoint)), {
        customHeaders: { [originHeader]: originSecret.sent },
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        originSslProtocols: [OriginSslPolicy.TLS_V1_2],
        readTimeout: originReadTimeout,
        keepaliveTimeout: originKeepAlive,
        ...(originShieldRegion !== null && { originShieldRegion }),
      }),
      // The viewer function answers unknown methods with JSON, CloudFront would with HTML.
      allowedMethods: AllowedMethods.ALLOW_ALL,
      originRequestPolicy: forwardedRequest(this),
      responseHeadersPolicy: addedHeaders(this),
      functionAssociations: [{ function: viewerFunction, eventType: FunctionEventType.VIEWER_REQUEST }],
      compress: true,
    }
    if (customDomain?.attached === false)
      Annotations.of(this).acknowledgeWarning(
        '@aws-cdk/aws-cloudfront:emptyDomainNames',
        'The settings of the stage say that another distribution has the name.',
      )
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `Chain Explorer REST Service (${settings.stage})`,
      defaultBehavior: {
        ...sharedBehavior,
        cachePolicy: answerCache(this, settings.longestCacheSeconds),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      },
      additionalBehaviors: {
        '/broadcast/*': {
          ...sharedBehavior,
          cachePolicy: CachePolicy.CACHING_DISABLED,
          // A redirect would turn a POST into a GET, and its body has been sent unencrypted by then.
          viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        },
        ...docsBehaviors(this, sharedBehavior),
      },
      errorResponses,
      httpVersion: HttpVersion.HTTP2_AND_3,
      enableIpv6: settings.ipv6,
      ...(webAclArn !== undefined && { webAclId: webAclArn }),
      ...(customDomain !== null && this.#domainProps(customDomain)),
    })
    if (customDomain?.attached) this.#addRecords(customDomain, settings.ipv6)
    this.#acknowledgeFindings(settings)
    this.hostName = customDomain?.attached ? customDomain.domainName : this.distribution.distributionDomainName
  }

  /**
   * CloudFront can refuse TLS below 1.2 only with a certificate for a custom domain. Before the name moves here from
   * another distribution, AWS requires the certificate without the name.
   */
  #domainProps({ domainName, certificateArn, attached }: CustomDomain): Partial<DistributionProps> {
    return {
      ...(attached && { domainNames: [domainName] }),
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    }
  }

  #addRecords({ domainName, hostedZoneId, zoneName }: CustomDomain, ipv6: boolean): void {
    if (hostedZoneId === null || zoneName === null) return
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName })
    const record = {
      zone,
      recordName: domainName,
      target: RecordTarget.fromAlias(new CloudFrontTarget(this.distribution)),
    }
    new ARecord(this, 'Ipv4', record)
    if (ipv6) new AaaaRecord(this, 'Ipv6', record)
  }

  #acknowledgeFindings({ firewall, customDomain }: StageSettings): void {
    const findings = [
      { id: 'AwsSolutions-CFR1', reason: 'The chain is public in every country.' },
      {
        id: 'AwsSolutions-CFR3',
        reason:
          'CloudFront counts hits, the API logs misses, and the optional cdnAccessLog names neither. Nothing should record which address asked for which account.',
      },
      ...(firewall.enabled
        ? []
        : [{ id: 'AwsSolutions-CFR2', reason: 'The settings of the stage turn the firewall off to save its cost.' }]),
      ...(customDomain === null
        ? [
            {
              id: 'AwsSolutions-CFR4',
              reason: "CloudFront's own certificate allows older TLS too; a custom domain does not.",
            },
          ]
        : []),
    ]
    Validations.of(this).acknowledge(...findings)
  }
}
