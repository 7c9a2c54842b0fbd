import { CfnOutput, Duration, Stack } from 'aws-cdk-lib'
import { CorsHttpMethod, HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import type { Construct } from 'constructs'
import { cors } from '../shared/cors.ts'
import { endpoints } from '../shared/endpoints/all.ts'
import { EndpointFunction } from './endpoint-function.ts'
import type { StageSettings } from './settings.ts'

/**
 * The service on AWS: an HTTP API with one route and one function per endpoint. The stage is in the stack's name and
 * no physical name is fixed, so that several stages fit into one account.
 */
export class ApiStack extends Stack {
  constructor(scope: Construct, settings: StageSettings) {
    super(scope, `chain-explorer-${settings.stage}`, { description: `Chain Explorer REST Service (${settings.stage})` })

    // The default stage is `$default`, deployed with each change: paths carry no stage segment.
    const api = new HttpApi(this, 'Api', {
      apiName: this.stackName,
      corsPreflight: {
        allowOrigins: [...cors.allowOrigins],
        allowMethods: cors.allowMethods.map((method) => CorsHttpMethod[method]),
        allowHeaders: [...cors.allowHeaders],
        exposeHeaders: [...cors.exposeHeaders],
        maxAge: Duration.seconds(cors.maxAgeSeconds),
      },
    })

    for (const endpoint of endpoints) {
      const { handler } = new EndpointFunction(this, endpoint, settings)
      api.addRoutes({
        path: endpoint.path,
        methods: [HttpMethod[endpoint.method]],
        integration: new HttpLambdaIntegration(endpoint.name, handler),
      })
    }

    new CfnOutput(this, 'BaseAddress', {
      description: 'Base address of the service: append a path, /summary say',
      value: api.apiEndpoint,
    })
  }
}
