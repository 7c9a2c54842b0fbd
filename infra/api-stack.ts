import { CfnOutput, Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { endpoints } from '../shared/endpoints/all.ts'
import { Edge } from './edge.ts'
import { EndpointFunction } from './endpoint-function.ts'
import { ExplorerApi } from './explorer-api.ts'
import { Firewall } from './firewall.ts'
import { OriginSecret } from './origin-secret.ts'
import type { StageSettings } from './settings.ts'

/**
 * The service on AWS: CloudFront, an HTTP API, and one function per endpoint. The stage is in the stack's name and no
 * physical name is fixed, so that several stages fit into one account.
 */
export class ApiStack extends Stack {
  constructor(scope: Construct, settings: StageSettings) {
    super(scope, `chain-explorer-${settings.stage}`, {
      description: `Chain Explorer REST Service (${settings.stage})`,
      env: { region: settings.region },
    })

    const originSecret = new OriginSecret(this, 'OriginSecret', settings.originSecretGeneration)
    const served = endpoints.map((endpoint) => {
      const { handler } = new EndpointFunction(this, endpoint, settings, originSecret.accepted)
      return { endpoint, handler }
    })
    const { http } = new ExplorerApi(this, 'Api', settings, served)
    const edge = new Edge(this, 'Edge', settings, {
      api: http,
      originSecret,
      ...(settings.firewall.enabled && { webAclArn: new Firewall(this, 'Firewall', settings.firewall).arn }),
    })
    // CloudFront sends a new secret only when all functions accept it.
    edge.distribution.node.addDependency(...served.map(({ handler }) => handler))

    new CfnOutput(this, 'BaseAddress', {
      description: 'Base address of the service: append a path, /summary say',
      value: edge.baseAddress,
    })
  }
}
