import { Duration, Validations } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import { CfnStage, CorsHttpMethod, HttpApi, HttpMethod, HttpStage } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'
import { cors } from '../../shared/http/cors.ts'
import { pathsOf, routeOf, servedMethods } from '../../shared/http/routes.ts'
import type { StageSettings } from '../settings/schema.ts'
import { logGroupArn, stageLogGroup, vendedLogGroupName } from './log-group.ts'

/**
 * One line per call, refused ones included. It lacks the caller's address, which behind CloudFront is CloudFront's, and
 * the path, which callers choose: a quote in it would break the JSON.
 */
const accessLogLine = JSON.stringify({
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  route: '$context.routeKey',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  functionLatencyMs: '$context.integrationLatency',
  error: '$context.error.message',
  functionError: '$context.integrationErrorMessage',
})

/** A route and the function that serves it. */
interface ServedRoute {
  readonly endpoint: Pick<Endpoint, 'method' | 'path' | 'alias' | 'isCostly'> & { readonly name: string }
  readonly handler: IFunction
}

function throttleOf({ isCostly = false, method }: ServedRoute['endpoint']): keyof StageSettings['throttles'] {
  if (method === 'POST') return 'broadcasts'
  return isCostly ? 'fates' : 'reads'
}

/** The HTTP API: a route with its own throttle for each path and method, cross-origin rules, and a log of all calls. */
export class ExplorerHttpApi extends Construct {
  readonly http: HttpApi
  /** Has a line for each call. */
  readonly accessLog: LogGroup

  constructor(scope: Construct, id: string, settings: StageSettings, served: readonly ServedRoute[]) {
    super(scope, id)

    const { apiGeneration } = settings
    // Another id is another API for CloudFormation: it makes the new one first, and removes this one last.
    this.http = new HttpApi(this, apiGeneration === 1 ? 'Http' : `Http${apiGeneration}`, {
      apiName: `chain-explorer-${settings.stage}`,
      createDefaultStage: false,
      corsPreflight: {
        allowOrigins: [...cors.allowOrigins],
        allowMethods: cors.allowMethods.map((method) => CorsHttpMethod[method]),
        // A wildcard, since a gateway cannot repeat what is asked; it never covers `authorization`.
        allowHeaders: ['*', ...cors.allowHeaders],
        exposeHeaders: [...cors.exposeHeaders],
        maxAge: Duration.seconds(cors.maxAgeSeconds),
      },
    })
    const routes = served.flatMap(({ endpoint, handler }) => {
      const methods = servedMethods(endpoint.method).map((method) => HttpMethod[method])
      const integration = new HttpLambdaIntegration(endpoint.name, handler)
      return pathsOf(endpoint).flatMap((path) => this.http.addRoutes({ path, methods, integration }))
    })

    this.accessLog = stageLogGroup(this, 'AccessLog', settings, vendedLogGroupName(this))
    const { throttles } = settings
    // The default stage adds no segment to paths. Each change is deployed at once.
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.http,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: throttles.reads.rate, burstLimit: throttles.reads.burst },
      accessLogSettings: {
        destination: { bind: () => ({ destinationArn: logGroupArn(this.accessLog) }) },
        format: AccessLogFormat.custom(accessLogLine),
      },
    })
    const { defaultChild } = stage.node
    if (!(defaultChild instanceof CfnStage)) throw new Error('HttpStage has no CfnStage')
    defaultChild.routeSettings = Object.fromEntries(
      served.flatMap(({ endpoint }) => {
        const { rate, burst } = throttles[throttleOf(endpoint)]
        const throttle = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst }
        return pathsOf(endpoint).flatMap((path) =>
          servedMethods(endpoint.method).map((method) => [routeOf({ method, path }), throttle]),
        )
      }),
    )
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'The service is public: commands are signed, and everything else is public on the chain.',
    })
    // API Gateway refuses a throttle for a route that does not exist yet.
    stage.node.addDependency(...routes)
  }
}
